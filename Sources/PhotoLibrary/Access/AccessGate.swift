package import ImageMetadata
import PhotoModel
package import PhotoStore

/// Answers one client, or the owner, over a store; nothing reaches a client but through here.
///
/// `visibility(in:)` is the one place where an authorization turns into what a reader may see. It is
/// asked anew in every transaction, so a decision of the owner holds from its commit on.
package struct AccessGate: LibraryService {
  package let client: ClientID?
  private let store: Store
  private let pipeline: ThumbnailPipeline
  private let reader: ImageDataReader

  init(store: Store, pipeline: ThumbnailPipeline, reader: ImageDataReader, client: ClientID?) {
    self.store = store
    self.pipeline = pipeline
    self.reader = reader
    self.client = client
  }

  private func visibility(in transaction: ReadTransaction) throws(StoreError) -> Visibility {
    guard let client else { return .owner }
    guard let record = try transaction.client(client) else { return .nothing }
    switch record.readWrite {
    case .authorized: return .everything(location: record.location)
    case .limited: return .selection(client, location: record.location)
    case .notDetermined, .denied, .restricted: return .nothing
    }
  }

  /// Reads one state of the library through this client's visibility.
  private func read<R>(
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

  package func authorizationStatus(
    for level: AccessLevel
  ) throws(LibraryError) -> AuthorizationStatus {
    guard let client else { return .authorized }
    do {
      let record = try store.read { (transaction) throws(StoreError) in
        try transaction.client(client)
      }
      return switch level {
      case .readWrite: record?.readWrite ?? .notDetermined
      case .addOnly: record?.addOnly ?? .notDetermined
      }
    } catch {
      throw LibraryError(error)
    }
  }

  package func fetch(_ query: FetchQuery) throws(LibraryError) -> PackedIDs {
    try read { (transaction, visibility) throws(StoreError) in
      try transaction.identifiers(query, visibility)
    }
  }

  package func count(_ query: FetchQuery) throws(LibraryError) -> Int {
    try read { (transaction, visibility) throws(StoreError) in
      try transaction.count(query, visibility)
    }
  }

  package func records(
    _ ids: [AssetID], dateCandidates: Bool
  ) throws(LibraryError) -> [Asset?] {
    let records = try read { (transaction, visibility) throws(StoreError) -> [Asset?]? in
      // Without permission nothing is looked up, so no answer can depend on what exists.
      if visibility == .nothing { return nil }
      return try transaction.assets(ids, visibility, dateCandidates: dateCandidates)
    }
    guard let records else { throw .notPermitted }
    guard ids.count == 1, let id = ids.first, let asset = records.first ?? nil,
      asset.isLocationRedacted, asset.original == nil
    else { return records }
    return [asset.describing(try redactedOriginal(id))]
  }

  /// Size and hash of the redacted bytes of an asset for which nobody computed them yet; not recorded,
  /// since the library may be open for reading only.
  ///
  /// Reads the whole file on the caller's thread, and may wait for memory that decodes use.
  private func redactedOriginal(_ id: AssetID) throws(LibraryError) -> OriginalDescription? {
    do {
      return try reader.redacted(try original(id))?.content
    } catch let error as StoreError {
      // A record is there though its file is damaged.
      if error.code == .damaged { return nil }
      throw LibraryError(error)
    } catch let error as LibraryError {
      throw error
    } catch {
      throw LibraryError(code: .io, message: "\(error)")
    }
  }

  package func identifiers(prefix: String, limit: Int) throws(LibraryError) -> [AssetID] {
    let found = try read { (transaction, visibility) throws(StoreError) -> [AssetID]? in
      if visibility == .nothing { return nil }
      return try transaction.identifiers(prefix: prefix, limit: limit, visibility)
    }
    guard let found else { throw .notPermitted }
    return found
  }

  package func identifiers(sha256: [UInt8]) throws(LibraryError) -> [AssetID] {
    let found = try read { (transaction, visibility) throws(StoreError) -> [AssetID]? in
      if visibility == .nothing { return nil }
      return try transaction.identifiers(sha256: sha256, visibility)
    }
    guard let found else { throw .notPermitted }
    return found
  }

  // MARK: - Thumbnails

  package func thumbnail(_ request: ThumbnailRequest) async throws(LibraryError) -> Thumbnail {
    try await pipeline.thumbnail(request) { (id) throws(LibraryError) in try original(id) }
  }

  package func prefetch(_ request: ThumbnailRequest) async {
    // Without a cache nobody would find it.
    guard (try? store.thumbnails.requireWritable()) != nil else { return }
    _ = try? await thumbnail(request)
  }

  package func imageData(_ id: AssetID) async throws(LibraryError) -> ImageData {
    try await reader.imageData { () throws(LibraryError) in
      let (isPermitted, found) = try read {
        (transaction, visibility) throws(StoreError) -> (Bool, (OriginalReference, Bool)?) in
        if visibility == .nothing { return (false, nil) }
        let reference = try transaction.original(id, visibility)
        return (true, reference.map { ($0, visibility.includesLocation) })
      }
      guard isPermitted else { throw .notPermitted }
      guard let (original, includesLocation) = found else { throw .identifierNotFound }
      return (original, includesLocation)
    }
  }

  package func cachedThumbnails(_ requests: [ThumbnailRequest]) async -> [Thumbnail?] {
    await pipeline.cachedThumbnails(requests) { (ids) in
      let references = try? read {
        (transaction, visibility) throws(StoreError) -> [OriginalReference?] in
        try transaction.originals(ids, visibility)
      }
      return references ?? ids.map { _ in nil }
    }
  }

  package func requireVisible(_ id: AssetID) throws(LibraryError) { _ = try original(id) }

  package func commitState() throws(LibraryError) -> CommitState {
    do { return try store.commitState() } catch { throw LibraryError(error) }
  }

  package func finishCaching() async { await pipeline.finishCaching() }

  /// What a picture of the asset is made from, if this client sees it now.
  private func original(_ id: AssetID) throws(LibraryError) -> OriginalReference {
    let (isPermitted, reference) = try read {
      (transaction, visibility) throws(StoreError) -> (Bool, OriginalReference?) in
      if visibility == .nothing { return (false, nil) }
      return (true, try transaction.original(id, visibility))
    }
    guard isPermitted else { throw .notPermitted }
    guard let reference else { throw .identifierNotFound }
    return reference
  }

  // MARK: - Changes

  package func historyPosition() throws(LibraryError) -> HistoryPosition {
    try read { (transaction, _) throws(StoreError) in try transaction.historyPosition() }
  }

  package func changes(
    since position: HistoryPosition
  ) throws(LibraryError) -> (changes: ChangeSet, position: HistoryPosition) {
    try read { (transaction, visibility) throws(StoreError) in
      try transaction.changes(since: position, client: client, visibility)
    }
  }

  package func watchCommits(
    _ wake: @escaping @Sendable () -> Void
  ) throws(LibraryError) -> CommitWatch {
    do {
      return try store.watchCommits(wake)
    } catch {
      throw LibraryError(error)
    }
  }

  // MARK: - Editing

  package func setCreationDate(
    _ date: CreationDate, of ids: [AssetID]
  ) throws(LibraryError) {
    try edit { (transaction, visibility) throws(StoreError) in
      try transaction.setCreationDate(date, of: ids, visibility)
    }
  }

  package func restoreCreationDate(
    of ids: [AssetID], policy: CreationDatePolicy
  ) throws(LibraryError) {
    try edit { (transaction, visibility) throws(StoreError) in
      try transaction.restoreCreationDate(of: ids, visibility) { policy.choose($0) }
    }
  }

  /// Changes what this client sees, in one transaction.
  private func edit(
    _ body: (borrowing WriteTransaction, Visibility) throws(StoreError) -> Void
  ) throws(LibraryError) {
    let isPermitted: Bool
    do {
      isPermitted = try store.write { (transaction) throws(StoreError) in
        let visibility = try visibility(in: transaction.reading)
        if visibility == .nothing { return false }
        try body(transaction, visibility)
        return true
      }
    } catch {
      throw error.code == .noSuchAsset ? .identifierNotFound : LibraryError(error)
    }
    guard isPermitted else { throw .notPermitted }
  }

  // MARK: - Adding

  /// As whom this client adds; throws `notPermitted` where its addOnly level is not authorized.
  func adder() throws(LibraryError) -> Adder {
    guard let client else { return .owner }
    let record: ClientRecord?
    do {
      record = try store.read { (transaction) throws(StoreError) in
        try transaction.client(client)
      }
    } catch {
      throw LibraryError(error)
    }
    guard let record, record.addOnly == .authorized else {
      throw LibraryError(
        code: .notPermitted, message: "this client is not permitted to add to the library")
    }
    // Only who sees everything may learn that the same bytes are there already. What a limited
    // client adds joins its selection; an add-only client reads nothing back.
    return .client(
      client, mayKnowDuplicates: record.readWrite == .authorized,
      selects: record.readWrite == .limited)
  }
}
