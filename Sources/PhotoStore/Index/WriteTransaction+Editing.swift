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
      guard let (row, old) = try editable(id, visibility) else {
        throw StoreError(code: .noSuchAsset, message: "no such asset")
      }
      var new = old
      new.created = date.instant.nanoseconds
      try connection.run(
        EditingSQL.setCreationDate, .int(new.created),
        .int(date.wallClock.nanosecondsSince1970), .int(date.offset.minutes),
        .bool(date.isOffsetKnown), .int(date.source.rawValue),
        .int(environment.now().nanoseconds), .int(row))
      try connection.run(SelectionSQL.move, .int(new.created), .int(row))
      try history.append(.changed, id, row: row, old: old, new: new)
    }
  }

  /// The row and place in date order of an asset that the caller sees.
  private func editable(
    _ id: AssetID, _ visibility: Visibility
  ) throws(StoreError) -> (Int64, SortPosition)? {
    guard var visible = VisibleAssets(visibility) else { return nil }
    visible.require(id)
    return try connection.first(visible.select("a.row, a.created, a.name_key")) {
      ($0.int64(0), SortPosition(created: $0.int64(1), nameKey: $0.blob(2)))
    }
  }
}

enum EditingSQL {
  static let setCreationDate = """
    UPDATE assets
    SET created = ?, created_wall = ?, created_offset = ?, offset_known = ?, created_source = ?,
      modified = ?
    WHERE row = ?
    """
}
