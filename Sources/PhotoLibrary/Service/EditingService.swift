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

  /// Does all of this in one commit, in its order, or nothing: where an asset that is named cannot be seen it
  /// throws `identifierNotFound`.
  func perform(_ requests: [ChangeBlock.Request]) throws(LibraryError)
}
