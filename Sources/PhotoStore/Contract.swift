package import PhotoModel

/// What a reader may see; part of the SQL of every read.
package enum Visibility: Hashable, Sendable {
  case nothing
  case selection(ClientID, location: Bool)
  case everything(location: Bool)
  /// Everything, with places and the trash.
  case owner
}

package struct StoreError: Error, Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    case notFound            // no library there
    case notALibrary         // a folder or file that is none
    case newerVersion        // made by a newer program
    case busy                // another writer, after the busy timeout (5 s default)
    case cannotCreate
    case damaged             // index unreadable, originals without an index ...
    case io                  // errno text in message
    case noSpace
    case readOnly            // media or permissions
    case noSuchAsset
    case cancelled
  }
  package let code: Code
  /// A sentence without any path inside the library.
  package let message: String
  package init(code: Code, message: String) { self.code = code; self.message = message }
}

package struct ClientRecord: Hashable, Sendable {
  package let id: ClientID
  package let readWrite: AuthorizationStatus
  package let addOnly: AuthorizationStatus
  package let location: Bool
  package let requestedAt: Instant?
  package let answeredAt: Instant?
}

/// What the importer knows of a picture that it adds.
package struct NewAsset: Sendable {
  package var original: StagedOriginal
  package var fileName: FileName
  package var format: ImageFormat
  package var pixelSize: PixelSize          // displayed
  package var orientation: Orientation
  package var creationDate: CreationDate
  package var dateCandidates: [DateCandidate]
  package var location: Location?
  package var camera: Camera?
  package var damage: String?
  package var undecodable: String?
  package init(original: StagedOriginal, fileName: FileName, format: ImageFormat, pixelSize: PixelSize, orientation: Orientation, creationDate: CreationDate, dateCandidates: [DateCandidate], location: Location?, camera: Camera?, damage: String?, undecodable: String?) { fatalError("contract") }
}

/// Bytes that lie in an importer's staging folder: hashed, whole, not yet durable.
package final class StagedOriginal: Sendable {
  package let sha256: [UInt8]
  package let byteSize: Int64
  /// An open descriptor for reading, closed with this object.
  package let descriptor: Int32
  init() { fatalError("contract") }
}

package enum AddOutcome: Hashable, Sendable {
  case added(AssetID)
  /// The same bytes are an asset already (and the adder may know of it).
  case duplicate(AssetID)
  /// Within the same batch or library: never two assets of one content for the owner.
  case failed(StoreError)
}

/// Who adds: decides on duplicates, scope and selection rows.
package enum Adder: Hashable, Sendable {
  case owner
  /// Fully authorized clients are told of duplicates; limited ones get a new asset over the same original and
  /// a selection row in the same commit; addOnly ones a new asset, not selected.
  case client(ClientID, mayKnowDuplicates: Bool, selects: Bool)
}

/// What opening is for.
package enum StoreMode: Hashable, Sendable { case readOnly, readWrite }

/// Sources of time and identity, replaced in tests.
package struct StoreEnvironment: Sendable {
  package var now: @Sendable () -> Instant
  package var makeAssetID: @Sendable () -> AssetID
  package var busyTimeoutMilliseconds: Int
  package static var system: StoreEnvironment { fatalError("contract") }
  package init(now: @escaping @Sendable () -> Instant, makeAssetID: @escaping @Sendable () -> AssetID, busyTimeoutMilliseconds: Int) { fatalError("contract") }
}

