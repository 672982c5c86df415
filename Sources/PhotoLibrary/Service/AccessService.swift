package import PhotoModel

/// Who asks, and what the owner decided about it.
package protocol AccessService: Sendable {
  /// Whom this answers; nil for the owner.
  var client: ClientID? { get }

  func authorizationStatus(for level: AccessLevel) throws(LibraryError) -> AuthorizationStatus
}
