public import PhotoModel
import PhotoStore

/// Counts and bytes of a library, as its owner sees them.
public struct LibraryStatistics: Hashable, Sendable {
  /// Assets, the trash left out.
  public let assets: Int
  /// Of these, JPEG files.
  public let jpeg: Int
  /// Of these, PNG files.
  public let png: Int
  /// Of these, pictures that are not whole.
  public let damaged: Int
  /// Of these, pictures that cannot be shown.
  public let undecodable: Int
  /// Assets in the trash.
  public let trashed: Int
  /// Clients known.
  public let clients: Int
  /// Files that hold them; assets with the same bytes share one.
  public let originals: Int
  /// Bytes of the originals.
  public let originalBytes: Int64
  /// Bytes of the index.
  public let indexBytes: Int64
  /// Thumbnails in the cache.
  public let thumbnails: Int64
  /// Bytes of the thumbnail cache.
  public let thumbnailBytes: Int64
  /// The first and the last creation date; nil in an empty library.
  public let oldest: Instant?
  /// The last creation date; nil in an empty library.
  public let newest: Instant?
  /// The zone of photographs that name no offset.
  public let timeZone: String

  init(_ store: StoreStatistics) {
    assets = store.assets
    jpeg = store.jpeg
    png = store.png
    damaged = store.damaged
    undecodable = store.undecodable
    trashed = store.trashed
    clients = store.clients
    originals = store.originals
    originalBytes = store.originalBytes
    indexBytes = store.indexBytes
    thumbnails = store.thumbnails
    thumbnailBytes = store.thumbnailBytes
    oldest = store.oldest
    newest = store.newest
    timeZone = store.timeZone
  }
}

/// One fault that a check found.
public struct CheckFinding: Hashable, Sendable {
  /// The kind of fault, one word: such as `missing-original`.
  public let kind: String
  /// The asset that it concerns, where it is one.
  public let id: AssetID?
  /// What is wrong.
  ///
  /// Originals are named by their hash, never by a path.
  public let detail: String
  /// What would mend it.
  public let repair: String

  init(_ finding: PhotoStore.CheckFinding) {
    kind = finding.kind
    id = finding.id
    detail = finding.detail
    repair = finding.repair
  }
}
