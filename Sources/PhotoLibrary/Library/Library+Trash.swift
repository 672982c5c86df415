public import PhotoModel
import PhotoStore

/// An asset in the trash.
public struct TrashedAsset: Hashable, Sendable, Identifiable {
  /// The asset.
  public let id: AssetID
  /// When it was removed.
  public let removedAt: Instant
}

/// What a purge took away for good.
public struct PurgeReport: Hashable, Sendable {
  /// How many assets are no more.
  public let assets: Int
  /// How many original files went; an original from which another asset is made stays.
  public let originals: Int
  /// The bytes of these files.
  public let bytes: Int64
}

/// The trash, which is the owner's alone.
extension Library {
  /// What lies in the trash, that which was removed last first.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func trash() throws(LibraryError) -> [TrashedAsset] {
    try read { (transaction) throws(StoreError) in try transaction.trash() }
      .map { TrashedAsset(id: $0.id, removedAt: $0.trashed) }
  }

  /// Takes assets out of the trash, with their places in selections and albums.
  ///
  /// - Parameter ids: the assets: all of them come back, or none.
  /// - Throws: ``LibraryError`` `identifierNotFound` if one does not lie in the trash, or what writing the library
  ///   threw.
  public func restore(_ ids: [AssetID]) throws(LibraryError) {
    try write { (transaction) throws(StoreError) in try transaction.restore(ids) }
  }

  /// Removes what lies in the trash for good, with its originals and cached thumbnails.
  ///
  /// Blocks until it is done, and waits for imports that commit just now. If the process dies meanwhile, the next
  /// one that opens the library for writing clears up after it.
  ///
  /// - Parameter age: seconds that an asset has to have lain there; nil for all of them.
  /// - Returns: What went; `cancelled` work is told as far as it came.
  /// - Throws: ``LibraryError``: `busy` where another process has the library locked, `readOnly`, `io`.
  public func purge(olderThan age: Duration? = nil) throws(LibraryError) -> PurgeReport {
    do {
      let outcome = try store.purge(olderThan: age?.components.seconds ?? 0) { Task.isCancelled }
      return PurgeReport(
        assets: outcome.assets, originals: outcome.originals, bytes: outcome.bytes)
    } catch {
      throw LibraryError(error)
    }
  }
}
