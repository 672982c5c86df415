import PhotoModel
import PhotoStore

extension AccessGate {
  /// As whom this client adds; throws `notPermitted` where its addOnly level is not authorized.
  func adder() throws(LibraryError) -> Adder {
    guard let client else { return .owner }
    let record: ClientRecord?
    do {
      record = try store.read { (transaction) throws(StoreError) in
        try transaction.client(client)
      }
    } catch {
      throw LibraryError(error)
    }
    guard let record, record.addOnly == .authorized else {
      throw LibraryError(
        code: .notPermitted, message: "this client is not permitted to add to the library")
    }
    // Only who sees everything may learn that the same bytes are there already. What a limited
    // client adds joins its selection; an add-only client reads nothing back.
    return .client(
      client, mayKnowDuplicates: record.readWrite == .authorized,
      selects: record.readWrite == .limited)
  }
}