/// A library folder: the only place with SQL and with paths inside it. Safe from any thread; calls block.
package final class Store: Sendable {
  /// Makes an empty library (0700/0600 whatever the umask) with `local.default` fully authorized with location.
  /// Parent folders are made. Fails with cannotCreate if anything but an empty folder is there (saying so if
  /// it is a library already).
  package static func create(at path: String, timeZone: String, environment: StoreEnvironment) throws(StoreError) -> Store { fatalError("contract") }
  /// A writer's open sweeps dead importers' staging first if LOCK_EX is to be had at once.
  package static func open(at path: String, mode: StoreMode, environment: StoreEnvironment) throws(StoreError) -> Store { fatalError("contract") }
  /// Whether a path is a photo library (has library.sqlite or originals/ in it), so that walks do not enter it.
  package static func sha256(of descriptor: Int32, isCancelled: @Sendable () -> Bool) throws(StoreError) -> (sha256: [UInt8], byteSize: Int64) { fatalError("contract") }
  package static func isLibrary(at path: String) -> Bool { fatalError("contract") }
  init() { fatalError("contract") }
  package let path: String
  package let timeZoneName: String   // as of opening; setTimeZone is an owner command
  /// Ends everything; later calls throw. Also done when the last reference goes.
  package func close() { fatalError("contract") }

  /// One read transaction: a single consistent state. Readers never wait for writers.
  package func read<R>(_ body: (ReadTransaction) throws(StoreError) -> R) throws(StoreError) -> R { fatalError("contract") }
  /// One write transaction (BEGIN IMMEDIATE); committed if `body` returns, rolled back if it throws. After the
  /// commit the doorbell rings.
  package func write<R>(_ body: (WriteTransaction) throws(StoreError) -> R) throws(StoreError) -> R { fatalError("contract") }

  /// An importer: a staging folder of its own, held by flock.
  package func beginImport() throws(StoreError) -> ImportSession { fatalError("contract") }

  package func openOriginal(_ reference: OriginalReference) throws(StoreError) -> OriginalFile { fatalError("contract") }
  package var thumbnails: ThumbnailCache { fatalError("contract") }

  /// Calls back for each finding; reads only.
  package func check(readData: Bool, progress: (_ done: Int, _ total: Int) -> Void, finding: (CheckFinding) -> Void) throws(StoreError) { fatalError("contract") }

  /// Watches for commits of any process: calls back (on a private queue, coalesced) after each wake until the
  /// returned object is released. inotify on doorbell and on library.sqlite-wal; else data_version each 250 ms.
  package func watchCommits(_ wake: @escaping @Sendable () -> Void) throws(StoreError) -> CommitWatch { fatalError("contract") }
}
package final class CommitWatch: Sendable { init() {} ; package func stop() {} }

package struct OriginalReference: Hashable, Sendable {
  package let asset: AssetID
  package let sha256: [UInt8]
  package let byteSize: Int64
  package let format: ImageFormat
  package let orientation: Orientation
  package let undecodable: String?
  /// Part of cache keys: nil for the shared scope, else the client whose private asset this is.
  package let cacheScope: String?
}

/// An open original; closed with this object.
package final class OriginalFile: Sendable {
  package let descriptor: Int32
  package let byteSize: Int64
  init() { fatalError("contract") }
}

/// Ids of a fetch result, in order: 16 bytes an asset.
package struct PackedIDs: Sendable, Hashable {
  package var count: Int { fatalError("contract") }
  package subscript(index: Int) -> AssetID { fatalError("contract") }
  package init(_ ids: [AssetID]) { fatalError("contract") }
}

package struct ReadTransaction {
  /// Clients known, by id. `visible` is the number of assets each sees now.
  package func clients() throws(StoreError) -> [(client: ClientRecord, visible: Int)] { fatalError("contract") }
  package func client(_ id: ClientID) throws(StoreError) -> ClientRecord? { fatalError("contract") }

  package func identifiers(_ query: FetchQuery, _ visibility: Visibility) throws(StoreError) -> PackedIDs { fatalError("contract") }
  package func count(_ query: FetchQuery, _ visibility: Visibility) throws(StoreError) -> Int { fatalError("contract") }
  /// One entry for each id, nil where nothing visible. Hidden assets included (asked for by id).
  package func assets(_ ids: [AssetID], _ visibility: Visibility, dateCandidates: Bool) throws(StoreError) -> [Asset?] { fatalError("contract") }
  /// Visible ids that begin with these hexadecimal digits (dashes already removed), at most `limit`.
  package func identifiers(prefix: String, limit: Int, _ visibility: Visibility) throws(StoreError) -> [AssetID] { fatalError("contract") }
  /// Visible assets with these bytes.
  package func identifiers(sha256: [UInt8], _ visibility: Visibility) throws(StoreError) -> [AssetID] { fatalError("contract") }
  /// What a thumbnail or the bytes are made from; nil where not visible.
  package func original(_ id: AssetID, _ visibility: Visibility) throws(StoreError) -> OriginalReference? { fatalError("contract") }
  /// A client's stored selection in date order, oldest first (whatever its status), trash left out.
  package func selection(of client: ClientID) throws(StoreError) -> [AssetID] { fatalError("contract") }

  package func historyPosition() throws(StoreError) -> HistoryPosition { fatalError("contract") }
  /// What changed for this client since a position, folded: an asset inserted and removed since is in neither.
  /// For `.selection` from client_history, for `.everything`/`.owner` from the library's history. A switch of
  /// level is resolved: the sets of ids that came and went by it.
  package func changes(since: HistoryPosition, client: ClientID?, _ visibility: Visibility) throws(StoreError) -> (changes: ChangeSet, position: HistoryPosition) { fatalError("contract") }

  package func statistics() throws(StoreError) -> StoreStatistics { fatalError("contract") }
}
package struct HistoryPosition: Hashable, Sendable { package let sequence: Int64; package init(sequence: Int64) { self.sequence = sequence } }

