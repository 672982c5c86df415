package import ImageMetadata
package import PhotoModel

/// What the client changes of what it sees.
package protocol EditingService: Sendable {
  /// Sets when assets were taken: of all that are named, or `identifierNotFound` and of none.
  func setCreationDate(_ date: CreationDate, of ids: [AssetID]) throws(LibraryError)

  /// Sets when assets were taken to what the dates found in them say, of all that are named, or
  /// `identifierNotFound` and of none.
  func restoreCreationDate(
    of ids: [AssetID], policy: CreationDatePolicy
  ) throws(LibraryError)
}
