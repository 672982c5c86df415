import PhotoLibrary

/// Makes an empty library, or changes the time zone of one.
enum InitCommand: Command {
  static let name = "init"
  static let summary = "make an empty library, or change the time zone of one"
  static let forms = ["[PATH] [--time-zone ZONE]"]
  static let actor = ActorRule.ownerOnly
  static let endsAtOnce = false
  static let options = [
    Option(
      .timeZone, value: "ZONE",
      help: "the zone of dates without an offset, by name: Europe/Berlin; else the system's")
  ]
  static let details = """
    PATH is the library, as --library names it. On a library that is there already, --time-zone
    changes the zone and recomputes the moments of photos whose file names no offset.

    examples:
      photolib init
      photolib init ~/Pictures/Photos.photolib --time-zone Europe/Berlin
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let operands = invocation.arguments.operands
    if operands.count > 1 { throw .usage(printable(operands[1]), "is not expected here") }
    if let operand = operands.first, invocation.globals.namedLibrary != nil {
      throw .usage(printable(operand), "cannot stand beside --library")
    }
    if operands.first?.isEmpty == true { throw .usage("PATH", "is empty") }
    let path = operands.first.map { FilePath(bytes: $0) } ?? invocation.globals.library
    let zone = try invocation.arguments.text(.timeZone)
    let configuration = invocation.globals.configuration
    let subject = printable(path.bytes)

    let library: Library
    let isNew = !Library.exists(at: path)
    if isNew {
      if operands.isEmpty { try invocation.makeFolderOfDefaultLibrary() }
      library = try translating(about: subject) { () throws(LibraryError) in
        try Library.create(at: path, timeZone: zone, configuration: configuration)
      }
    } else if let zone {
      library = try translating(about: subject) { () throws(LibraryError) in
        let library = try Library.open(at: path, mode: .readWrite, configuration: configuration)
        try library.setTimeZone(zone)
        return library
      }
    } else {
      throw Failure(
        .cannotCreate, subject, "there is a photo library already",
        hint: "to change its time zone: --time-zone ZONE")
    }
    if invocation.terminal.style.json {
      let object = JSON.object([
        ("library", .string(path.string)), ("created", .bool(isNew)),
        ("timeZone", .string(library.timeZone)),
      ])
      try invocation.terminal.writeLine(object.text)
    } else {
      let what = isNew ? "an empty photo library" : "photo library"
      try invocation.terminal.writeLine("\(subject): \(what), time zone \(library.timeZone)")
    }
    return .success
  }
}

extension Invocation {
  /// Makes the folders above the library where nobody named a place: the data folder of a new user.
  func makeFolderOfDefaultLibrary() throws(Failure) {
    guard globals.isDefaultPlace else { return }
    // 0700: the XDG Base Directory Specification asks for it.
    let folder = folderAndName(of: globals.library).folder
    let problem = makeFolders(folder, mode: 0o700)
    if problem != 0 {
      throw Failure(.cannotCreate, printable(folder.bytes), systemMessage(problem))
    }
  }
}
