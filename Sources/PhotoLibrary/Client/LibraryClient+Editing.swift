public import PhotoModel

extension LibraryClient {
  /// Corrects when photographs were taken.
  ///
  /// Their originals stay as they are, and so do the dates that were found in them.
  ///
  /// - Parameters:
  ///   - wallClock: what the camera's clock should have shown.
  ///   - offset: its difference from UTC; nil for that of the library's time zone at that time.
  ///   - ids: the assets: all of them are changed, or none.
  /// - Throws: ``LibraryError`` `identifierNotFound` if this client does not see one of them,
  ///   `accessDenied`, `accessRestricted` or, where nobody decided, `notPermitted` if it may not read, or what writing the library threw.
  public func setCreationDate(
    _ wallClock: WallClock, offset: UTCOffset? = nil, of ids: [AssetID]
  ) throws(LibraryError) {
    try performChangesAndWait { (block) in
      try block.setCreationDate(wallClock, offset: offset, of: ids)
    }
  }

  /// Gives photographs back the date that their files name: the most trusted of those found in them.
  ///
  /// What ``setCreationDate(_:offset:of:)`` changed is undone; an offset that the file does not name comes from
  /// its GPS time, else from the library's time zone, as when it was added.
  ///
  /// - Parameter ids: the assets: all of them are changed, or none.
  /// - Throws: ``LibraryError``, as ``setCreationDate(_:offset:of:)`` does.
  public func restoreCreationDate(of ids: [AssetID]) throws(LibraryError) {
    try performChangesAndWait { $0.restoreCreationDate(of: ids) }
  }

  /// Marks photographs as favourites, or as none: all of them or none is changed.
  ///
  /// - Throws: ``LibraryError``, as ``setCreationDate(_:offset:of:)`` does.
  public func setFavorite(_ isFavorite: Bool, of ids: [AssetID]) throws(LibraryError) {
    try performChangesAndWait { $0.setFavorite(isFavorite, of: ids) }
  }

  /// Hides photographs from fetches that do not ask for hidden ones, or shows them again: all of them or none.
  ///
  /// - Throws: ``LibraryError``, as ``setCreationDate(_:offset:of:)`` does.
  public func setHidden(_ isHidden: Bool, of ids: [AssetID]) throws(LibraryError) {
    try performChangesAndWait { $0.setHidden(isHidden, of: ids) }
  }

  /// Corrects where photographs were taken; see ``ChangeBlock/setLocation(_:of:)``.
  ///
  /// - Throws: ``LibraryError``, as ``setCreationDate(_:offset:of:)`` does; `notPermitted` also for a client without
  ///   the permission for places.
  public func setLocation(_ location: Location?, of ids: [AssetID]) throws(LibraryError) {
    try performChangesAndWait { $0.setLocation(location, of: ids) }
  }

  /// Puts photographs into the trash: all of them or none; see ``ChangeBlock/delete(_:)``.
  ///
  /// - Throws: ``LibraryError``, as ``setCreationDate(_:offset:of:)`` does; `notPermitted` also where a client did not
  ///   add one of them itself.
  public func deleteAssets(_ ids: [AssetID]) throws(LibraryError) {
    try performChangesAndWait { $0.delete(ids) }
  }

  /// Makes changes in one commit: all that the block writes down, or nothing.
  ///
  /// - Parameter block: writes down what is to happen; runs at once, on the caller's thread.
  /// - Returns: What the block returned, once all is durable.
  /// - Throws: ``LibraryError``: what the block threw, or another one's `cancelled`; `identifierNotFound` if this
  ///   client does not see one of the assets; `notPermitted` if it may not read, or may not do one of the changes;
  ///   `nestedChanges` within another block; or what writing the library threw.
  @discardableResult
  public func performChangesAndWait<R>(
    _ block: (inout ChangeBlock) throws -> R
  ) throws(LibraryError) -> R {
    let (result, requests) = try ChangeBlock.record(of: service, block)
    if !requests.isEmpty { try service.perform(requests) }
    return result
  }

  /// Makes changes in one commit, as ``performChangesAndWait(_:)`` does, without blocking a thread of Swift's.
  @discardableResult
  public func performChanges<R: Sendable>(
    _ block: (inout ChangeBlock) throws -> R
  ) async throws(LibraryError) -> R {
    let (result, requests) = try ChangeBlock.record(of: service, block)
    guard !requests.isEmpty else { return result }
    let service = service
    try await BlockingWork.run { () throws(LibraryError) in try service.perform(requests) }
    return result
  }
}
