package import PhotoModel
import PhotoStore

extension AccessGate {
  package func add(
    _ paths: [FilePath], options: AddOptions, onEvent: @escaping @Sendable (AddEvent) -> Void
  ) async throws(LibraryError) -> AddReport {
    // Before any file is looked at; each batch's transaction asks again.
    do { _ = try store.read(adder) } catch { throw LibraryError(error) }
    return try await importing.add(
      paths, as: adder, isOwner: client == nil, options: options, onEvent: onEvent)
  }

  /// As whom this client adds, by what is decided in the transaction; throws where its addOnly
  /// level is not authorized.
  @Sendable private func adder(in transaction: ReadTransaction) throws(StoreError) -> Adder {
    guard let client else { return .owner }
    guard let record = try transaction.client(client), record.status(for: .addOnly) == .authorized
    else {
      throw try refusal(.addOnly, in: transaction)
    }
    // Only who sees everything may learn that the same bytes are there already. What a limited
    // client adds joins its selection; an add-only client reads nothing back.
    return .client(
      client, mayKnowDuplicates: record.readWrite == .authorized,
      selects: record.readWrite == .limited)
  }
}
