package import ImageMetadata
import PhotoModel
package import PhotoStore

/// The narrow waist: all that a reader can ask of a library.
///
/// `AccessGate` answers over a store in this process. Fetch results, thumbnails and changes are written
/// once, over this protocol, so that a library behind a socket serves them just as well. Calls block,
/// but for `thumbnail`; each answers from a state of its own.
package protocol LibraryService: Sendable {
  /// Whom this answers; nil for the owner.
  var client: ClientID? { get }

  func authorizationStatus(for level: AccessLevel) throws(LibraryError) -> AuthorizationStatus

  /// Identifiers in order. Empty, and nothing thrown, for a client that may not read.
  func fetch(_ query: FetchQuery) throws(LibraryError) -> PackedIDs

  /// The count of what `fetch` would give.
  func count(_ query: FetchQuery) throws(LibraryError) -> Int

  /// One record an identifier, nil where there is none that the client sees.
  func records(
    _ ids: [AssetID], dateCandidates: Bool
  ) throws(LibraryError) -> [Asset?]

  /// Visible identifiers that begin with these hexadecimal digits, for a person who types.
  func identifiers(prefix: String, limit: Int) throws(LibraryError) -> [AssetID]

  /// Visible assets whose bytes have this SHA-256.
  func identifiers(sha256: [UInt8]) throws(LibraryError) -> [AssetID]

  /// Sets when assets were taken: of all that are named, or `identifierNotFound` and of none.
  func setCreationDate(_ date: CreationDate, of ids: [AssetID]) throws(LibraryError)

  /// Sets when assets were taken to what the dates found in them say, of all that are named, or
  /// `identifierNotFound` and of none.
  func restoreCreationDate(
    of ids: [AssetID], policy: CreationDatePolicy
  ) throws(LibraryError)

  func thumbnail(_ request: ThumbnailRequest) async throws(LibraryError) -> Thumbnail

  /// Makes a thumbnail only for the cache; whatever goes wrong is nobody's concern yet.
  func prefetch(_ request: ThumbnailRequest) async

  /// The bytes of an original, without places for a client that may not know them.
  func imageData(_ id: AssetID) async throws(LibraryError) -> ImageData

  /// Throws as `thumbnail` would, if the client does not see the asset now.
  func requireVisible(_ id: AssetID) throws(LibraryError)

  /// The state of what the owner decided and of all else in the library: another one after any commit
  /// of any process.
  ///
  /// What was visible in a read that began behind this still is while this gives the same.
  func commitState() throws(LibraryError) -> CommitState

  /// What the cache has of these, nil for each that must be made.
  func cachedThumbnails(_ requests: [ThumbnailRequest]) async -> [Thumbnail?]

  /// Returns when all thumbnails made so far are in the cache.
  func finishCaching() async

  func historyPosition() throws(LibraryError) -> HistoryPosition

  /// What this client saw change since a position.
  func changes(
    since position: HistoryPosition
  ) throws(LibraryError) -> (changes: ChangeSet, position: HistoryPosition)

  /// Calls back after commits of any process, until the watch is released.
  func watchCommits(_ wake: @escaping @Sendable () -> Void) throws(LibraryError) -> CommitWatch
}

/// One thumbnail that a client asks for.
package struct ThumbnailRequest: Hashable, Sendable {
  package var asset: AssetID
  package var recipe: ThumbnailRecipe
  package var usesCache: Bool
  package var priority: Priority
  /// Whether a picture inside the file may answer: a degraded thumbnail, which is never kept.
  package var allowsPreview: Bool

  /// Who waits for it; the later ones overtake the earlier ones.
  package enum Priority: Int, CaseIterable, Comparable, Sendable {
    /// Nobody yet.
    case prefetch
    /// A program that works through many.
    case batch
    /// A person.
    case interactive

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  package init(
    asset: AssetID, recipe: ThumbnailRecipe, usesCache: Bool, priority: Priority,
    allowsPreview: Bool = false
  ) {
    self.asset = asset
    self.recipe = recipe
    self.usesCache = usesCache
    self.priority = priority
    self.allowsPreview = allowsPreview
  }
}
