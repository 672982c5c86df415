import Dispatch
import ImageCodecs
import ImageMetadata
import PhotoModel
import PhotoStore
import Synchronization

/// Starts imports on a Dispatch thread, where they may block, and waits for them without blocking one.
package struct Importing: Sendable {
  let store: Store
  let decoder: ThumbnailDecoder
  /// The library's time zone; asked for at each start, since the owner can change it.
  let policy: @Sendable () throws(LibraryError) -> CreationDatePolicy

  private static let queue = DispatchQueue(
    label: "photolib.import", qos: .userInitiated, attributes: .concurrent)

  /// Adds what is at the paths, as the one whom `adder` names anew in each transaction.
  func add(
    _ paths: [FilePath],
    as adder: @escaping @Sendable (ReadTransaction) throws(StoreError) -> Adder, isOwner: Bool,
    options: AddOptions, onEvent: @escaping @Sendable (AddEvent) -> Void
  ) async throws(LibraryError) -> AddReport {
    let policy = try policy()
    let flag = CancellationFlag()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Self.queue.async {
          continuation.resume(
            returning: Result { () throws(LibraryError) -> AddReport in
              let importer = Importer(
                store: store, decoder: decoder, policy: policy, adder: adder, isOwner: isOwner,
                options: options, flag: flag, onEvent: onEvent)
              return try importer.run(paths)
            })
        }
      }
    } onCancel: {
      flag.cancel()
    }
    return try result.get()
  }
}
