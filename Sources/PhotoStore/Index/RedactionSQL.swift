import PhotoModel

extension ReadTransaction {
  /// Originals of which this version's redacted bytes are not known yet, in the order of adding; one of
  /// several assets of the same content.
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
      RedactionSQL.missing, .int(LocationRedaction.version), .int(place), .int(max(0, limit)))
    return try connection.all(sql) { (row) throws(StoreError) in
      (row.int64(7), try AssetRow.readOriginal(row, id: try AssetRow.id(row, 6)))
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
}

enum RedactionSQL {
  static let missing = """
    SELECT \(AssetColumns.original), a.uuid, MIN(a.added) AS place FROM assets AS a
    WHERE a.redaction_version IS NOT ? AND a.trashed IS NULL
    GROUP BY a.sha256 HAVING place > ? ORDER BY place LIMIT ?
    """
  static let set = """
    UPDATE assets SET redacted_sha256 = ?, redacted_size = ?, redaction_version = ?
    WHERE sha256 = ?
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
