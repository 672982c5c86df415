import PhotoLibrary

/// Corrects what is said of photos; their originals stay as they are.
enum EditCommand: Command {
  static let name = "edit"
  static let summary = "correct the date of photos"
  static let forms = ["IDS --date DATE", "IDS --date original"]
  static let actor = ActorRule.manages
  static let endsAtOnce = false
  static let options =
    [
      Option(
        .date, value: "DATE",
        help: "when they were taken: 2024-05-01, 2024-05-01T14:30, 2024-05-01T14:30:05+02:00; "
          + "original: what the file itself says")
    ] + Option.choosing
  static let details = """
    Changes all of the photos that are named, or none. Without an offset the date is one of the
    library's time zone. The original is not touched, and `photolib show` still lists every date that
    was found in it; `--date original` goes back to the most trusted of these.

    examples:
      photolib edit 3F2A --date 1998-07-12
      photolib edit ./scan-001.jpg ./scan-002.jpg --date "1998-07-12 15:30"
      photolib edit 3F2A --date original
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let arguments = try AssetArguments(invocation.arguments)
    let date = try newDate(invocation)
    if arguments.isEmpty {
      throw .usage(
        "edit", "no photo is named", hint: "photolib fetch lists them with their identifiers")
    }
    let library = try invocation.openLibrary(.readWrite)
    let client = invocation.view(of: invocation.globals.client, in: library)
    let status = try invocation.readStatus(of: client)
    guard status.permitsReading else { throw invocation.notPermitted(client, status) }

    let resolution = try arguments.resolve(in: client.view)
    resolution.reportMissing(on: invocation.terminal)
    guard resolution.missing.isEmpty else { return .noInput }
    let ids = try translating(about: "edit") { () throws(LibraryError) in
      let ids = try client.view.fetchAssets(arguments.query(for: resolution.ids)).ids
      switch date {
      case .original: try client.view.restoreCreationDate(of: ids)
      case .moment(let wallClock, let offset):
        try client.view.setCreationDate(wallClock, offset: offset, of: ids)
      }
      return ids
    }
    let terminal = invocation.terminal
    if terminal.style.json {
      try terminal.writeLine(JSON.object([("changed", .integer(ids.count))]).text)
    } else if !terminal.style.quiet {
      try terminal.writeLine("\(ids.count) changed")
    }
    return .success
  }

  private enum NewDate {
    /// The most trusted of those that were found in the file.
    case original
    case moment(WallClock, offset: UTCOffset?)
  }

  private static func newDate(_ invocation: Invocation) throws(Failure) -> NewDate {
    guard let text = try invocation.arguments.text(.date) else {
      throw .usage("edit", "nothing to change is named", hint: "say --date 2024-05-01T14:30")
    }
    if invocation.arguments.isRepeated(.date) {
      throw .usage("--date", "is given twice", hint: "say one date")
    }
    if text == "original" { return .original }
    let why: String
    do {
      if let moment = try DateArgument(text).moment {
        return .moment(moment.wallClock, offset: moment.offset)
      }
      why = "names no day"
    } catch {
      why = error.why
    }
    throw .usage(
      "--date \(printable(text))", why,
      hint: "write 2024-05-01, 2024-05-01T14:30, 2024-05-01T14:30:00+02:00, or original")
  }
}
