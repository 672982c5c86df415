import ImageMetadata
public import PhotoModel

/// A library as one client, or its owner, sees it.
///
/// A client with limited access sees exactly the assets that the owner selected for it: every count,
/// identifier, record, thumbnail, change and error is what it would be if no other asset existed. A
/// client that is not determined, denied or restricted sees none. Safe from any thread.
public struct LibraryClient: Sendable {
  package let service: any LibraryService
  private let importing: Importing

  init(gate: AccessGate, importing: Importing) {
    service = gate
    self.importing = importing
    self.gate = gate
  }

  private let gate: AccessGate

  /// The client's identifier; nil for the owner.
  public var id: ClientID? { service.client }

  /// What the owner decided for this client; never asks anybody.
  ///
  /// - Parameter level: reading and writing, or adding only; each has a decision of its own.
  /// - Returns: The status; `authorized` for the owner.
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func authorizationStatus(
    for level: AccessLevel
  ) throws(LibraryError) -> AuthorizationStatus {
    try service.authorizationStatus(for: level)
  }

  /// Finds the assets of a query, by creation date with the oldest first unless it says otherwise.
  ///
  /// A client that may not read gets an empty result, and its status says why.
  ///
  /// - Parameter query: sort key, filters and limits.
  /// - Returns: A snapshot of count and identifiers, filled lazily.
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func fetchAssets(
    _ query: FetchQuery = FetchQuery()
  ) throws(LibraryError) -> FetchResult {
    FetchResult(service: service, identifiers: try service.fetch(query))
  }

  /// Counts the assets of a query without reading them.
  public func countAssets(_ query: FetchQuery = FetchQuery()) throws(LibraryError) -> Int {
    try service.count(query)
  }

  /// Reads records by identifier.
  ///
  /// - Parameters:
  ///   - ids: the assets, in any order; hidden ones are found too.
  ///   - includingDateCandidates: whether `Asset.dateCandidates` is filled.
  /// - Returns: One element an identifier; nil where this client sees no such asset.
  /// - Throws: ``LibraryError`` `notPermitted` for a client that may not read, without a look-up.
  public func assets(
    _ ids: [AssetID], includingDateCandidates: Bool = false
  ) throws(LibraryError) -> [Asset?] {
    try service.records(ids, dateCandidates: includingDateCandidates)
  }

  /// Reads one record, with its date candidates.
  ///
  /// - Parameter id: the asset.
  /// - Returns: Its record.
  /// - Throws: ``LibraryError`` `identifierNotFound` for an asset that does not exist and for one
  ///   that this client may not see, in the same words; `notPermitted` as `assets(_:)` does.
  public func asset(_ id: AssetID) throws(LibraryError) -> Asset {
    guard let asset = try service.records([id], dateCandidates: true).first ?? nil else {
      throw .identifierNotFound
    }
    return asset
  }

  /// Makes a thumbnail, or takes it from the cache: upright, sRGB, never larger than the original.
  ///
  /// Work runs on Dispatch queues, at most one decode a core. Cancelling the task ends it soon.
  ///
  /// - Parameters:
  ///   - id: the asset.
  ///   - recipe: size in pixels, fit or fill, and encoding.
  ///   - usesCache: false makes it anew and leaves the cache alone.
  ///   - allowsPreview: whether a degraded answer will do, many times as fast, as PhotoKit's `fastFormat` has
  ///     it: made of the small picture that a camera put into the file, where one is large enough and has the
  ///     shape. An editor may have left that as it was, so it may show what was since cut off or covered, and damage
  ///     of the picture itself is not told. Its `source` is then `preview`, and the cache never gets it.
  /// - Returns: A whole JPEG or PNG file in memory.
  /// - Throws: ``LibraryError``: `identifierNotFound`, `notPermitted`, `damagedPicture`,
  ///   `unsupportedPicture`, `overLimit`, `cancelled`, or what reading the library threw.
  public func thumbnail(
    for id: AssetID, recipe: ThumbnailRecipe = ThumbnailRecipe(), usesCache: Bool = true,
    allowsPreview: Bool = false
  ) async throws(LibraryError) -> Thumbnail {
    try await service.thumbnail(
      ThumbnailRequest(
        asset: id, recipe: recipe, usesCache: usesCache, priority: .interactive,
        allowsPreview: allowsPreview))
  }

