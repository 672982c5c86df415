package import PhotoModel
import PhotoStore

extension AccessGate {
  package func authorizationStatus(
    for level: AccessLevel
  ) throws(LibraryError) -> AuthorizationStatus {
    guard let client else { return .authorized }
    do {
      let record = try store.read { (transaction) throws(StoreError) in
        try transaction.client(client)
      }
      return record?.status(for: level) ?? .notDetermined
    } catch {
      throw LibraryError(error)
    }
  }
}
