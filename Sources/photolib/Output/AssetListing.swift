import PhotoLibrary

/// Writes assets to standard output as they come: a table on a terminal, else one tab-separated line
/// each, or one JSON array.
struct AssetListing {
  private enum Form {
    case table(columns: Int)
    case lines, json
  }

  private let terminal: Terminal
  private let form: Form
  private var isFirst = true

  init(on terminal: Terminal) {
    self.terminal = terminal
    if terminal.style.json {
      form = .json
    } else if terminal.outputIsTerminal {
      form = .table(columns: Terminal.columns(of: 1))
    } else {
      form = .lines
    }
  }

  /// Writes one asset; `extra` are members of its JSON object that stand at its end.
  mutating func add(
    _ asset: Asset, dateCandidates: Bool = false, extra: [(String, JSON)] = []
  ) throws(Failure) {
    switch form {
    case .json:
      let members = asset.jsonMembers(dateCandidates: dateCandidates) + extra
      try terminal.write((isFirst ? "[\n" : ",\n") + JSON.object(members).text)
    case .lines:
      let fields = [
        asset.id.uuidString, asset.creationDate.rfc3339, asset.pixelSize.description,
        printable(asset.originalFilename.bytes),
      ]
      try terminal.writeLine(fields.joined(separator: "\t"))
    case .table(let columns):
      if isFirst {
        let titles = Self.row("ID", "CREATED", "SIZE", "NAME", columns: columns)
        try terminal.writeLine(terminal.heading(titles))
      }
      let row = Self.row(
        String(asset.id.uuidString.prefix(8)), asset.creationDate.table,
        asset.pixelSize.description, printable(asset.originalFilename.bytes), columns: columns)
      try terminal.writeLine(row)
    }
    isFirst = false
  }

  /// Ends the list; of no assets it is an empty one.
  func end() throws(Failure) {
    guard case .json = form else { return }
    try terminal.writeLine(isFirst ? "[]" : "\n]")
  }

  private static func row(
    _ id: String, _ date: String, _ size: String, _ name: String, columns: Int
  ) -> String {
    let fixed =
      pad(id, toColumns: 8) + "  " + pad(date, toColumns: 19) + "  "
      + pad(size, toColumns: 11, alignedRight: true) + "  "
    return fixed + cut(name, toColumns: max(8, columns - displayWidth(fixed)))
  }
}

extension CreationDate {
  /// The camera's wall clock to the second, with a blank between date and time.
  var table: String {
    String(wallClock.rfc3339(offset: .utc).prefix(19)).replacing("T", with: " ")
  }
}

extension LibraryClient {
  /// Reads records in batches, in the order of the identifiers; leaves out those that have gone.
  ///
  /// Iterating over a `FetchResult` ends quietly where the library cannot be read any more; this throws.
  /// Ends early where the run is interrupted.
  func forEachAsset(
    in ids: [AssetID], dateCandidates: Bool = false, _ body: (Asset) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    while start < ids.count, !Task.isCancelled {
      let batch = Array(ids[start..<min(start + 256, ids.count)])
      start += batch.count
      let assets = try translating(about: "library") { () throws(LibraryError) in
        try self.assets(batch, includingDateCandidates: dateCandidates)
      }
      for case let asset? in assets { try body(asset) }
    }
  }
}
