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
  func edit(
    _ body: (borrowing WriteTransaction, Visibility) throws(StoreError) -> Void
  ) throws(LibraryError) {
    do {
      try store.write { (transaction) throws(StoreError) in
        let visibility = try visibility(in: transaction.reading)
        guard visibility != .nothing else { throw try refusal(.readWrite, in: transaction.reading) }
        try body(transaction, visibility)
      }
    } catch {
      throw error.code == .noSuchAsset ? .identifierNotFound : LibraryError(error)
    }
  }

  /// Why this client may change nothing: what was decided about it, in words that are the same for all it may
  /// have wanted to change.
  func refusal(
    _ level: AccessLevel, in transaction: ReadTransaction
  ) throws(StoreError) -> StoreError {
    let status = try client.flatMap { (client) throws(StoreError) in
      try transaction.client(client)?.status(for: level)
    }
    return switch status {
    case .denied:
      StoreError(code: .accessDenied, message: "the owner denied this client access to the library")
    case .restricted:
      StoreError(
        code: .accessRestricted, message: "this client's access to the library is restricted")
    case .authorized, .limited, .notDetermined, nil:
      StoreError(
        code: .notPermitted,
        message: level == .addOnly
          ? "this client is not permitted to add to the library" : LibraryError.notPermitted.message
      )
    }
  }
}
