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

  package func perform(_ requests: [ChangeBlock.Request]) throws(LibraryError) {
    let policy = try importing.policy()
    try edit { (transaction, visibility) throws(StoreError) in
      for request in requests { try perform(request, policy, transaction, visibility) }
    }
  }

  private func perform(
    _ request: ChangeBlock.Request, _ policy: CreationDatePolicy,
    _ transaction: borrowing WriteTransaction, _ visibility: Visibility
  ) throws(StoreError) {
    let ids = request.ids
    switch request.change {
    case .creationDate(let date):
      try transaction.setCreationDate(date, of: ids, visibility)
    case .originalCreationDate:
      try transaction.restoreCreationDate(of: ids, visibility) { policy.choose($0) }
    case .favorite(let isFavorite):
      try transaction.setFavorite(isFavorite, of: ids, visibility)
    case .hidden(let isHidden): try transaction.setHidden(isHidden, of: ids, visibility)
    case .location(let location): try transaction.setLocation(location, of: ids, visibility)
    case .deletion:
      // What is not there is told first, in the same words as what may not be seen.
      try transaction.trash(ids, visibility)
      guard let client, try !transaction.areOwn(ids, of: client) else { return }
      throw StoreError(
        code: .notPermitted,
        message: "this client may remove only photos that it added itself")
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
