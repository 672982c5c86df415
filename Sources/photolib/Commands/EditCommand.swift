import PhotoLibrary

/// Corrects what is said of photos; their originals stay as they are.
enum EditCommand: Command {
  static let name = "edit"
  static let summary = "correct date, place and marks of photos"
  static let forms = [
    "IDS [--date DATE|original] [--favorite yes|no] [--hidden yes|no]",
    "IDS [--location LAT,LON|none]",
  ]
  static let actor = ActorRule.manages
  static let endsAtOnce = false
  static let options =
    [
      Option(
        .date, value: "DATE",
        help: "when they were taken: 2024-05-01, 2024-05-01T14:30, 2024-05-01T14:30:05+02:00; "
          + "original: what the file itself says"),
      Option(.favorite, value: "yes|no", help: "whether they are favourites"),
      Option(.hidden, value: "yes|no", help: "whether fetches leave them out unless asked"),
      Option(
        .location, value: "LAT,LON",
        help: "where they were taken, in degrees: 48.137,11.576; none: nowhere that is known"),
    ] + Option.choosing
  static let details = """
    Changes all of the photos that are named, in all that is said, or nothing. Without an offset the
    date is one of the library's time zone. The original is not touched, and `photolib show` still
    lists every date that was found in it; `--date original` goes back to the most trusted of these.
    The place changes in the record alone: the file keeps the one it has.

    examples:
      photolib edit 3F2A --date 1998-07-12
      photolib edit ./scan-001.jpg ./scan-002.jpg --date "1998-07-12 15:30" --favorite yes
      photolib edit 3F2A --date original
      photolib edit 3F2A --location=-33.857,151.215
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let edits = try Edits(invocation.arguments)
    guard let chosen = try AssetsToChange.choose(for: name, invocation) else { return .noInput }
    try await chosen.change("changed", name, invocation.terminal) { block throws(LibraryError) in
      try edits.write(to: &block, of: chosen.ids)
    }
    return .success
  }

  /// What is to be changed.
  private struct Edits {
    private enum NewDate {
      /// The most trusted of those that were found in the file.
      case original
      case moment(WallClock, offset: UTCOffset?)
    }

    private enum YesOrNo: String, CaseIterable { case yes, no }

    private let date: NewDate?
    private let favorite, hidden: YesOrNo?
    /// nil: stays; a nil inside: none.
    private let location: Location??

    init(_ arguments: ParsedArguments) throws(Failure) {
      let names = [OptionName.date, .favorite, .hidden, .location]
      guard arguments.first(of: names) != nil else {
        throw .usage("edit", "nothing to change is named", hint: "say --date 2024-05-01T14:30")
      }
      for name in names where arguments.isRepeated(name) {
        throw .usage(name.text, "is given twice", hint: "say it once")
      }
      date = try Self.date(arguments)
      favorite = try arguments.choice(.favorite, as: YesOrNo.self)
      hidden = try arguments.choice(.hidden, as: YesOrNo.self)
      location = try Self.location(arguments)
    }

    func write(to block: inout ChangeBlock, of ids: [AssetID]) throws(LibraryError) {
      switch date {
      case nil: break
      case .original: block.restoreCreationDate(of: ids)
      case .moment(let wallClock, let offset):
        try block.setCreationDate(wallClock, offset: offset, of: ids)
      }
      if let favorite { block.setFavorite(favorite == .yes, of: ids) }
      if let hidden { block.setHidden(hidden == .yes, of: ids) }
      if let location { block.setLocation(location, of: ids) }
    }

    private static func date(_ arguments: ParsedArguments) throws(Failure) -> NewDate? {
      guard let text = try arguments.text(.date) else { return nil }
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

    private static func location(_ arguments: ParsedArguments) throws(Failure) -> Location?? {
      guard let text = try arguments.text(.location) else { return nil }
      if text == "none" { return .some(nil) }
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
        Double(part.drop { $0 == " " })
      }
      guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
        let location = Location(latitude: latitude, longitude: longitude)
      else {
        throw .usage(
          "--location \(printable(text))", "is no place",
          hint: "write degrees north and east, as in --location=48.137,11.576, or none")
      }
      return location
    }
  }
}
