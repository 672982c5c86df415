package import PhotoModel

/// What the owner decided about one client.
package struct ClientRecord: Hashable, Sendable {
  package let id: ClientID
  package let readWrite: AuthorizationStatus
  package let addOnly: AuthorizationStatus
  /// Whether the client may know places.
  package let location: Bool
  /// When the client last asked, or nil.
  package let requestedAt: Instant?
  /// When the owner last decided, or nil.
  package let answeredAt: Instant?

  package init(
    id: ClientID, readWrite: AuthorizationStatus, addOnly: AuthorizationStatus, location: Bool,
    requestedAt: Instant?, answeredAt: Instant?
  ) {
    self.id = id
    self.readWrite = readWrite
    self.addOnly = addOnly
    self.location = location
    self.requestedAt = requestedAt
    self.answeredAt = answeredAt
  }

  /// The status for a level: who may read may add, whatever was decided about adding alone.
  package func status(for level: AccessLevel) -> AuthorizationStatus {
    switch level {
    case .readWrite: readWrite
    case .addOnly: readWrite.permitsReading ? .authorized : addOnly
    }
  }
}
