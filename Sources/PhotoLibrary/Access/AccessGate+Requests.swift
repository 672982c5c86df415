package import PhotoModel
import PhotoStore

extension AccessGate {
  package func requestAccess(
    _ level: AccessLevel, purpose: String
  ) throws(LibraryError) -> RequestID? {
    // What is decided can be told where nothing can be written.
    guard let client, try authorizationStatus(for: level) == .notDetermined else { return nil }
    return try write { (transaction) throws(StoreError) in
      try transaction.requestAccess(level, for: client, purpose: purpose)
    }
  }

  package func requestMoreAssets(purpose: String) throws(LibraryError) -> RequestID? {
    guard let client, try authorizationStatus(for: .readWrite) == .limited else { return nil }
    return try write { (transaction) throws(StoreError) in
      try transaction.requestMoreAssets(for: client, purpose: purpose)
    }
  }

  package func answer(to id: RequestID) throws(LibraryError) -> RequestAnswer? {
    guard let client else { return .withdrawn }
    return try read { (transaction, _) throws(StoreError) in
      try transaction.answer(to: id, of: client)
    }
  }

  package func assetsSelected(for id: RequestID) throws(LibraryError) -> [AssetID] {
    guard let client else { return [] }
    return try read { (transaction, visibility) throws(StoreError) in
      try transaction.assetsSelected(for: id, of: client, visibility)
    }
  }

  package func withdraw(_ id: RequestID) throws(LibraryError) {
    guard let client else { return }
    try write { (transaction) throws(StoreError) in try transaction.withdraw(id, of: client) }
  }

  func write<R>(
    _ body: (borrowing WriteTransaction) throws(StoreError) -> R
  ) throws(LibraryError) -> R {
    do { return try store.write(body) } catch { throw LibraryError(error) }
  }
}
