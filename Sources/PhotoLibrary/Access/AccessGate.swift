package import PhotoModel
import PhotoStore

/// Answers one client, or the owner, over a store; nothing reaches a client but through here.
///
/// `visibility(in:)` is the one place where an authorization turns into what a reader may see. It is
/// asked anew in every transaction, so a decision of the owner holds from its commit on. What it
/// answers stands in extensions, one for each protocol of `LibraryService`.
package struct AccessGate: LibraryService {
  package let client: ClientID?
  let store: Store
  let pipeline: ThumbnailPipeline
  let reader: ImageDataReader
  let importing: Importing

  init(
    store: Store, pipeline: ThumbnailPipeline, reader: ImageDataReader, importing: Importing,
    client: ClientID?
  ) {
    self.store = store
    self.pipeline = pipeline
    self.reader = reader
    self.importing = importing
    self.client = client
  }

  func visibility(in transaction: ReadTransaction) throws(StoreError) -> Visibility {
    guard let client else { return .owner }
    guard let record = try transaction.client(client) else { return .nothing }
    switch record.readWrite {
    case .authorized: return .everything(location: record.location)
    case .limited: return .selection(client, location: record.location)
    case .notDetermined, .denied, .restricted: return .nothing
    }
  }

  /// Reads one state of the library through this client's visibility.
  func read<R>(
    _ body: (ReadTransaction, Visibility) throws(StoreError) -> R
  ) throws(LibraryError) -> R {
    do {
      return try store.read { (transaction) throws(StoreError) -> R in
        try body(transaction, try visibility(in: transaction))
      }
    } catch {
      throw LibraryError(error)
    }
  }
}
