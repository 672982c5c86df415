import PhotoModel

/// The statements of `check`.
enum CheckSQL {
  static let count = "SELECT count(*) FROM assets"
  static let exists = "SELECT EXISTS (SELECT 1 FROM assets WHERE uuid = ?)"

  /// At most so many problems of SQLite are named; a broken file has no end of them.
  private static let problemLimit = 100

  /// What SQLite's own checks find, each in a sentence.
  static func problems(_ connection: Connection) throws(StoreError) -> [String] {
    var problems = try connection.all(SQL("PRAGMA integrity_check(\(problemLimit))")) {
      $0.text(0)
    }
    if problems == ["ok"] { problems = [] }
    var broken: [String: Int] = [:]
    try connection.each(SQL("PRAGMA foreign_key_check")) { broken[$0.text(0), default: 0] += 1 }
    for (table, count) in broken.sorted(by: { $0.key < $1.key }) {
      problems.append("\(count) rows of \(table) point to nothing")
    }
    return problems
  }

  struct Row {
    let row: Int64
    let id: AssetID
    let name: OriginalName
    let byteSize: Int64
  }

  /// The next page of assets, ordered by content.
  static func originals(
    _ connection: Connection, after last: (sha256: [UInt8], row: Int64)
  ) throws(StoreError) -> [Row] {
    try connection.all(SQL(page, .blob(last.sha256), .int(last.row))) {
      (row) throws(StoreError) in
      let id = try AssetRow.id(row, 1)
      guard let format = ImageFormat(rawValue: row.int(3)) else { throw AssetRow.damaged(id) }
      return Row(
        row: row.int64(0), id: id,
        name: OriginalName(sha256: row.blob(2), format: format), byteSize: row.int64(4))
    }
  }

  private static let page = """
    SELECT row, uuid, sha256, format, byte_size FROM assets
    WHERE (sha256, row) > (?, ?) ORDER BY sha256, row LIMIT 500
    """

  static func hasRow(
    _ connection: Connection, _ name: OriginalName
  ) throws(StoreError) -> Bool {
    try connection.integer(
      known, .blob(name.sha256), .int(name.format.rawValue)) != 0
  }

  private static let known = """
    SELECT EXISTS (SELECT 1 FROM assets WHERE sha256 = ? AND format = ?)
    """

  struct SelectionProblem {
    let id: AssetID?
    let detail: String
  }

  /// Rows of selections that differ from the asset that they give.
  static func selections(_ connection: Connection) throws(StoreError) -> [SelectionProblem] {
    try connection.all(SQL(forgedSelections, .int(problemLimit))) {
      let client = $0.optionalText(1).map { "the selection of \($0)" } ?? "a selection"
      let what =
        $0.bool(2)
        ? "names an asset that does not exist"
        : $0.bool(3)
          ? "gives another asset than it names" : "has another date or name than its asset"
      return SelectionProblem(id: AssetID(bytes: $0.blob(0)), detail: "\(client) \(what)")
    }
  }

  private static let forgedSelections = """
    SELECT s.uuid, c.id, a.row IS NULL, a.uuid IS NOT s.uuid
    FROM selections AS s
    LEFT JOIN assets AS a ON a.row = s.asset
    LEFT JOIN clients AS c ON c.row = s.client
    WHERE c.row IS NULL OR a.row IS NULL OR a.uuid IS NOT s.uuid OR a.created IS NOT s.created
      OR a.name_key IS NOT s.name_key
    LIMIT ?
    """
}
