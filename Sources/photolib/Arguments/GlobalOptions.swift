import PhotoLibrary

/// The options of every command, with the environment behind them.
struct GlobalOptions: Sendable {
  /// Where the library is.
  let library: FilePath
  /// The library as `--library` named it, or nil where it came from elsewhere.
  let namedLibrary: FilePath?
  /// The client of `--client`.
  let client: ClientID?
  /// Whether `--owner` stood there.
  let isOwner: Bool
  let configuration: LibraryConfiguration

  init(_ arguments: ParsedArguments) throws(Failure) {
    namedLibrary = try arguments.options[.library].map { bytes throws(Failure) in
      if bytes.isEmpty { throw Failure.usage("--library", "the path is empty") }
      return FilePath(bytes: bytes)
    }
    let ofEnvironment = environmentVariable("PHOTOLIB_LIBRARY").map { FilePath(bytes: $0) }
    if let named = namedLibrary ?? ofEnvironment {
      library = named
    } else {
      library = try Self.libraryOfUser()
    }
    client = try arguments.options[.client].map { bytes throws(Failure) in
      try clientID(bytes, of: "--client")
    }
    isOwner = arguments.has(.owner)
    if isOwner, client != nil {
      throw .usage("--owner", "cannot stand beside --client")
    }

    var configuration = LibraryConfiguration()
    if let megabytes = try Self.number(.memory, "PHOTOLIB_MEMORY", in: 16...1_048_576, arguments) {
      configuration.memoryMegabytes = megabytes
    }
    if let pixels = try Self.number(.maxPixels, "PHOTOLIB_MAX_PIXELS", in: 1...4_294, arguments) {
      configuration.maximumMegapixels = pixels
    }
    if let seconds = try Self.number(.cpu, "PHOTOLIB_CPU", in: 1...86_400, arguments) {
      configuration.cpuSecondsPerPicture = seconds
    }
    configuration.decodeJobs = try arguments.integer(.jobs, in: 1...1_024)
    self.configuration = configuration
  }

  /// How results and messages look.
  static func style(_ arguments: ParsedArguments) throws(Failure) -> Terminal.Style {
    Terminal.Style(
      json: arguments.has(.json), quiet: arguments.has(.quiet),
      progress: !arguments.has(.noProgress),
      color: try arguments.choice(.color, as: Terminal.ColorChoice.self) ?? .auto)
  }

  private static func number(
    _ name: OptionName, _ variable: String, in range: ClosedRange<Int>, _ arguments: ParsedArguments
  ) throws(Failure) -> Int? {
    if let value = try arguments.integer(name, in: range) { return value }
    guard let bytes = environmentVariable(variable) else { return nil }
    return try wholeNumber(bytes, in: range, of: "$\(variable)")
  }

  /// The place for a user's data (XDG Base Directory Specification).
  private static func libraryOfUser() throws(Failure) -> FilePath {
    let ending = "photolib/Photos.photolib"
    // A relative path there is to be ignored, says the specification.
    if let data = environmentVariable("XDG_DATA_HOME"), data.first == UInt8(ascii: "/") {
      return FilePath(bytes: data).appending(ending)
    }
    if let home = environmentVariable("HOME") {
      return FilePath(bytes: home).appending(".local/share").appending(ending)
    }
    throw .usage(
      "library", "no place is named and there is no home folder",
      hint: "name it: photolib --library PATH …")
  }
}

/// Reads a client identifier that comes from `source`, an option or environment variable.
func clientID(_ bytes: [UInt8], of source: String) throws(Failure) -> ClientID {
  if let text = String(validating: bytes, as: UTF8.self), let id = ClientID(text) { return id }
  throw .usage(
    "\(source) \(printable(bytes))", "is no client identifier",
    hint: "3 to 64 bytes, labels of letters, digits and dashes joined by dots: org.example.frame")
}
