import PhotoLibrary

/// Tells what the library holds.
enum StatsCommand: Command {
  static let name = "stats"
  static let summary = "tell what the library holds, in numbers and bytes"
  static let forms = [""]
  static let actor = ActorRule.ownerOnly
  static let endsAtOnce = true
  static let options: [Option] = []
  static let details = """
    example:
      photolib stats --json
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    try invocation.takesNoOperands()
    let library = try invocation.openLibrary(.readOnly)
    let numbers = try translating(about: "stats") { () throws(LibraryError) in
      try library.statistics()
    }
    let members: [(String, JSON)] = [
      ("assets", .integer(numbers.assets)), ("jpeg", .integer(numbers.jpeg)),
      ("png", .integer(numbers.png)), ("damaged", .integer(numbers.damaged)),
      ("undecodable", .integer(numbers.undecodable)), ("trashed", .integer(numbers.trashed)),
      ("clients", .integer(numbers.clients)), ("originals", .integer(numbers.originals)),
      ("originalBytes", .integer(numbers.originalBytes)),
      ("indexBytes", .integer(numbers.indexBytes)), ("thumbnails", .integer(numbers.thumbnails)),
      ("thumbnailBytes", .integer(numbers.thumbnailBytes)),
      ("oldest", .optional(numbers.oldest?.rfc3339())),
      ("newest", .optional(numbers.newest?.rfc3339())), ("timeZone", .string(numbers.timeZone)),
    ]
    if invocation.terminal.style.json {
      try invocation.terminal.writeLine(JSON.object(members).text)
      return .success
    }
    for (name, value) in members {
      let text: String
      switch value {
      case .string(let string): text = printable(string)
      case .null: text = "none"
      default: text = value.text
      }
      try invocation.terminal.writeLine("\(pad(name, toColumns: 15)) \(text)")
    }
    return .success
  }
}
