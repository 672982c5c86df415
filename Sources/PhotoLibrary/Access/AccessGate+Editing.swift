import ImageMetadata
package import PhotoModel
import PhotoStore

extension AccessGate {
  package func creationDate(
    _ wallClock: WallClock, offset: UTCOffset?
  ) throws(LibraryError) -> CreationDate {
    let zone = try importing.policy()
    return CreationDate(
      wallClock: wallClock, offset: offset ?? zone.offset(at: wallClock),
      isOffsetKnown: offset != nil, source: .edited)
  }

  package func setCreationDate(
    _ date: CreationDate, of ids: [AssetID]
  ) throws(LibraryError) {
    try edit { (transaction, visibility) throws(StoreError) in
      try transaction.setCreationDate(date, of: ids, visibility)
    }
  }

  package func restoreCreationDate(of ids: [AssetID]) throws(LibraryError) {
    let policy = try importing.policy()
    try edit { (transaction, visibility) throws(StoreError) in
      try transaction.restoreCreationDate(of: ids, visibility) { policy.choose($0) }
    }
  }

  /// Changes what this client sees, in one transaction.
  private func edit(
    _ body: (borrowing WriteTransaction, Visibility) throws(StoreError) -> Void
  ) throws(LibraryError) {
    let isPermitted: Bool
    do {
      isPermitted = try store.write { (transaction) throws(StoreError) in
        let visibility = try visibility(in: transaction.reading)
        if visibility == .nothing { return false }
        try body(transaction, visibility)
        return true
      }
    } catch {
      throw error.code == .noSuchAsset ? .identifierNotFound : LibraryError(error)
    }
    guard isPermitted else { throw .notPermitted }
  }
}
