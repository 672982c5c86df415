import PhotoLibrary
import PhotoStore

/// A service around another, which answers all that it does not answer itself.
protocol WrappingService: LibraryService {
  var wrapped: any LibraryService { get }
}

extension WrappingService {
  var client: ClientID? { wrapped.client }

  func authorizationStatus(for level: AccessLevel) throws(LibraryError) -> AuthorizationStatus {
    try wrapped.authorizationStatus(for: level)
  }

  func requestAccess(_ level: AccessLevel, purpose: String) throws(LibraryError) -> RequestID? {
    try wrapped.requestAccess(level, purpose: purpose)
  }

  func requestMoreAssets(purpose: String) throws(LibraryError) -> RequestID? {
    try wrapped.requestMoreAssets(purpose: purpose)
  }

  func answer(to id: RequestID) throws(LibraryError) -> RequestAnswer? {
    try wrapped.answer(to: id)
  }

  func assetsSelected(for id: RequestID) throws(LibraryError) -> [AssetID] {
    try wrapped.assetsSelected(for: id)
  }

  func withdraw(_ id: RequestID) throws(LibraryError) { try wrapped.withdraw(id) }

  func fetch(
    _ query: FetchQuery
  ) throws(LibraryError) -> (ids: PackedIDs, position: HistoryPosition) {
    try wrapped.fetch(query)
  }

  func count(_ query: FetchQuery) throws(LibraryError) -> Int { try wrapped.count(query) }

  func records(_ ids: [AssetID], dateCandidates: Bool) throws(LibraryError) -> [Asset?] {
    try wrapped.records(ids, dateCandidates: dateCandidates)
  }

  func identifiers(prefix: String, limit: Int) throws(LibraryError) -> [AssetID] {
    try wrapped.identifiers(prefix: prefix, limit: limit)
  }

  func identifiers(sha256: [UInt8]) throws(LibraryError) -> [AssetID] {
    try wrapped.identifiers(sha256: sha256)
  }

  func add(
    _ paths: [FilePath], options: AddOptions, onEvent: @escaping @Sendable (AddEvent) -> Void
  ) async throws(LibraryError) -> AddReport {
    try await wrapped.add(paths, options: options, onEvent: onEvent)
  }

  func creationDate(
    _ wallClock: WallClock, offset: UTCOffset?
  ) throws(LibraryError) -> CreationDate {
    try wrapped.creationDate(wallClock, offset: offset)
  }

  func perform(_ requests: [ChangeBlock.Request]) throws(LibraryError) {
    try wrapped.perform(requests)
  }

  func historyPosition() throws(LibraryError) -> HistoryPosition { try wrapped.historyPosition() }

  func changes(
    since position: HistoryPosition
  ) throws(LibraryError) -> (changes: ChangeSet, position: HistoryPosition) {
    try wrapped.changes(since: position)
  }

  func steps(
    since position: HistoryPosition
  ) throws(LibraryError) -> (steps: [HistoryStep], position: HistoryPosition) {
    try wrapped.steps(since: position)
  }

  func fetch(
    _ query: FetchQuery, since position: HistoryPosition
  ) throws(LibraryError) -> (ids: PackedIDs, touched: Set<AssetID>, position: HistoryPosition)? {
    try wrapped.fetch(query, since: position)
  }

  func seal(_ position: HistoryPosition) throws(LibraryError) -> [UInt8] {
    try wrapped.seal(position)
  }

  func open(sealed bytes: [UInt8]) throws(LibraryError) -> HistoryPosition {
    try wrapped.open(sealed: bytes)
  }

  func commitState() throws(LibraryError) -> CommitState { try wrapped.commitState() }

  func thumbnail(_ request: ThumbnailRequest) async throws(LibraryError) -> Thumbnail {
    try await wrapped.thumbnail(request)
  }

  func prefetch(_ request: ThumbnailRequest) async { await wrapped.prefetch(request) }

  func cachedThumbnails(_ requests: [ThumbnailRequest]) async -> [Thumbnail?] {
    await wrapped.cachedThumbnails(requests)
  }

  func finishCaching() async { await wrapped.finishCaching() }

  func requireVisible(_ id: AssetID) throws(LibraryError) { try wrapped.requireVisible(id) }

  func imageData(_ id: AssetID) async throws(LibraryError) -> ImageData {
    try await wrapped.imageData(id)
  }
}
