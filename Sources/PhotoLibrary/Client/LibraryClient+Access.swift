public import PhotoModel

extension LibraryClient {
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
}
