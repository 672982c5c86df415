import PhotoLibrary

/// Lists assets, and makes thumbnails of them.
enum FetchCommand: Command {
  static let name = "fetch"
  static let summary = "list photos, oldest first, and make thumbnails of them"
  static let forms = [
    "[IDS] [-s KEY] [-n LIMIT] [--offset N] [--count | --ids]",
    "[IDS] --thumbs [--size N|WxH] [--mode fit|fill] [-o DIR] [--sheet FILE]",
  ]
  static let actor = ActorRule.reads
  static let endsAtOnce = false
  static let options =
    [
      Option(
        .sort, "s", value: "KEY",
        help: "creationDate, modificationDate, addedDate, filename or pixels; -KEY is the reverse"),
      Option(.limit, "n", value: "LIMIT", help: "at most so many"),
      Option(.offset, value: "N", help: "leave out the first N"),
      Option(.count, help: "only how many"),
      Option(.ids, help: "only the identifiers, one a line"),
    ] + Option.choosing + ThumbnailOptions.options
  static let details = """
    IDS: identifiers or the first digits of one (4 or more), files (matched by content), or `-` for
    identifiers on standard input. With --from, --to or --type: of these, those that match.

    On a terminal it is a table; piped, a line each: UUID, creation date, size, file name, separated
    by tabs. Control characters in names are printed escaped, and a backslash doubled.

    Without --client, $PHOTOLIB_CLIENT or --owner it reads as local.default, the person at the
    terminal.

    examples:
      photolib fetch --from 2024-05 --to 2024-08 -s -pixels -n 10
      photolib fetch -c org.example.frame --thumbs --size 512 -o frame
      photolib fetch --ids --type png | photolib show -
      photolib fetch --thumbs --sheet all.html
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let terminal = invocation.terminal
    let arguments = try AssetArguments(invocation.arguments)
    let order = try Order(invocation.arguments)
    let thumbnails = try ThumbnailOptions(invocation.arguments)
    let onlyCount = invocation.arguments.has(.count)
    let onlyIDs = invocation.arguments.has(.ids)
    if onlyCount, onlyIDs { throw .usage("--count", "cannot stand beside --ids") }
    if thumbnails != nil, onlyCount || onlyIDs {
      throw .usage("--thumbs", "cannot stand beside \(onlyCount ? "--count" : "--ids")")
    }
    let id = try invocation.readingClient()
    let library = try invocation.openLibrary(.readOnly)
    let client = invocation.view(of: id, in: library)

    /// Prints what an empty result looks like.
    func writeNothing() throws(Failure) {
      if onlyCount { return try write(count: 0, on: terminal) }
      if onlyIDs { return try write(ids: [], on: terminal) }
      try AssetListing(on: terminal).end()
    }

    let status = try invocation.readStatus(of: client)
    guard status.permitsReading else {
      try writeNothing()
      try terminal.flush()
      throw invocation.notPermitted(client, status)
    }
    let resolution = try arguments.resolve(in: client.view)
    resolution.reportMissing(on: terminal)
    if resolution.isWholeMiss {
      try writeNothing()
      return .noInput
    }
    var query = arguments.query(for: resolution.ids)
    order.apply(to: &query)

    var isComplete = resolution.missing.isEmpty
    if onlyCount {
      let count = try translating(about: "fetch") { () throws(LibraryError) in
        try client.view.countAssets(query)
      }
      try write(count: count, on: terminal)
    } else {
      let result = try translating(about: "fetch") { () throws(LibraryError) in
        try client.view.fetchAssets(query)
      }
      if onlyIDs {
        try write(ids: result.ids, on: terminal)
      } else if let thumbnails {
        let isWhole = try await thumbnails.make(of: result, for: client.view, on: terminal)
        isComplete = isComplete && isWhole
      } else {
        var listing = AssetListing(on: terminal)
        try client.view.forEachAsset(in: result.ids) { (asset) throws(Failure) in
          try listing.add(asset)
        }
        try listing.end()
      }
    }
    try terminal.flush()
    if Task.isCancelled { throw .interrupted }
    // Asked anew: the owner may have decided otherwise meanwhile.
    if let id, try invocation.readStatus(of: client) == .limited {
      let selected = try translating(about: "fetch") { () throws(LibraryError) in
        try client.view.countAssets(FetchQuery(includesHidden: true))
      }
      invocation.hintOfLimit(id, selected: selected)
    }
    return isComplete ? .success : .partial
  }

  private static func write(count: Int, on terminal: Terminal) throws(Failure) {
    let json = JSON.object([("count", .integer(count))])
    try terminal.writeLine(terminal.style.json ? json.text : String(count))
  }

  private static func write(ids: [AssetID], on terminal: Terminal) throws(Failure) {
    if terminal.style.json {
      try terminal.writeLine(JSON.array(ids.map { .string($0.localIdentifier) }).text)
    } else {
      for id in ids { try terminal.writeLine(id.uuidString) }
    }
  }
}

/// In what order to fetch, and which part.
private struct Order {
  var key = SortKey.creationDate
  var ascending = true
  let limit: Int?
  let offset: Int

  /// What `--sort` takes.
  private static let keys: [SortKey] = [
    .creationDate, .modificationDate, .addedDate, .filename, .pixels,
  ]

  init(_ arguments: ParsedArguments) throws(Failure) {
    if let text = try arguments.text(.sort) {
      ascending = !text.hasPrefix("-")
      let name = ascending ? text : String(text.dropFirst())
      guard let key = Self.keys.first(where: { $0.rawValue == name }) else {
        let keys = Self.keys.map(\.rawValue).joined(separator: ", ")
        throw .usage("--sort \(printable(text))", "is none of \(keys)")
      }
      self.key = key
    }
    limit = try arguments.integer(.limit, in: 0...Int.max)
    offset = try arguments.integer(.offset, in: 0...Int.max) ?? 0
  }

  func apply(to query: inout FetchQuery) {
    query.sort = [SortDescriptor(key, ascending: ascending)]
    query.limit = limit
    query.offset = offset
  }
}
