public import PhotoModel
import PhotoStore

/// Counts and bytes of a library, as its owner sees them.
public struct LibraryStatistics: Hashable, Sendable {
  public let assets: Int
  public let jpeg: Int
  public let png: Int
  public let damaged: Int
  public let undecodable: Int
  public let trashed: Int
  public let clients: Int
  public let originals: Int
  public let originalBytes: Int64
  public let indexBytes: Int64
  public let thumbnails: Int64
  public let thumbnailBytes: Int64
  /// The first and the last creation date; nil in an empty library.
  public let oldest: Instant?
  public let newest: Instant?
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
  /// The kind of fault, one word: `missing-original`, `hash-mismatch`, `extra-original` …
  public let kind: String
  /// The asset that it concerns, where it is one.
  public let id: AssetID?
  /// What is wrong. Originals are named by their hash, never by a path.
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
