@_exported public import PhotoModel

/// What went wrong: a code to branch on and a sentence to show.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    case libraryNotFound      // 69
    case notALibrary          // 69
    case libraryTooNew        // 69
    case busy                 // 75
    case cannotCreate         // 73
    case damagedLibrary       // 65
    case readOnly             // 77 / 73
    case noSpace              // 74
    case io                   // 74
    case notPermitted         // 77: not determined, denied, restricted (one text, the same for every id)
    case identifierNotFound   // 66
    case damagedPicture
    case unsupportedPicture
    case overLimit
    case cancelled
    case invalidArgument      // 64
  }
  public let code: Code
  public let message: String
  public var description: String { message }
  public init(code: Code, message: String) { self.code = code; self.message = message }
}

public struct LibraryConfiguration: Sendable {
  public var memoryMegabytes: Int = 320      // budget of decoding
  public var maximumMegapixels: Int = 300
  public var cpuSecondsPerPicture: Int = 10
  /// Decodes at a time; nil: the usable cores.
  public var decodeJobs: Int?
  public init() {}
}

/// A photo library on disk, opened by its owner. Safe from any thread.
public final class Library: Sendable {
  public static func create(at path: FilePath, timeZone: String? = nil, configuration: LibraryConfiguration = LibraryConfiguration()) throws(LibraryError) -> Library { fatalError("contract") }
  public enum Mode: Sendable { case readOnly, readWrite }
  public static func open(at path: FilePath, mode: Mode = .readWrite, configuration: LibraryConfiguration = LibraryConfiguration()) throws(LibraryError) -> Library { fatalError("contract") }
  /// Whether there is a photo library at the path.
  public static func exists(at path: FilePath) -> Bool { fatalError("contract") }
  init() { fatalError() }
  public let path: FilePath
  public var timeZone: String { fatalError("contract") }
  /// Changes the zone, recomputes instants of assets without an offset.
  public func setTimeZone(_ name: String) throws(LibraryError) { fatalError("contract") }

  /// The owner's view: everything.
  public var owner: LibraryClient { fatalError("contract") }
  /// The library as one client sees it. Makes nothing; the client need not be known.
  public func client(_ id: ClientID) -> LibraryClient { fatalError("contract") }

  // MARK: owner only
  public func add(_ paths: [FilePath], options: AddOptions = AddOptions(), onEvent: @escaping @Sendable (AddEvent) -> Void = { _ in }) async throws(LibraryError) -> AddReport { fatalError("contract") }
  public func clients() throws(LibraryError) -> [ClientAccess] { fatalError("contract") }
  public func access(of client: ClientID) throws(LibraryError) -> ClientAccess? { fatalError("contract") }
  /// Changes decisions; makes the client if it is new. Location nil: stays (new client: off).
  public func setAccess(of client: ClientID, _ decision: AccessDecision, location: Bool? = nil) throws(LibraryError) { fatalError("contract") }
  /// The stored selection, oldest first.
  public func selection(of client: ClientID) throws(LibraryError) -> [AssetID] { fatalError("contract") }
  /// Changes the selection; all of the ids or none (identifierNotFound). `.replace` makes the client limited
  /// (readWrite limited, addOnly authorized); `.add` and `.remove` on a client that is not limited: invalidArgument.
  public func select(_ change: SelectionChange, for client: ClientID) throws(LibraryError) -> SelectionOutcome { fatalError("contract") }
  public func statistics() throws(LibraryError) -> LibraryStatistics { fatalError("contract") }
  /// `onProgress(done, total)`; `onFinding` in the order found. Changes nothing. Returns the number of findings.
  public func check(readData: Bool = false, onProgress: (Int, Int) -> Void = { _, _ in }, onFinding: (CheckFinding) -> Void) throws(LibraryError) -> Int { fatalError("contract") }
}

public enum AccessDecision: Hashable, Sendable {
  case full        // both levels authorized
  case limited     // readWrite limited, addOnly authorized; the stored selection is kept
  case addOnly     // only the addOnly level: authorized
  case deny        // both denied, selection kept
  case restrict    // both restricted, selection kept
  case reset       // both notDetermined, selection emptied
}
public enum SelectionChange: Hashable, Sendable { case replace([AssetID]), add([AssetID]), remove([AssetID]), none }
public struct SelectionOutcome: Hashable, Sendable { public let status: AuthorizationStatus; public let selected, added, removed: Int }
public struct ClientAccess: Hashable, Sendable {
  public let client: ClientID
  public let readWrite, addOnly: AuthorizationStatus
  public let visible: Int            // assets seen now
  public let location: Bool
  public let requestedAt, answeredAt: Instant?
}
public struct CheckFinding: Hashable, Sendable { public let kind: String; public let id: AssetID?; public let detail: String; public let repair: String }
public struct LibraryStatistics: Hashable, Sendable {
  public let assets, jpeg, png, damaged, undecodable, trashed, clients, originals: Int
  public let originalBytes, indexBytes, thumbnails, thumbnailBytes: Int64
  public let oldest, newest: Instant?
  public let timeZone: String
}

