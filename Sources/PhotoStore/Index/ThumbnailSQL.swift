import PhotoModel

/// The statements of `thumbnails.sqlite`.
enum ThumbnailSQL {
  /// The version of the file (PRAGMA user_version); a file of any other is thrown away.
  static let version: Int64 = 1
  /// "PhTh" (PRAGMA application_id).
  static let applicationID: Int64 = 0x5068_5468

  /// A rowid with a unique key: pictures stay out of the key's tree, which is twice as fast to
  /// fill.
  private static let schema = """
    CREATE TABLE thumbnails (
      row INTEGER PRIMARY KEY,
      key BLOB NOT NULL UNIQUE,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      warning TEXT,
      checksum BLOB NOT NULL,
      data BLOB NOT NULL
    ) STRICT;
    """

  static let count = "SELECT count(*) FROM thumbnails"
  static let delete = "DELETE FROM thumbnails WHERE key = ?"
  private static let select = """
    SELECT width, height, warning, checksum, data FROM thumbnails WHERE key = ?
    """
  private static let insert = """
    INSERT OR REPLACE INTO thumbnails (key, width, height, warning, checksum, data)
    VALUES (?, ?, ?, ?, ?, ?)
    """

  /// Makes the table in a new file; refuses a file that is another's or of another version.
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
    case found(Thumbnail)
  }

  static func find(_ key: [UInt8], _ connection: Connection) throws(StoreError) -> Found {
    let found = try connection.first(SQL(select, .blob(key))) { (row) throws(StoreError) in
      let size = PixelSize(width: row.int(0), height: row.int(1))
      let thumbnail = Thumbnail(
        data: row.blob(4), size: size, source: .cache, warning: row.optionalText(2))
      let isIntact = try row.blob(3) == checksum(key, thumbnail)
      return isIntact ? Found.found(thumbnail) : .damaged
    }
    return found ?? .missing
  }

  static func store(
    _ key: [UInt8], _ thumbnail: Thumbnail, _ connection: Connection
  ) throws(StoreError) {
    try connection.run(
      insert, .blob(key), .int(thumbnail.size.width), .int(thumbnail.size.height),
      .optional(thumbnail.warning), .blob(try checksum(key, thumbnail)), .blob(thumbnail.data))
  }

  /// Over everything in the row, the key included: a picture under a wrong key would be another
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