package struct WriteTransaction {
  package var reading: ReadTransaction { fatalError("contract") }
  /// Makes the client if new (statuses notDetermined, no location). nil leaves a value as it is.
  package func setAccess(_ client: ClientID, readWrite: AuthorizationStatus?, addOnly: AuthorizationStatus?, location: Bool?) throws(StoreError) { fatalError("contract") }
  /// Replaces / adds / removes; all ids must exist (not in the trash) else noSuchAsset and nothing changes.
  /// Returns how many were really added and removed.
  package func replaceSelection(of client: ClientID, with ids: [AssetID]) throws(StoreError) -> (added: Int, removed: Int) { fatalError("contract") }
  package func addToSelection(of client: ClientID, _ ids: [AssetID]) throws(StoreError) -> Int { fatalError("contract") }
  package func removeFromSelection(of client: ClientID, _ ids: [AssetID]) throws(StoreError) -> Int { fatalError("contract") }
  /// Changes the zone and recomputes the instants of assets without a known offset through `offset`.
  package func setTimeZone(_ name: String, offset: (WallClock) -> UTCOffset) throws(StoreError) { fatalError("contract") }
}

package final class ImportSession: Sendable {
  /// Copies from a descriptor into staging in one pass (read, hash, write the same bytes). fstat before and after:
  /// size, mtime, inode differ -> StoreError(.io, "it changed while it was read").
  package func stage(_ descriptor: Int32, isCancelled: @Sendable () -> Bool) throws(StoreError) -> StagedOriginal { fatalError("contract") }
  /// Stages bytes from memory (a client's).
  package func stage(_ bytes: [UInt8]) throws(StoreError) -> StagedOriginal { fatalError("contract") }
  /// Durable when it returns: fsync files, LOCK_SH on library.lock, list, renames, fsync folders, one transaction with
  /// history. One outcome for each asset, in order.
  package func commit(_ assets: [NewAsset], by adder: Adder) throws(StoreError) -> [AddOutcome] { fatalError("contract") }
  /// The asset that the owner has of these bytes already, so that expensive work can be left out.
  package func existingAsset(sha256: [UInt8]) throws(StoreError) -> AssetID? { fatalError("contract") }
  /// Removes the staging folder. Also on deinit.
  package func end() { fatalError("contract") }
  init() { fatalError("contract") }
}

package struct ThumbnailKey: Hashable, Sendable {
  package let sha256: [UInt8]
  package let orientation: Orientation
  package let recipe: ThumbnailRecipe
  package let scope: String?
  package init(sha256: [UInt8], orientation: Orientation, recipe: ThumbnailRecipe, scope: String?) { fatalError("contract") }
}
/// thumbnails.sqlite: derived, disposable. Every fault of it is a miss; a damaged one is set aside and made anew.
package final class ThumbnailCache: Sendable {
  package func find(_ key: ThumbnailKey) -> Thumbnail? { fatalError("contract") }   // source .cache
  package func find(_ keys: [ThumbnailKey]) -> [Thumbnail?] { fatalError("contract") }
  /// In one transaction; quietly does nothing where it cannot be written (read-only library).
  package func store(_ entries: [(ThumbnailKey, Thumbnail)]) { fatalError("contract") }
  init() { fatalError("contract") }
}

package struct CheckFinding: Hashable, Sendable {
  package let kind: String      // "missing-original", "extra-original", "size-mismatch", "hash-mismatch", "index", "staging", "permissions" ...
  package let id: AssetID?
  package let detail: String    // names originals by their hash, never by path
  package let repair: String    // what a repair would do / what to do
  package init(kind: String, id: AssetID?, detail: String, repair: String) { fatalError("contract") }
}
package struct StoreStatistics: Hashable, Sendable {
  package let assets, jpeg, png, damaged, undecodable, trashed, clients, originals: Int
  package let originalBytes, indexBytes, thumbnailBytes, thumbnails: Int64
  package let oldest, newest: Instant?
  package let timeZone: String
}
