import PhotoLibrary

/// Says what a client may see.
enum SelectCommand: Command {
  static let name = "select"
  static let summary = "say which photos a client may see"
  static let forms = [
    "--limited IDS", "[--limited] --add IDS | --remove IDS | --none", "--full | --deny", "",
  ]
  static let actor = ActorRule.concernsClient
  static let endsAtOnce = false
  static let options =
    [
      Option(.limited, help: "these photos and no others, in place of those selected before"),
      Option(.add, help: "these too"),
      Option(.remove, help: "these no longer"),
      Option(.selectNone, help: "none"),
      Option(.full, help: "the whole library"),
      Option(.deny, help: "nothing; the selection is kept"),
    ] + Option.choosing
  static let details = """
    The client is the one of --client, else local.default. IDS: identifiers or the first digits of
    one (4 or more), files (matched by content), or `-` for identifiers on standard input; or --from,
    --to, --type, --all. All of them are selected or none. Without anything it prints the selection.

    examples:
      photolib select --limited *.jpg
      photolib select --limited -c org.example.frame --from 2024-07-01 --to 2024-07-14
      photolib select --add 3F2A 77C0 -c org.example.frame
      photolib select --full
    """

  /// What to do, as the options say.
  private enum Action { case show, full, deny, replace, add, remove, none }

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let chosen = try AssetArguments(invocation.arguments)
    let action = try action(invocation, chosen)
    let id = invocation.concernedClient
    let library = try invocation.openLibrary(action == .show ? .readOnly : .readWrite)

    var ids: [AssetID] = []
    if action == .replace || action == .add || action == .remove {
      let resolution = try chosen.resolve(in: library.owner)
      resolution.reportMissing(on: invocation.terminal)
      if !resolution.missing.isEmpty { return .noInput }
      ids = try translating(about: "select") { () throws(LibraryError) in
        try library.owner.fetchAssets(chosen.query(for: resolution.ids)).ids
      }
    }

