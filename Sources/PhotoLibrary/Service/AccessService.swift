package import PhotoModel

/// Who asks, what the owner decided about it, and what it asks the owner for.
package protocol AccessService: Sendable {
  /// Whom this answers; nil for the owner.
  var client: ClientID? { get }

  func authorizationStatus(for level: AccessLevel) throws(LibraryError) -> AuthorizationStatus

  /// Puts a request before the owner, or joins the one that waits; nil where the level is decided.
  func requestAccess(_ level: AccessLevel, purpose: String) throws(LibraryError) -> RequestID?

  /// Asks the owner to select more, or joins the request that waits; nil where access is not limited.
  func requestMoreAssets(purpose: String) throws(LibraryError) -> RequestID?

  /// What was answered to a request of this client: nil while it waits, `withdrawn` where there is none.
  func answer(to id: RequestID) throws(LibraryError) -> RequestAnswer?

  /// What the owner selected in answer to a request for more, as far as it still is visible; in date order.
  func assetsSelected(for id: RequestID) throws(LibraryError) -> [AssetID]

  /// No longer waits for an answer; one that was given meanwhile stays.
  func withdraw(_ id: RequestID) throws(LibraryError)
}
