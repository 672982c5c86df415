package import PhotoModel

/// What the client adds, and changes of what it sees.
package protocol EditingService: Sendable {
  /// Adds files and folders, or throws `accessDenied`, `accessRestricted` or `notPermitted`.
  func add(
    _ paths: [FilePath], options: AddOptions, onEvent: @escaping @Sendable (AddEvent) -> Void
  ) async throws(LibraryError) -> AddReport

  /// The date of a wall clock that a person corrected; without an offset, by the library's time zone.
  func creationDate(
    _ wallClock: WallClock, offset: UTCOffset?
  ) throws(LibraryError) -> CreationDate

  /// Sets when assets were taken: of all that are named, or `identifierNotFound` and of none.
  func setCreationDate(_ date: CreationDate, of ids: [AssetID]) throws(LibraryError)

  /// Sets when assets were taken to what the dates found in them say, of all that are named, or
  /// `identifierNotFound` and of none.
  func restoreCreationDate(of ids: [AssetID]) throws(LibraryError)
}
