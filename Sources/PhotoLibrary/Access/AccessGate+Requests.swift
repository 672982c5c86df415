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
    try read { (transaction, _) throws(StoreError) in
      // Another client's request is none for this one.
      guard let request = try transaction.request(id), request.client == client else {
        return .withdrawn
      }
      return request.answer
    }
  }

  package func assetsSelected(for id: RequestID) throws(LibraryError) -> [AssetID] {
    try read { (transaction, visibility) throws(StoreError) in
      guard let request = try transaction.request(id), request.client == client else { return [] }
      return try transaction.assetsSelected(for: id, visibility)
    }
  }

  package func withdraw(_ id: RequestID) throws(LibraryError) {
    try write { (transaction) throws(StoreError) in
      guard let request = try transaction.reading.request(id), request.client == client else {
        return
      }
      try transaction.withdraw(id)
    }
  }

  func write<R>(
    _ body: (borrowing WriteTransaction) throws(StoreError) -> R
  ) throws(LibraryError) -> R {
    do { return try store.write(body) } catch { throw LibraryError(error) }
  }
}
