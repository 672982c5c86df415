package import PhotoModel

/// A consistent state of the index; valid only within the call that hands it out.
package struct ReadTransaction {
  let connection: Connection
  /// The files beside the index, which only statistics ask for.
  let files: StoreFiles?

  init(connection: Connection, files: StoreFiles? = nil) {
    self.connection = connection
    self.files = files
  }

  // MARK: Fetching

  /// The identifiers of the visible assets that meet the query, in its order.
  package func identifiers(
    _ query: FetchQuery, _ visibility: Visibility
  ) throws(StoreError) -> PackedIDs {
    guard let sql = FetchSQL.identifiers(query, visibility) else { return PackedIDs([]) }
    var packed: [UInt8] = []
    try connection.each(sql) { $0.appendIdentifier(0, to: &packed) }
    return PackedIDs(packed: packed)
  }

  /// How many identifiers the query would give.
  package func count(_ query: FetchQuery, _ visibility: Visibility) throws(StoreError) -> Int {
    guard let sql = FetchSQL.count(query, visibility) else { return 0 }
    return try connection.first(sql) { $0.int(0) } ?? 0
  }

  /// One entry for each identifier, nil where nothing visible has it.
  ///
  /// Hidden assets are included, being asked for by identifier.
  ///
  /// - Parameters:
  ///   - ids: whole identifiers, in the order of the answer.
  ///   - visibility: what the reader may see.
  ///   - dateCandidates: whether to fill in all dates that were found in the file.
  /// - Returns: as many entries as identifiers.
  /// - Throws: `damaged` where a record holds what this program never writes; `io`.
  package func assets(
    _ ids: [AssetID], _ visibility: Visibility, dateCandidates: Bool
  ) throws(StoreError) -> [Asset?] {
    let columns = AssetColumns.list(visibility, dateCandidates: dateCandidates)
    var assets: [Asset?] = []
    assets.reserveCapacity(ids.count)
    guard var visible = VisibleAssets(visibility), let first = ids.first else {
      return ids.map { _ in nil }
    }
    // One text for all of them; the identifier is its last parameter.
    visible.require(first)
    var sql = visible.select(columns)
    for id in ids {
      sql.values[sql.values.count - 1] = .blob(id.bytes)
      assets.append(
        try connection.first(sql) { (row) throws(StoreError) in
          try AssetRow.read(row, id: id, visibility)
        })
    }
    return assets
  }

  /// Visible identifiers that begin with these hexadecimal digits, in order.
  ///
  /// - Parameters:
  ///   - prefix: 1 to 32 digits without dashes, in any case; anything else matches nothing.
  ///   - limit: at most so many.
  ///   - visibility: what the reader may see.
  /// - Returns: the identifiers, in ascending order.
  /// - Throws: `damaged` or `io` where the index cannot be read.
  package func identifiers(
    prefix: String, limit: Int, _ visibility: Visibility
  ) throws(StoreError) -> [AssetID] {
    let digits = prefix.lowercased()
    guard (1...32).contains(digits.utf8.count), var visible = VisibleAssets(visibility),
      let first = [UInt8](hexadecimal: Substring(Self.padded(digits, with: "0"))),
      let last = [UInt8](hexadecimal: Substring(Self.padded(digits, with: "f")))
    else { return [] }
    visible.conditions.append(
      SQL("\(visible.uuid) BETWEEN ? AND ?", .blob(first), .blob(last)))
    let suffix = SQL(" ORDER BY \(visible.uuid) LIMIT ?", .int(max(0, limit)))
    return try connection.all(visible.select(visible.uuid, suffix: suffix)) {
      (row) throws(StoreError) in try AssetRow.id(row, 0)
    }
  }

  private static func padded(_ digits: String, with digit: String) -> String {
    digits + String(repeating: digit, count: 32 - digits.utf8.count)
  }

  /// Visible assets with these bytes, in the order of adding.
  ///
  /// For a reader without the permission for places these are the redacted bytes, so that a guess
  /// at the original's cannot be confirmed.
  package func identifiers(
    sha256: [UInt8], _ visibility: Visibility
  ) throws(StoreError) -> [AssetID] {
    guard var visible = VisibleAssets(visibility) else { return [] }
    let column = visibility.includesLocation ? "a.sha256" : AssetColumns.redacted("sha256")
    visible.conditions.append(SQL("\(column) = ?", .blob(sha256)))
    return try connection.all(
      visible.select(visible.uuid, suffix: SQL(" ORDER BY a.added"))
    ) { (row) throws(StoreError) in try AssetRow.id(row, 0) }
  }

  /// What thumbnails and bytes of an asset are made from; nil where it is not visible.
  package func original(
    _ id: AssetID, _ visibility: Visibility
  ) throws(StoreError) -> OriginalReference? {
    try originals([id], visibility)[0]
  }

  /// As `original(_:_:)`, one entry for each identifier.
  package func originals(
    _ ids: [AssetID], _ visibility: Visibility
  ) throws(StoreError) -> [OriginalReference?] {
    guard let first = ids.first, var visible = VisibleAssets(visibility) else {
      return ids.map { _ in nil }
    }
    // One text for all of them; the identifier is its last parameter.
    visible.require(first)
    var sql = visible.select(AssetColumns.original)
    var originals: [OriginalReference?] = []
    originals.reserveCapacity(ids.count)
    for id in ids {
      sql.values[sql.values.count - 1] = .blob(id.bytes)
      originals.append(
        try connection.first(sql) { (row) throws(StoreError) in
          try AssetRow.readOriginal(row, id: id)
        })
    }
    return originals
  }
}
