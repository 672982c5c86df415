package import PhotoModel

/// Selections may be edited whatever the client's status is: the stored selection outlives a switch
/// to full access. A client that is unknown is made, with nothing determined.
extension WriteTransaction {
  /// Makes exactly these assets the client's selection.
  ///
  /// - Returns: how many assets came and went, as the client sees it.
  /// - Throws: `noSuchAsset` if one does not exist or lies in the trash; then nothing has changed.
  package func replaceSelection(
    of client: ClientID, with ids: [AssetID]
  ) throws(StoreError) -> (added: Int, removed: Int) {
    let wanted = try existing(ids)
    let row = try makeClient(client)
    let old = try connection.all(SQL(SelectionSQL.stored, .int(row))) {
      (row) throws(StoreError) in try AssetRow.id(row, 0)
    }
    let kept = Set(wanted.map(\.id))
    let removed = try remove(old.filter { !kept.contains($0) }, row)
    return (try add(wanted, row), removed)
  }

  /// Adds assets to the client's selection.
  ///
  /// - Returns: how many were not in it before.
  /// - Throws: `noSuchAsset` if one does not exist or lies in the trash; then nothing has changed.
  package func addToSelection(
    of client: ClientID, _ ids: [AssetID]
  ) throws(StoreError) -> Int {
    let wanted = try existing(ids)
    return try add(wanted, try makeClient(client))
  }

  /// Takes assets from the client's selection.
  ///
  /// - Returns: how many were in it.
  /// - Throws: `noSuchAsset` if one does not exist or lies in the trash; then nothing has changed.
  package func removeFromSelection(
    of client: ClientID, _ ids: [AssetID]
  ) throws(StoreError) -> Int {
    let wanted = try existing(ids)
    return try remove(wanted.map(\.id), try makeClient(client))
  }

  struct SelectableAsset {
    let id: AssetID
    let row: Int64
    let position: SortPosition
  }

  private func existing(_ ids: [AssetID]) throws(StoreError) -> [SelectableAsset] {
    var assets: [SelectableAsset] = []
    assets.reserveCapacity(ids.count)
    for id in ids {
      let asset = try connection.first(SQL(SelectionSQL.selectable, .blob(id.bytes))) {
        SelectableAsset(
          id: id, row: $0.int64(0),
          position: SortPosition(created: $0.int64(1), nameKey: $0.blob(2)))
      }
      guard let asset else {
        throw StoreError(code: .noSuchAsset, message: "there is no asset \(id.uuidString)")
      }
      assets.append(asset)
    }
    return assets
  }

  /// Selects assets that exist, with their events; returns how many were not selected before.
  func add(_ assets: [SelectableAsset], _ client: Int64) throws(StoreError) -> Int {
    var added = 0
    for asset in assets {
      try connection.run(
        SelectionSQL.insert, .int(client), .blob(asset.id.bytes), .int(asset.position.created),
        .blob(asset.position.nameKey), .int(asset.row))
      guard connection.changeCount > 0 else { continue }
      added += 1
      try history.append(.inserted, asset.id, client: client, old: nil, new: asset.position)
    }
    return added
  }

  private func remove(_ ids: [AssetID], _ client: Int64) throws(StoreError) -> Int {
    var removed = 0
    for id in ids {
      let found = try connection.first(
        SQL(SelectionSQL.one, .int(client), .blob(id.bytes))
      ) { (SortPosition(created: $0.int64(0), nameKey: $0.blob(1)), isTrashed: $0.bool(2)) }
      guard let found else { continue }
      try connection.run(SelectionSQL.delete, .int(client), .blob(id.bytes))
      // What lies in the trash has gone from the client's sight already.
      guard !found.isTrashed else { continue }
      removed += 1
      try history.append(.removed, id, client: client, old: found.0, new: nil)
    }
    return removed
  }
}

enum SelectionSQL {
  static let selectable = """
    SELECT row, created, name_key FROM assets WHERE uuid = ? AND trashed IS NULL
    """
  static let stored = "SELECT uuid FROM selections WHERE client = ?"
  static let visible = """
    SELECT s.uuid FROM selections AS s CROSS JOIN assets AS a ON a.row = s.asset
    WHERE s.client = ? AND a.trashed IS NULL
    """
  static let one = """
    SELECT s.created, s.name_key, a.trashed IS NOT NULL
    FROM selections AS s CROSS JOIN assets AS a ON a.row = s.asset
    WHERE s.client = ? AND s.uuid = ?
    """
  static let clientsOfAsset = "SELECT client FROM selections WHERE asset = ? ORDER BY client"
  static let insert = """
    INSERT OR IGNORE INTO selections (client, uuid, created, name_key, asset)
    VALUES (?, ?, ?, ?, ?)
    """
  static let delete = "DELETE FROM selections WHERE client = ? AND uuid = ?"
  static let move = "UPDATE selections SET created = ? WHERE asset = ?"
}