public struct AddOptions: Hashable, Sendable { public var keepsDamaged = false; public var dryRun = false; public init() {} }
public enum AddEvent: Sendable {
  /// Counted while walking, before and during the work: files found so far.
  case found(files: Int, bytes: Int64)
  case added(AssetID, path: FilePath, creationDate: CreationDate)
  case duplicate(AssetID, path: FilePath, creationDate: CreationDate)
  /// Added, but something is to be said (undecodable, damaged and kept, metadata damage).
  case warning(path: FilePath, String)
  /// `type` is the counting name: "link", "fifo", "heic" ...; `named`: to be named on standard error (links, special files, libraries).
  case skipped(path: FilePath, type: String, named: Bool)
  case failed(path: FilePath, reason: String)
}
public struct AddReport: Sendable {
  public struct Entry: Hashable, Sendable { public let id: AssetID; public let path: FilePath; public let creationDate: CreationDate; public let isDuplicate: Bool; public let undecodable: String? }
  public struct Failure: Hashable, Sendable { public let path: FilePath; public let reason: String }
  public var entries: [Entry]
  public var failures: [Failure]
  public var skippedTypes: [String: Int]
  public var added: Int { fatalError("contract") }
  public var duplicates: Int { fatalError("contract") }
  public var skipped: Int { fatalError("contract") }
}

/// A library as one client (or the owner) sees it: PhotoKit's PHPhotoLibrary, PHAsset.fetchAssets and PHImageManager.
public struct LibraryClient: Sendable {
  /// nil for the owner.
  public var id: ClientID? { fatalError("contract") }
  public func authorizationStatus(for level: AccessLevel) throws(LibraryError) -> AuthorizationStatus { fatalError("contract") }
  /// Empty, and nothing thrown, for a client that may not read.
  public func fetchAssets(_ query: FetchQuery = FetchQuery()) throws(LibraryError) -> FetchResult { fatalError("contract") }
  public func countAssets(_ query: FetchQuery = FetchQuery()) throws(LibraryError) -> Int { fatalError("contract") }
  /// One record each; notPermitted for a client that may not read (without look-up), nil where not visible or unknown.
  public func assets(_ ids: [AssetID], includingDateCandidates: Bool = false) throws(LibraryError) -> [Asset?] { fatalError("contract") }
  /// One record; identifierNotFound where not visible or unknown (the same words).
  public func asset(_ id: AssetID) throws(LibraryError) -> Asset { fatalError("contract") }
  public func thumbnail(for id: AssetID, recipe: ThumbnailRecipe = ThumbnailRecipe(), usesCache: Bool = true) async throws(LibraryError) -> Thumbnail { fatalError("contract") }
  /// Thumbnails of many in the order of `ids`, whatever the order of completion; a failure is the item's own.
  public func thumbnails(for ids: [AssetID], recipe: ThumbnailRecipe = ThumbnailRecipe(), usesCache: Bool = true) -> ThumbnailSequence { fatalError("contract") }
  /// What changes from now on, by commits of any process, folded while nobody asks.
  public func changes() throws(LibraryError) -> ChangeSequence { fatalError("contract") }
  /// The command line's: visible ids beginning with hexadecimal digits (dashes allowed), at most `limit`.
  package func identifiers(prefix: String, limit: Int) throws(LibraryError) -> [AssetID] { fatalError("contract") }
  /// The command line's: visible assets with the content of this file. Throws io if it can't be read (message names the path).
  package func identifiers(contentOf file: FilePath) throws(LibraryError) -> [AssetID] { fatalError("contract") }
  /// As `Library.add`, but as this client (its addOnly level must be authorized; else notPermitted).
  public func add(_ paths: [FilePath], options: AddOptions = AddOptions(), onEvent: @escaping @Sendable (AddEvent) -> Void = { _ in }) async throws(LibraryError) -> AddReport { fatalError("contract") }
  init() {}
}

/// A snapshot: count and ids never change; records are read lazily in batches. Cheap to copy.
public struct FetchResult: Sequence, Sendable {
  public var count: Int { fatalError("contract") }
  public var isEmpty: Bool { fatalError("contract") }
  public func id(at index: Int) -> AssetID { fatalError("contract") }
  public var ids: [AssetID] { fatalError("contract") }
  /// nil where the asset is no longer visible.
  public subscript(index: Int) -> Asset? { fatalError("contract") }
  public var first: Asset? { fatalError("contract") }
  public var last: Asset? { fatalError("contract") }
  /// Iterates over the assets that are still visible.
  public func makeIterator() -> AnyIterator<Asset> { fatalError("contract") }
  init() {}
}
public struct ThumbnailResult: Sendable { public let id: AssetID; public let result: Result<Thumbnail, LibraryError> }
public struct ThumbnailSequence: AsyncSequence, Sendable {
  public struct AsyncIterator: AsyncIteratorProtocol { public mutating func next() async -> ThumbnailResult? { fatalError("contract") } }
  public func makeAsyncIterator() -> AsyncIterator { fatalError("contract") }
}
public struct ChangeSequence: AsyncSequence, Sendable {
  public struct AsyncIterator: AsyncIteratorProtocol { public mutating func next() async -> ChangeSet? { fatalError("contract") } }
  public func makeAsyncIterator() -> AsyncIterator { fatalError("contract") }
}
