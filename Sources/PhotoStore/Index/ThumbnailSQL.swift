import PhotoModel

/// The statements of `thumbnails.sqlite`.
enum ThumbnailSQL {
  /// The version of the file (PRAGMA user_version); a file of any other is thrown away.
  static let version: Int64 = 3
  /// "PhTh" (PRAGMA application_id).
  static let applicationID: Int64 = 0x5068_5468
  /// What `bytes` of an entry counts for its row and its place in the trees.
  private static let overhead: Int64 = 300

  /// Keys and pictures stand apart: finding the oldest entries, and noting that one was used, then
  /// touch small rows alone.
  private static let schema = """
    CREATE TABLE entries (
      key BLOB PRIMARY KEY,
      picture INTEGER NOT NULL,
      content BLOB NOT NULL,
      used INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entries_by_content ON entries (content);
    CREATE TABLE pictures (
      row INTEGER PRIMARY KEY,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      warning TEXT,
      checksum BLOB NOT NULL,
      data BLOB NOT NULL
    ) STRICT;
    CREATE TABLE settings (
      row INTEGER PRIMARY KEY CHECK (row = 1),
      byte_limit INTEGER NOT NULL
    ) STRICT;
    """

  static let count = "SELECT count(*) FROM entries"
  static let limit = "SELECT byte_limit FROM settings"
  static let setLimit = """
    INSERT INTO settings (row, byte_limit) VALUES (1, ?)
    ON CONFLICT (row) DO UPDATE SET byte_limit = excluded.byte_limit
    """
  static let clear = "DELETE FROM entries; DELETE FROM pictures;"
  /// Gives the free pages back to the file system: first to the log, then out of the file.
  static let shrink = "PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE);"
  /// Notes a use; only forwards, since processes may come late with theirs.
  static let touch = "UPDATE entries SET used = ?1 WHERE key = ?2 AND used < ?1"

  private static let pageSize = "PRAGMA page_size"
  private static let pageCount = "PRAGMA page_count"
  private static let freePages = "PRAGMA freelist_count"
  private static let select = """
    SELECT p.width, p.height, p.warning, p.checksum, p.data, e.used
    FROM entries AS e CROSS JOIN pictures AS p ON p.row = e.picture WHERE e.key = ?
    """
  private static let insertPicture = """
    INSERT INTO pictures (width, height, warning, checksum, data) VALUES (?, ?, ?, ?, ?)
    RETURNING row
    """
  private static let insertEntry = """
    INSERT INTO entries (key, picture, content, used, bytes) VALUES (?, ?, ?, ?, ?)
    """
  /// The keys of all that was made from the bytes of this SHA-256.
  static let keysOfContent = "SELECT key FROM entries WHERE content = ?"
  /// The least recently used entries that together have at least so many bytes.
  private static let oldest = """
    SELECT key FROM (
      SELECT key, sum(bytes) OVER (ORDER BY used, picture) - bytes AS before FROM entries)
    WHERE before < ?
    """
  private static let sum = "SELECT coalesce(sum(bytes), 0) FROM entries"
  private static let deletePicture = """
    DELETE FROM pictures WHERE row = (SELECT picture FROM entries WHERE key = ?)
    """
  private static let deleteEntry = "DELETE FROM entries WHERE key = ?"

  /// Makes the tables in a new file; refuses a file that is another's or of another version.
  static func prepare(_ connection: Connection) throws(StoreError) {
    if try connection.integer(MigrationSQL.version) == 0 {
      try connection.transaction(writing: true) { () throws(StoreError) in
        guard try connection.integer(MigrationSQL.version) == 0 else { return }
        try connection.execute(schema)
        try connection.execute(MigrationSQL.setVersion(version))
        try connection.execute(MigrationSQL.setApplication(applicationID))
      }
    }
    guard try connection.integer(MigrationSQL.application) == applicationID,
      try connection.integer(MigrationSQL.version) == version
    else {
      throw StoreError(code: .damaged, message: "the thumbnail cache is of another version")
    }
  }

  enum Found {
    case missing
    case damaged
    /// The picture, and when its use was last noted, in seconds since 1970.
    case found(Thumbnail, used: Int64)
  }

  static func find(_ key: [UInt8], _ connection: Connection) throws(StoreError) -> Found {
    let found = try connection.first(SQL(select, .blob(key))) { (row) throws(StoreError) in
      let size = PixelSize(width: row.int(0), height: row.int(1))
      let thumbnail = Thumbnail(
        data: row.blob(4), size: size, source: .cache, warning: row.optionalText(2))
      let isIntact = try row.blob(3) == checksum(key, thumbnail)
      return isIntact ? Found.found(thumbnail, used: row.int64(5)) : .damaged
    }
    return found ?? .missing
  }

  static func store(
    _ thumbnail: Thumbnail, as key: ThumbnailKey, used: Int64, _ connection: Connection
  ) throws(StoreError) {
    let content = key.sha256
    let key = try key.digest()
    try delete(key, connection)
    var picture = SQL(insertPicture)
    picture.values = [
      .int(thumbnail.size.width), .int(thumbnail.size.height), .optional(thumbnail.warning),
      .blob(try checksum(key, thumbnail)), .blob(thumbnail.data),
    ]
    guard let row = try connection.first(picture, { $0.int64(0) }) else { return }
    try connection.run(
      insertEntry, .blob(key), .int(row), .blob(content), .int(used), .int(bytes(of: thumbnail)))
  }

  static func delete(_ key: [UInt8], _ connection: Connection) throws(StoreError) {
    try connection.run(deletePicture, .blob(key))
    try connection.run(deleteEntry, .blob(key))
  }

  /// What an entry counts for: with an eighth for what stays empty of its pages.
  static func bytes(of thumbnail: Thumbnail) -> Int64 {
    let bytes = Int64(thumbnail.data.count) + Int64(thumbnail.warning?.utf8.count ?? 0)
    return bytes + bytes / 8 + overhead
  }

  /// The bytes of the pages in use, as they are inside the transaction.
  static func bytesInUse(_ connection: Connection) throws(StoreError) -> Int64 {
    let pages = try connection.integer(pageCount) - connection.integer(freePages)
    return try pages.multipliedClamped(by: connection.integer(pageSize))
  }

  /// Removes the least recently used entries until the pages in use have at most so many bytes.
  static func evict(downTo bytes: Int64, _ connection: Connection) throws(StoreError) {
    while true {
      let inUse = try bytesInUse(connection)
      guard inUse > bytes else { return }
      // How full their pages are shows only in all of them.
      let counted = try Double(connection.integer(sum))
      let excess = max(1, Double(inUse - bytes) / Double(inUse) * counted)
      let keys = try connection.all(SQL(oldest, .double(excess))) { $0.blob(0) }
      // What is left is the trees themselves.
      if keys.isEmpty { return }
      for key in keys { try delete(key, connection) }
    }
  }

  /// Over everything that is shown, the key included: a picture under a wrong key would be another
  /// client's.
  private static func checksum(
    _ key: [UInt8], _ thumbnail: Thumbnail
  ) throws(StoreError) -> [UInt8] {
    let hash = try ContentHash()
    try hash.update(key.span)
    let size = "\(thumbnail.size.width) \(thumbnail.size.height) "
    let warning = thumbnail.warning.map { "w\($0.utf8.count) \($0)" } ?? "-"
    try hash.update(Array((size + warning).utf8).span)
    try hash.update(thumbnail.data.span)
    return try hash.finish()
  }
}