  /// Makes thumbnails of many assets, in the order of `ids` whatever the order of completion.
  ///
  /// A failure is the item's own and does not end the sequence. Leaving the loop cancels what is
  /// still under way. The parameters are those of ``thumbnail(for:recipe:usesCache:allowsPreview:)``.
  public func thumbnails(
    for ids: [AssetID], recipe: ThumbnailRecipe = ThumbnailRecipe(), usesCache: Bool = true,
    allowsPreview: Bool = false
  ) -> ThumbnailSequence {
    ThumbnailSequence(
      service: service, ids: ids, recipe: recipe, usesCache: usesCache,
      allowsPreview: allowsPreview)
  }

  /// Reads the bytes of an original.
  ///
  /// A client without the permission for places gets the same picture without them: its metadata tell no
  /// place, and what followed the picture in the file (a video) is left out.
  ///
  /// - Parameter id: the asset.
  /// - Returns: A whole JPEG or PNG file in memory.
  /// - Throws: ``LibraryError``: `identifierNotFound`, `notPermitted`; `overLimit` for a file of more bytes
  ///   than one request may have; `unsupportedPicture` where its places cannot be taken out, or what
  ///   reading the library threw.
  public func imageData(for id: AssetID) async throws(LibraryError) -> ImageData {
    try await service.imageData(id)
  }

  /// Observes what changes for this client from now on, by commits of any process.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func changes() throws(LibraryError) -> ChangeSequence {
    try ChangeSequence(service: service)
  }

  /// Corrects when photographs were taken.
  ///
  /// Their originals stay as they are, and so do the dates that were found in them.
  ///
  /// - Parameters:
  ///   - wallClock: what the camera's clock should have shown.
  ///   - offset: its difference from UTC; nil for that of the library's time zone at that time.
  ///   - ids: the assets: all of them are changed, or none.
  /// - Throws: ``LibraryError`` `identifierNotFound` if this client does not see one of them,
  ///   `notPermitted` if it may not read, or what writing the library threw.
  public func setCreationDate(
    _ wallClock: WallClock, offset: UTCOffset? = nil, of ids: [AssetID]
  ) throws(LibraryError) {
    let zone = try importing.policy()
    let date = CreationDate(
      wallClock: wallClock, offset: offset ?? zone.offset(at: wallClock),
      isOffsetKnown: offset != nil, source: .edited)
    try service.setCreationDate(date, of: ids)
  }

  /// Gives photographs back the date that their files name: the most trusted of those found in them.
  ///
  /// What ``setCreationDate(_:offset:of:)`` changed is undone; an offset that the file does not name comes from
  /// its GPS time, else from the library's time zone, as when it was added.
  ///
  /// - Parameter ids: the assets: all of them are changed, or none.
  /// - Throws: ``LibraryError``, as ``setCreationDate(_:offset:of:)`` does.
  public func restoreCreationDate(of ids: [AssetID]) throws(LibraryError) {
    try service.restoreCreationDate(of: ids, policy: try importing.policy())
  }

  /// Adds files and folders as this client; what a limited client adds joins its selection.
  ///
  /// - Parameters:
  ///   - paths: files, and folders that are walked; see ``Library/add(_:options:onEvent:)``.
  ///   - options: what to do about damaged pictures.
  ///   - onEvent: called on a Dispatch queue, in order, as the work goes on.
  /// - Returns: What became of each file.
  /// - Throws: ``LibraryError`` `notPermitted` unless the client's addOnly level is authorized, or
  ///   what ended the work as a whole.
  public func add(
    _ paths: [FilePath], options: AddOptions = AddOptions(),
    onEvent: @escaping @Sendable (AddEvent) -> Void = { _ in }
  ) async throws(LibraryError) -> AddReport {
    try await importing.add(
      paths, as: try gate.adder(), options: options, onEvent: onEvent)
  }

  /// Finds visible assets whose identifier begins with these hexadecimal digits; dashes may stand between.
  package func identifiers(prefix: String, limit: Int) throws(LibraryError) -> [AssetID] {
    let digits = prefix.filter { $0 != "-" }
    guard !digits.isEmpty, digits.utf8.count <= 32, digits.allSatisfy(\.isHexDigit),
      digits.utf8.count == digits.count
    else { return [] }
    return try service.identifiers(prefix: digits, limit: limit)
  }

  /// Finds visible assets that hold exactly the bytes of a file.
  package func identifiers(contentOf file: FilePath) throws(LibraryError) -> [AssetID] {
    try service.identifiers(sha256: try SourceFile.sha256(of: file))
  }
}
