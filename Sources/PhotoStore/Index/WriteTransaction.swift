package import PhotoModel

/// The one write transaction of the moment; valid only within the call that hands it out.
package struct WriteTransaction {
  let connection: Connection
  let environment: StoreEnvironment
  let history: HistoryWriter
  /// The time of all that the transaction does: read once, since what two readings differ by would tell a client
  /// how much was done to assets that it does not see.
  let now: Instant

  init(_ connection: Connection, _ environment: StoreEnvironment) throws(StoreError) {
    self.connection = connection
    self.environment = environment
    now = environment.now()
    history = try HistoryWriter(connection, now: now)
  }

  /// The same transaction's reads: they see what it has written so far.
  package var reading: ReadTransaction { ReadTransaction(connection: connection) }

  /// Decides on a client's access, and makes the client if it is new (both levels not determined,
  /// no location).
  ///
  /// nil leaves a value as it is. Answers what the client asked about a level that is decided by it.
  package func setAccess(
    _ client: ClientID, readWrite: AuthorizationStatus?, addOnly: AuthorizationStatus?,
    location: Bool?
  ) throws(StoreError) {
    let row = try makeClient(client)
    if let readWrite {
      let raw = try connection.integer(ClientSQL.readWrite, .int(row))
      let old = AuthorizationStatus(rawValue: Int(raw)) ?? .notDetermined
      try connection.run(ClientSQL.setReadWrite, .int(readWrite.rawValue), .int(row))
      try history.switchLevel(
        of: row, from: ReadingLevel(old), to: ReadingLevel(readWrite))
    }
    if let addOnly {
      try connection.run(ClientSQL.setAddOnly, .int(addOnly.rawValue), .int(row))
    }
    if let location { try setLocation(location, of: row) }
    if readWrite != nil || addOnly != nil {
      try connection.run(
        ClientSQL.setAnswered, .int(now.nanoseconds), .int(row))
      if let record = try reading.client(client) {
        let levels = [readWrite.map { _ in .readWrite }, addOnly.map { _ in AccessLevel.addOnly }]
        try settleRequests(of: row, record, decided: Set(levels.compactMap(\.self)))
      }
    }
  }

  private func setLocation(_ location: Bool, of client: Int64) throws(StoreError) {
    guard try connection.integer(ClientSQL.location, .int(client)) != (location ? 1 : 0) else {
      return
    }
    try connection.run(ClientSQL.setLocation, .bool(location), .int(client))
    let status = AuthorizationStatus(
      rawValue: Int(try connection.integer(ClientSQL.readWrite, .int(client))))
    try history.switchLocation(of: client, at: ReadingLevel(status ?? .notDetermined))
  }

  /// The client's row number, made if the client is new.
  func makeClient(_ client: ClientID) throws(StoreError) -> Int64 {
    if let row = try reading.row(of: client) { return row }
    try connection.run(ClientSQL.insert, .text(client.rawValue))
    guard let row = try reading.row(of: client) else {
      throw StoreError(code: .damaged, message: "the library's record of a client is damaged")
    }
    return row
  }

  /// Changes the library's time zone and recomputes the instants of all assets without an offset of
  /// their own, those in the trash included.
  ///
  /// - Parameters:
  ///   - name: the zone's name, which is recorded as it is.
  ///   - offset: the zone's difference from UTC at a wall clock.
  /// - Throws: `damaged` where a record holds what this program never writes; `noSpace`, `io`.
  package func setTimeZone(
    _ name: String, offset: (WallClock) -> UTCOffset
  ) throws(StoreError) {
    try connection.run(LibrarySQL.setTimeZone, .text(name))
    var last: Int64 = 0
    while true {
      // In batches, so that memory does not grow with the library.
      let batch = try connection.all(SQL(LibrarySQL.floating, .int(last))) {
        (row) throws(StoreError) in
        FloatingDate(
          row: row.int64(0), id: try AssetRow.id(row, 1), wall: row.int64(2),
          position: SortPosition(created: row.int64(3), nameKey: row.blob(4)),
          offset: row.int(5), isTrashed: row.bool(6))
      }
      guard let end = batch.last else { return }
      last = end.row
      for asset in batch { try move(asset, offset) }
    }
  }

  private struct FloatingDate {
    let row: Int64
    let id: AssetID
    let wall: Int64
    let position: SortPosition
    let offset: Int
    let isTrashed: Bool
  }

  private func move(
    _ asset: FloatingDate, _ offset: (WallClock) -> UTCOffset
  ) throws(StoreError) {
    guard let wall = WallClock(nanosecondsSince1970: asset.wall) else {
      throw AssetRow.damaged(asset.id)
    }
    let offset = offset(wall)
    let instant = wall.instant(at: offset).nanoseconds
    guard offset.minutes != asset.offset || instant != asset.position.created else { return }
    try connection.run(
      LibrarySQL.moveAsset, .int(instant), .int(offset.minutes),
      .int(now.nanoseconds), .int(asset.row))
    try connection.run(SelectionSQL.move, .int(instant), .int(asset.row))
    guard !asset.isTrashed else { return }
    var moved = asset.position
    moved.created = instant
    try history.append(
      .changed, asset.id, row: asset.row, old: asset.position, new: moved)
  }
}

enum LibrarySQL {
  static let insert = """
    INSERT INTO library (one, uuid, created, time_zone, token_key, last_sequence, last_added)
    VALUES (1, ?, ?, ?, ?, 0, 0)
    """
  static let tokenKey = "SELECT token_key FROM library"
  static let timeZone = "SELECT time_zone FROM library"
  static let setTimeZone = "UPDATE library SET time_zone = ?"
  static let floating = """
    SELECT row, uuid, created_wall, created, name_key, created_offset, trashed IS NOT NULL
    FROM assets WHERE row > ? AND offset_known = 0 ORDER BY row LIMIT 1000
    """
  static let moveAsset = """
    UPDATE assets SET created = ?, created_offset = ?, modified = ? WHERE row = ?
    """
}
