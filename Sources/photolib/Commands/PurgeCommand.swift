import Glibc
import PhotoLibrary

/// Empties the trash for good.
enum PurgeCommand: Command {
  static let name = "purge"
  static let summary = "empty the trash for good"
  static let forms = ["[--older-than AGE] [--yes]"]
  static let actor = ActorRule.ownerOnly
  static let endsAtOnce = false
  static let options = [
    Option(
      .olderThan, value: "AGE", help: "only what was removed so long ago: 30d, 12h, 8w"),
    Option(.yes, help: "do not ask; needed where nobody can be asked"),
  ]
  static let details = """
    Removes photos that lie in the trash, their originals and their cached thumbnails. An original
    from which another photo is made stays. This cannot be undone: on a terminal it asks first.

    examples:
      photolib purge --older-than 30d
      photolib purge --yes
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    try invocation.takesNoOperands()
    let age = try age(invocation.arguments)
    let library = try invocation.openLibrary(.readWrite)
    let terminal = invocation.terminal
    if !invocation.arguments.has(.yes) {
      guard isatty(0) == 1, isatty(2) == 1 else {
        throw .usage("purge", "nobody can be asked", hint: "say --yes to remove them for good")
      }
      let count = try translating(about: "trash") { () throws(LibraryError) in
        try library.trash().count
      }
      terminal.writeMessage(
        "Up to \(count) photos go for good, with their originals. Type yes to go on: ")
      guard readLine() == "yes" else {
        terminal.note("nothing was removed")
        return .success
      }
    }
    let report = try translating(about: "purge") { () throws(LibraryError) in
      try library.purge(olderThan: age)
    }
    if terminal.style.json {
      let members: [(String, JSON)] = [
        ("assets", .integer(report.assets)), ("originals", .integer(report.originals)),
        ("bytes", .integer(report.bytes)),
      ]
      try terminal.writeLine(JSON.object(members).text)
    } else if !terminal.style.quiet {
      try terminal.writeLine(
        "\(report.assets) purged, \(ByteCount.text(report.bytes)) of originals removed")
    }
    return Task.isCancelled ? .interrupted : .success
  }

  private static func age(_ arguments: ParsedArguments) throws(Failure) -> Duration? {
    guard let text = try arguments.text(.olderThan) else { return nil }
    let hours: [Character: Int64] = ["h": 1, "d": 24, "w": 168]
    let digits = text.dropLast()
    guard let unit = text.last.flatMap({ hours[$0] }), !digits.isEmpty, digits.utf8.count <= 7,
      digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let number = Int64(digits)
    else {
      throw .usage("--older-than \(printable(text))", "is no age", hint: "write 30d, 12h or 8w")
    }
    return .seconds(number * unit * 3_600)
  }
}
