package import PhotoModel
import PhotoStore

extension AccessGate {
  package func add(
    _ paths: [FilePath], options: AddOptions, onEvent: @escaping @Sendable (AddEvent) -> Void
  ) async throws(LibraryError) -> AddReport {
    try await importing.add(paths, as: try adder(), options: options, onEvent: onEvent)
  }

  /// As whom this client adds; throws `notPermitted` where its addOnly level is not authorized.
  private func adder() throws(LibraryError) -> Adder {
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
