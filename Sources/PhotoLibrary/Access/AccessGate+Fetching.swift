package import PhotoModel
package import PhotoStore

extension AccessGate {
  package func fetch(
    _ query: FetchQuery
  ) throws(LibraryError) -> (ids: PackedIDs, position: HistoryPosition) {
    try Self.requireWithinLimits(query)
    return try read { (transaction, visibility) throws(StoreError) in
      (
        try transaction.identifiers(query, visibility),
        try transaction.historyPosition(client: client, visibility)
      )
    }
  }

  package func count(_ query: FetchQuery) throws(LibraryError) -> Int {
    try Self.requireWithinLimits(query)
    return try read { (transaction, visibility) throws(StoreError) in
      try transaction.count(query, visibility)
    }
  }

  private static func requireWithinLimits(_ query: FetchQuery) throws(LibraryError) {
    guard query.predicate?.isWithinLimits ?? true else {
      throw LibraryError(
        code: .invalidArgument,
        message: "the predicate is more than \(AssetPredicate.greatestDepth) deep or has more than "
          + "\(AssetPredicate.greatestCount) parts")
    }
    guard query.sort.count <= SortKey.allCases.count else {
      throw LibraryError(
        code: .invalidArgument, message: "there are more sort descriptors than keys")
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
}
