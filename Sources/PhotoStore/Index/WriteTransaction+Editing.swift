package import PhotoModel

/// Changes of what is said of an asset; its original is never touched.
extension WriteTransaction {
  /// Sets when assets were taken, for all of them or none.
  ///
  /// The dates that were found in the files stay as they are, so nothing is lost.
  ///
  /// - Parameters:
  ///   - date: the new date.
  ///   - ids: the assets.
  ///   - visibility: what the caller sees; it changes nothing else.
  /// - Throws: `noSuchAsset` if one is not visible to the caller; then nothing has changed.
  package func setCreationDate(
    _ date: CreationDate, of ids: [AssetID], _ visibility: Visibility
  ) throws(StoreError) {
    for id in ids {
      let (row, old) = try editable(id, visibility)
      try setCreationDate(date, of: id, row: row, from: old)
    }
  }

  /// Sets when assets were taken to what the dates found in their files say, for all of them or none.
  ///
  /// - Parameters:
  ///   - ids: the assets.
  ///   - visibility: what the caller sees; it changes nothing else.
  ///   - choose: makes a date of all that were found in one file; there is at least one.
  /// - Throws: `noSuchAsset` as `setCreationDate` does; `damaged` where an asset's dates cannot be read.
  package func restoreCreationDate(
    of ids: [AssetID], _ visibility: Visibility, choose: ([DateCandidate]) -> CreationDate
  ) throws(StoreError) {
    for id in ids {
      let (row, old) = try editable(id, visibility)
      let bytes =
        try connection.first(SQL(EditingSQL.dateCandidates, .int(row))) { $0.blob(0) } ?? []
      let candidates = DateCandidateCoding.decode(bytes)
      guard !candidates.isEmpty else { throw AssetRow.damaged(id) }
      try setCreationDate(choose(candidates), of: id, row: row, from: old)
    }
  }

  /// Marks assets as favourites or not, all of them or none.
  ///
  /// - Throws: `noSuchAsset` if one is not visible to the caller; then nothing has changed.
  package func setFavorite(
    _ isFavorite: Bool, of ids: [AssetID], _ visibility: Visibility
  ) throws(StoreError) {
    try update(ids, visibility) { (row) in
      SQL(
        EditingSQL.setFavorite, .bool(isFavorite), .int(now.nanoseconds), .int(row),
        .bool(isFavorite))
    }
  }

  /// Hides assets or shows them, all of them or none.
  ///
  /// - Throws: `noSuchAsset` if one is not visible to the caller; then nothing has changed.
  package func setHidden(
    _ isHidden: Bool, of ids: [AssetID], _ visibility: Visibility
  ) throws(StoreError) {
    try update(ids, visibility) { (row) in
      SQL(EditingSQL.setHidden, .bool(isHidden), .int(now.nanoseconds), .int(row), .bool(isHidden))
    }
  }

  /// Sets where assets were taken, of all of them or none; what stands in their files stays.
  ///
  /// - Throws: `notPermitted` for a caller that may not know places: it would destroy what it does not see;
  ///   `noSuchAsset` if one is not visible to the caller. Then nothing has changed.
  package func setLocation(
    _ location: Location?, of ids: [AssetID], _ visibility: Visibility
  ) throws(StoreError) {
    guard visibility.includesLocation else {
      throw StoreError(
        code: .notPermitted, message: "this client is not permitted to know or change places")
    }
    let values: [SQLValue] = [
      .optional(location?.latitude), .optional(location?.longitude), .optional(location?.altitude),
    ]
    try update(ids, visibility) { (row) in
      var sql = SQL(EditingSQL.setLocation)
      sql.values = values + [.int(now.nanoseconds), .int(row)] + values
      return sql
    }
  }

  /// Runs a statement for each asset, and tells of those that it changed.
  private func update(
    _ ids: [AssetID], _ visibility: Visibility, _ sql: (Int64) -> SQL
  ) throws(StoreError) {
    for id in ids {
      let (row, position) = try editable(id, visibility)
      try connection.each(sql(row)) { _ in }
      guard connection.changeCount > 0 else { continue }
      try history.append(.changed, id, row: row, old: position, new: position)
    }
  }

  private func setCreationDate(
    _ date: CreationDate, of id: AssetID, row: Int64, from old: SortPosition
  ) throws(StoreError) {
    var new = old
    new.created = date.instant.nanoseconds
    try connection.run(
      EditingSQL.setCreationDate, .int(new.created),
      .int(date.wallClock.nanosecondsSince1970), .int(date.offset.minutes),
      .bool(date.isOffsetKnown), .int(date.source.rawValue),
      .int(now.nanoseconds), .int(row))
    try connection.run(SelectionSQL.move, .int(new.created), .int(row))
    try history.append(.changed, id, row: row, old: old, new: new)
  }

  /// The row and place in date order of an asset that the caller sees.
  func editable(
    _ id: AssetID, _ visibility: Visibility
  ) throws(StoreError) -> (row: Int64, position: SortPosition) {
    let noSuchAsset = StoreError(code: .noSuchAsset, message: "no such asset")
    guard var visible = VisibleAssets(visibility) else { throw noSuchAsset }
    visible.require(id)
    let found = try connection.first(visible.select("a.row, a.created, a.name_key")) {
      (row: $0.int64(0), position: SortPosition(created: $0.int64(1), nameKey: $0.blob(2)))
    }
    guard let found else { throw noSuchAsset }
    return found
  }
}

enum EditingSQL {
  static let setCreationDate = """
    UPDATE assets
    SET created = ?, created_wall = ?, created_offset = ?, offset_known = ?, created_source = ?,
      modified = ?
    WHERE row = ?
    """

  static let setFavorite =
    "UPDATE assets SET favorite = ?, modified = ? WHERE row = ? AND favorite <> ?"
  static let setHidden =
    "UPDATE assets SET hidden = ?, modified = ? WHERE row = ? AND hidden <> ?"
  static let setLocation = """
    UPDATE assets SET latitude = ?, longitude = ?, altitude = ?, modified = ?
    WHERE row = ? AND (latitude IS NOT ? OR longitude IS NOT ? OR altitude IS NOT ?)
    """

  static let dateCandidates = "SELECT date_candidates FROM assets WHERE row = ?"
}
