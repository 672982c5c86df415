import PhotoModel

extension ReadTransaction {
  /// Originals of which this version has not tried to know the redacted bytes, in the order of adding; one
  /// of several assets of the same content.
  ///
  /// - Parameters:
  ///   - place: of the last one that was looked at, to go on behind it; the least for the first.
  ///   - limit: how many at most.
  /// - Returns: The originals with their places in the order.
  /// - Throws: Where the index cannot be read.
  package func originalsWithoutRedaction(
    after place: Int64 = .min, limit: Int
  ) throws(StoreError) -> [(place: Int64, original: OriginalReference)] {
    let sql = SQL(
      RedactionSQL.missing, .int(LocationRedaction.version), .int(RedactionSQL.failedVersion),
      .int(place), .int(max(0, limit)))
    return try connection.all(sql) { (row) throws(StoreError) in
      (row.int64(7), try AssetRow.readOriginal(row, id: try AssetRow.id(row, 6)))
    }
  }

  /// Originals of which this version tried in vain to know the redacted bytes.
  ///
  /// - Parameter limit: how many at most; of more any, so that in time all are looked at.
  /// - Returns: The originals with the states of their files at that time.
  /// - Throws: Where the index cannot be read.
  package func originalsWithFailedRedaction(
    limit: Int
  ) throws(StoreError) -> [(original: OriginalReference, state: Int64?)] {
    let sql = SQL(RedactionSQL.failed, .int(RedactionSQL.failedVersion), .int(max(0, limit)))
    return try connection.all(sql) { (row) throws(StoreError) in
      (try AssetRow.readOriginal(row, id: try AssetRow.id(row, 6)), row.optionalInt64(7))
    }
  }
}

extension WriteTransaction {
  /// Records the redacted bytes of a content, for all assets that are made from it.
  ///
  /// What a record says of an asset's bytes is no change of the asset: no history is written.
  package func setRedaction(
    of sha256: [UInt8], _ redacted: RedactedOriginal
  ) throws(StoreError) {
    var sql = SQL(RedactionSQL.set)
    sql.values = RedactionSQL.columns(redacted) + [.blob(sha256)]
    try connection.each(sql) { _ in }
  }

  /// Records that this version could not know the redacted bytes of a content while its file was in a
  /// state (`Store.fileState(of:)`).
  package func setRedactionFailure(of sha256: [UInt8], state: Int64?) throws(StoreError) {
    let sql = SQL(
      RedactionSQL.fail, .optional(state), .int(RedactionSQL.failedVersion), .blob(sha256),
      .int(LocationRedaction.version))
    try connection.each(sql) { _ in }
  }
}

enum RedactionSQL {
  /// What stands for the version where it failed; the size is the state of the file then.
  static let failedVersion = -LocationRedaction.version

  static let missing = """
    SELECT \(AssetColumns.original), a.uuid, MIN(a.added) AS place FROM assets AS a
    WHERE a.redaction_version IS NOT ? AND a.redaction_version IS NOT ? AND a.trashed IS NULL
    GROUP BY a.sha256 HAVING place > ? ORDER BY place LIMIT ?
    """
  static let failed = """
    SELECT \(AssetColumns.original), a.uuid, a.redacted_size FROM assets AS a
    WHERE a.redaction_version = ? AND a.trashed IS NULL
    GROUP BY a.sha256 ORDER BY RANDOM() LIMIT ?
    """
  static let set = """
    UPDATE assets SET redacted_sha256 = ?, redacted_size = ?, redaction_version = ?
    WHERE sha256 = ?
    """

  // Another process may know them meanwhile.
  static let fail = """
    UPDATE assets SET redacted_sha256 = NULL, redacted_size = ?, redaction_version = ?
    WHERE sha256 = ? AND redaction_version IS NOT ?
    """

  /// The values of the three columns.
  static func columns(_ redacted: RedactedOriginal?) -> [SQLValue] {
    let content = redacted?.content
    return [
      content.map { .blob($0.sha256) } ?? .null, .optional(content?.byteSize),
      .optional(redacted.map { Int64($0.version) }),
    ]
  }
}
