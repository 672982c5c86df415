package import PhotoModel

/// Removing, restoring and purging of assets.
///
/// In the trash an asset keeps its place in selections and albums, so that restoring brings all back.
extension WriteTransaction {
  /// Puts assets into the trash, all of them or none; to every reader but the owner's list of the trash they are
  /// gone.
  ///
  /// - Parameters:
  ///   - ids: the assets.
  ///   - visibility: what the caller sees; it removes nothing else.
  /// - Throws: `noSuchAsset` if one is not visible to the caller; then nothing has changed.
  package func trash(_ ids: [AssetID], _ visibility: Visibility) throws(StoreError) {
    // Named twice, an asset is gone the second time.
    var seen: Set<AssetID> = []
    for id in ids where seen.insert(id).inserted {
      let (row, position) = try editable(id, visibility)
      try connection.run(TrashSQL.trash, .int(now.nanoseconds), .int(row))
      try history.append(.removed, id, row: row, old: position, new: nil)
    }
  }

  /// Takes assets out of the trash, all of them or none.
  ///
  /// - Throws: `noSuchAsset` if one does not lie in the trash; then nothing has changed.
  package func restore(_ ids: [AssetID]) throws(StoreError) {
    var seen: Set<AssetID> = []
    for id in ids where seen.insert(id).inserted {
      let found = try connection.first(SQL(TrashSQL.one, .blob(id.bytes))) {
        (row: $0.int64(0), position: SortPosition(created: $0.int64(1), nameKey: $0.blob(2)))
      }
      guard let (row, position) = found else {
        throw StoreError(
          code: .noSuchAsset, message: "there is no asset \(id.uuidString) in the trash")
      }
      try connection.run(TrashSQL.restore, .int(row))
      try history.append(.inserted, id, row: row, old: nil, new: position)
    }
  }

  /// Whether a client added each of the assets itself.
  package func areOwn(_ ids: [AssetID], of client: ClientID) throws(StoreError) -> Bool {
    for id in ids {
      let isOwn = try connection.integer(
        TrashSQL.isOwn, .blob(id.bytes), .text(client.rawValue))
      guard isOwn != 0 else { return false }
    }
    return true
  }

  /// Forgets assets of the trash for good.
  func forget(_ rows: [Int64]) throws(StoreError) {
    for row in rows {
      try connection.run(TrashSQL.deselect, .int(row))
      try connection.run(TrashSQL.leaveAlbums, .int(row))
      try connection.run(TrashSQL.forget, .int(row))
    }
  }
}

extension ReadTransaction {
  /// What lies in the trash, that which was removed last first.
  package func trash() throws(StoreError) -> [(id: AssetID, trashed: Instant)] {
    try connection.all(SQL(TrashSQL.list)) { (row) throws(StoreError) in
      (id: try AssetRow.id(row, 0), trashed: Instant(nanoseconds: row.int64(1)))
    }
  }
}

enum TrashSQL {
  static let trash = "UPDATE assets SET trashed = ? WHERE row = ?"
  static let one =
    "SELECT row, created, name_key FROM assets WHERE uuid = ? AND trashed IS NOT NULL"
  static let restore = "UPDATE assets SET trashed = NULL WHERE row = ?"
  static let list = """
    SELECT uuid, trashed FROM assets WHERE trashed IS NOT NULL ORDER BY trashed DESC, uuid
    """
  static let isOwn = "SELECT EXISTS (SELECT 1 FROM assets WHERE uuid = ? AND added_by = ?)"
  static let old = """
    SELECT row, sha256, format, byte_size FROM assets
    WHERE trashed IS NOT NULL AND trashed <= ? ORDER BY trashed LIMIT 1000
    """
  static let deselect = "DELETE FROM selections WHERE asset = ?"
  static let leaveAlbums = "DELETE FROM album_assets WHERE asset = ?"
  static let forget = "DELETE FROM assets WHERE row = ?"
}
