public import PhotoModel
import PhotoStore

/// Is told what changes for a client, by commits of any process.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
  /// Called on a serial queue of the library's own, once a commit that changed something for the client.
  func photoLibraryDidChange(_ change: Change)
}

/// What one commit changed for a client; details say what it means for a result or a record.
public struct Change: Sendable {
  /// The assets that came, differ and went.
  public let changes: ChangeSet
  /// Whether more than one commit may be in it; its details then come without increments.
  public let isFolded: Bool
  let position: HistoryPosition
  let service: any LibraryService

  /// The place in the history behind this change.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func token() throws(LibraryError) -> ChangeToken {
    ChangeToken(bytes: try service.seal(position))
  }

  /// What became of a result since it was fetched, as of now; nil where nothing did.
  ///
  /// Reads the library on the caller's thread. The result after has a place in the history of its own, so the
  /// details of the next change go on from it.
  ///
  /// - Parameter result: a result of the client that observes.
  /// - Returns: nil where neither the list nor a record in it changed.
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func details(
    for result: FetchResult
  ) throws(LibraryError) -> FetchResultChangeDetails? {
    try FetchResultChangeDetails(of: result, isFolded: isFolded)
  }

  /// What became of a record by this change; nil where nothing did.
  ///
  /// - Parameter asset: a record that the client read before.
  /// - Returns: The record as it is now; without one where the client no longer sees the asset.
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func details(for asset: Asset) throws(LibraryError) -> ObjectChangeDetails? {
    if changes.removed.contains(asset.id) { return ObjectChangeDetails(before: asset, after: nil) }
    guard changes.changed.contains(asset.id) else { return nil }
    do throws(LibraryError) {
      return ObjectChangeDetails(
        before: asset, after: try service.records([asset.id], dateCandidates: false).first ?? nil)
    } catch  where error.code == .notPermitted {
      return ObjectChangeDetails(before: asset, after: nil)
    }
  }
}

/// What became of one record.
public struct ObjectChangeDetails: Sendable {
  /// The record as it was.
  public let before: Asset
  /// The record as it is; nil where the client no longer sees the asset.
  public let after: Asset?

  /// Whether the asset is gone for this client: removed, or taken from it, which it cannot tell apart.
  public var objectWasDeleted: Bool { after == nil }
  /// Whether its pixels are others, which never happens: originals are not changed.
  public var assetContentChanged: Bool { false }
}
