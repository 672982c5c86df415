public import PhotoModel

extension LibraryClient {
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
    let (ids, position) = try service.fetch(query)
    return FetchResult(service: service, identifiers: ids, query: query, position: position)
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