    let before = try access(of: id, in: library)
    let hint = notLimitedHint(invocation, id)
    let change: SelectionChange
    switch action {
    case .show:
      try printSelection(of: id, before, library, invocation)
      return .success
    case .full, .deny:
      try translating(about: "\(id)") { () throws(LibraryError) in
        try library.setAccess(of: id, action == .full ? .full : .deny)
      }
      let selected = try translating(about: "\(id)") { () throws(LibraryError) in
        try library.selectionCount(of: id)
      }
      let status = try access(of: id, in: library)?.readWrite ?? .notDetermined
      try report(id, status, selected: selected, invocation)
      return .success
    case .replace: change = .replace(ids)
    case .add: change = .add(ids)
    case .remove: change = .remove(ids)
    case .none: change = invocation.arguments.has(.limited) ? .replace([]) : .none
    }
    let outcome = try translating(about: "\(id)", hint: hint) { () throws(LibraryError) in
      try library.select(change, for: id)
    }
    try report(
      id, outcome.status, selected: outcome.selected, added: outcome.added,
      removed: outcome.removed, invocation)
    return .success
  }

  /// Which of the forms of the command was written.
  private static func action(
    _ invocation: Invocation, _ chosen: AssetArguments
  ) throws(Failure) -> Action {
    let arguments = invocation.arguments
    let given = [OptionName.full, .deny, .add, .remove, .selectNone].filter(arguments.has)
    if given.count > 1 {
      throw .usage(given[0].text, "cannot stand beside \(given[1].text)")
    }
    let isLimited = arguments.has(.limited)
    switch given.first {
    case .full, .deny:
      let name = given[0].text
      if isLimited { throw .usage(name, "cannot stand beside --limited") }
      if !chosen.isEmpty { throw .usage(name, "takes no photos") }
      return given[0] == .full ? .full : .deny
    case .none:
      if isLimited {
        if chosen.isEmpty { throw noChoice(invocation, "--limited") }
        return .replace
      }
      if chosen.isEmpty { return .show }
      let form = invocation.commandLine(
        "select --limited IDS", client: invocation.concernedClient)
      throw .usage(
        "select", "photos are named, but not what to do with them",
        hint: "say --limited, --add or --remove: \(form)")
    case .selectNone:
      if !chosen.isEmpty { throw .usage("--none", "takes no photos") }
      return .none
    case .some(let name):
      if chosen.isEmpty { throw noChoice(invocation, name.text) }
      return name == .add ? .add : .remove
    }
  }

  private static func noChoice(_ invocation: Invocation, _ option: String) -> Failure {
    let form = invocation.commandLine(
      "select \(option) *.jpg", client: invocation.concernedClient)
    return .usage(
      option, "no photo is chosen",
      hint: "name files or identifiers, or --from, --to, --type, --all: \(form)")
  }

  private static func notLimitedHint(_ invocation: Invocation, _ id: ClientID) -> String {
    "begin with a selection: " + invocation.commandLine("select --limited IDS", client: id)
  }

  private static func access(
    of id: ClientID, in library: Library
  ) throws(Failure) -> ClientAccess? {
    try translating(about: "\(id)") { () throws(LibraryError) in try library.access(of: id) }
  }

  private static func selection(
    of id: ClientID, in library: Library
  ) throws(Failure) -> [AssetID] {
    try translating(about: "\(id)") { () throws(LibraryError) in try library.selection(of: id) }
  }

  /// Prints the photos that are selected, whether or not the client is limited to them.
  private static func printSelection(
    of id: ClientID, _ access: ClientAccess?, _ library: Library, _ invocation: Invocation
  ) throws(Failure) {
    let terminal = invocation.terminal
    let ids = try selection(of: id, in: library)
    let status = access?.readWrite ?? .notDetermined
    if terminal.style.json {
      var members = members(id, status, selected: ids.count, added: 0, removed: 0)
      members.append(("assets", .array(ids.map { .string($0.localIdentifier) })))
      try terminal.writeLine(JSON.object(members).text)
      return
    }
    var listing = AssetListing(on: terminal)
    try library.owner.forEachAsset(in: ids) { (asset) throws(Failure) in
      try listing.add(asset)
    }
    try listing.end()
    try terminal.flush()
    hint(id, status, selected: ids.count, invocation)
  }

  /// Prints what the client's access has become.
  private static func report(
    _ id: ClientID, _ status: AuthorizationStatus, selected: Int, added: Int = 0,
    removed: Int = 0, _ invocation: Invocation
  ) throws(Failure) {
    let terminal = invocation.terminal
    if terminal.style.json {
      let members = members(id, status, selected: selected, added: added, removed: removed)
      try terminal.writeLine(JSON.object(members).text)
    } else {
      let changes = added + removed > 0 ? " (\(added) added, \(removed) removed)" : ""
      try terminal.writeLine("\(id): \(status.name), \(selected) selected\(changes)")
    }
    try terminal.flush()
    hint(id, status, selected: selected, invocation)
  }

  private static func members(
    _ id: ClientID, _ status: AuthorizationStatus, selected: Int, added: Int, removed: Int
  ) -> [(String, JSON)] {
    [
      ("client", .string(id.rawValue)), ("status", .string(status.name)),
      ("selected", .integer(selected)), ("added", .integer(added)),
      ("removed", .integer(removed)),
    ]
  }

  /// Says what the client sees now, and how to change it.
  private static func hint(
    _ id: ClientID, _ status: AuthorizationStatus, selected: Int, _ invocation: Invocation
  ) {
    switch status {
    case .limited: invocation.hintOfLimit(id, selected: selected)
    case .authorized:
      invocation.terminal.hint(
        "\(id) sees the whole library; to choose what it sees: "
          + invocation.commandLine("select --limited IDS", client: id))
    case .notDetermined, .restricted, .denied:
      invocation.terminal.hint(
        "\(id) sees nothing (\(status.name)); to let it see all: "
          + invocation.commandLine("select --full", client: id))
    }
  }
}
