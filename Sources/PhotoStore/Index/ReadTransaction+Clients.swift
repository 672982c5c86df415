package import PhotoModel

extension ReadTransaction {
  /// The clients known, by identifier.
  ///
  /// `visible` is the number of assets that each can see now, hidden ones included.
  package func clients() throws(StoreError) -> [(client: ClientRecord, visible: Int)] {
    var everything: Int?
    let records = try connection.all(SQL(ClientSQL.all)) { (row) throws(StoreError) in
      try Self.record(row)
    }
    var result: [(client: ClientRecord, visible: Int)] = []
    for record in records {
      // It is the same for all of them, and counting a large library takes its time.
      if record.readWrite == .authorized, let everything {
        result.append((record, everything))
        continue
      }
      let visible = try visibleCount(of: record)
      if record.readWrite == .authorized { everything = visible }
      result.append((record, visible))
    }
    return result
  }

  /// The number of assets that a client can see now, hidden ones included.
  package func visibleCount(of record: ClientRecord) throws(StoreError) -> Int {
    switch record.readWrite {
    case .authorized: try count(FetchQuery(includesHidden: true), .owner)
    case .limited: try selectionCount(of: record.id)
    case .notDetermined, .restricted, .denied: 0
    }
  }

  /// How many assets a client's stored selection has, whatever its status; the trash left out.
  package func selectionCount(of client: ClientID) throws(StoreError) -> Int {
    try count(FetchQuery(includesHidden: true), .selection(client, location: false))
  }

  /// One client, or nil where it is unknown.
  package func client(_ id: ClientID) throws(StoreError) -> ClientRecord? {
    try connection.first(SQL(ClientSQL.one, .text(id.rawValue))) { (row) throws(StoreError) in
      try Self.record(row)
    }
  }

  private static func record(_ row: Statement) throws(StoreError) -> ClientRecord {
    guard let id = ClientID(row.text(0)),
      let readWrite = AuthorizationStatus(rawValue: row.int(1)),
      let addOnly = AuthorizationStatus(rawValue: row.int(2))
    else {
      throw StoreError(code: .damaged, message: "the library's record of a client is damaged")
    }
    return ClientRecord(
      id: id, readWrite: readWrite, addOnly: addOnly, location: row.bool(3),
      requestedAt: row.optionalInt64(4).map { Instant(nanoseconds: $0) },
      answeredAt: row.optionalInt64(5).map { Instant(nanoseconds: $0) })
  }

  /// A client's stored selection in date order, oldest first, whatever its status; the trash left
  /// out.
  package func selection(of client: ClientID) throws(StoreError) -> [AssetID] {
    try identifiers(
      FetchQuery(includesHidden: true), .selection(client, location: false)
    ).ids
  }

  /// The client's row number, which never leaves the store.
  func row(of client: ClientID) throws(StoreError) -> Int64? {
    try connection.first(SQL(ClientSQL.row, .text(client.rawValue))) { $0.int64(0) }
  }
}

enum ClientSQL {
  private static let columns =
    "id, read_write, add_only, location, requested_at, answered_at"
  static let all = "SELECT \(columns) FROM clients ORDER BY id"
  static let one = "SELECT \(columns) FROM clients WHERE id = ?"
  static let row = "SELECT row FROM clients WHERE id = ?"
  static let insert = "INSERT OR IGNORE INTO clients (id) VALUES (?)"
  static let readWrite = "SELECT read_write FROM clients WHERE row = ?"
  static let location = "SELECT location FROM clients WHERE row = ?"
  static let setReadWrite = "UPDATE clients SET read_write = ? WHERE row = ?"
  static let setAddOnly = "UPDATE clients SET add_only = ? WHERE row = ?"
  static let setLocation = "UPDATE clients SET location = ? WHERE row = ?"
  static let setAnswered = """
    UPDATE clients
    SET answered_at = CASE WHEN read_write = 0 AND add_only = 0 THEN NULL ELSE ? END
    WHERE row = ?
    """
}
