import PhotoLibrary

/// One of the commands: what its help says, and what it does.
protocol Command: Sendable {
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: String { get }
  /// Its forms, without `photolib` and its name.
  static var forms: [String] { get }
  /// What must be known, with examples: text for the help.
  static var details: String { get }
  static var options: [Option] { get }
  static var actor: ActorRule { get }
  /// Whether it can be ended at any moment, since it writes nothing that must be put in order.
  static var endsAtOnce: Bool { get }
  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus
}

/// Who a command acts as.
enum ActorRule: Sendable {
  /// A client: the one named, else that of the environment, else `local.default`; or the owner.
  case reads
  /// A client, chosen as for `reads`; never the owner.
  case asks
  /// The owner, or a client if one is named.
  case manages
  /// The owner, on the client that is named.
  case concernsClient
  /// The owner alone.
  case ownerOnly
}

/// One run of a command: what was asked for, and where the answer goes.
struct Invocation: Sendable {
  let arguments: ParsedArguments
  let globals: GlobalOptions
  let terminal: Terminal

  /// The commands in the order of the help.
  static let commands: [any Command.Type] = [
    InitCommand.self, AddCommand.self, FetchCommand.self, ShowCommand.self, SelectCommand.self,
    AccessCommand.self, RequestCommand.self, EditCommand.self, RemoveCommand.self,
    RestoreCommand.self, PurgeCommand.self, WatchCommand.self, StatsCommand.self,
    CheckCommand.self, CacheCommand.self,
  ]

  /// Refuses operands where a command takes none.
  func takesNoOperands() throws(Failure) {
    if let operand = arguments.operands.first {
      throw .usage(printable(operand), "is not expected here")
    }
  }

  /// Opens the library.
  func openLibrary(_ mode: Library.Mode) throws(Failure) -> Library {
    if let library = try libraryIfAny(at: globals.library, mode) { return library }
    throw Failure(
      .unavailable, printable(globals.library.bytes), "there is no photo library",
      hint: "make one: \(commandLine("init")), or add pictures: \(commandLine("add PATH"))")
  }

  /// Opens a library; nil where there is none, or one whose making was broken off.
  func libraryIfAny(at path: FilePath, _ mode: Library.Mode) throws(Failure) -> Library? {
    do {
      return try Library.open(at: path, mode: mode, configuration: globals.configuration)
    } catch  where error.code == .libraryNotFound {
      return nil
    } catch {
      throw Failure(error, about: printable(path.bytes))
    }
  }

  /// A command to show in a hint, with the library that was named.
  func commandLine(_ command: String, client: ClientID? = nil) -> String {
    var words = "photolib"
    if let library = globals.namedLibrary { words += " -L \(shellWord(library.bytes))" }
    words += " \(command)"
    if let client, client != .localDefault { words += " -c \(client)" }
    return words
  }
}

/// A word as a shell reads it back: quoted where it must be.
private func shellWord(_ bytes: [UInt8]) -> String {
  let text = printable(bytes)
  let isPlain = text.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }
  if isPlain { return text }
  // `$'…'` knows the escapes of `printable`.
  let hasEscape = text.utf8.contains(UInt8(ascii: "\\"))
  let quoted = text.split(separator: "'", omittingEmptySubsequences: false)
    .joined(separator: hasEscape ? #"\'"# : #"'\''"#)
  return hasEscape ? "$'\(quoted)'" : "'\(quoted)'"
}
