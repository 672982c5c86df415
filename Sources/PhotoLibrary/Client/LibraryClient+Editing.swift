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
    try service.setCreationDate(try service.creationDate(wallClock, offset: offset), of: ids)
  }

  /// Gives photographs back the date that their files name: the most trusted of those found in them.
  ///
  /// What ``setCreationDate(_:offset:of:)`` changed is undone; an offset that the file does not name comes from
  /// its GPS time, else from the library's time zone, as when it was added.
  ///
  /// - Parameter ids: the assets: all of them are changed, or none.
  /// - Throws: ``LibraryError``, as ``setCreationDate(_:offset:of:)`` does.
  public func restoreCreationDate(of ids: [AssetID]) throws(LibraryError) {
    try service.restoreCreationDate(of: ids)
  }
}
