public import PhotoModel

/// A library as one client, or its owner, sees it.
///
/// A client with limited access sees exactly the assets that the owner selected for it: every count,
/// identifier, record, thumbnail, change and error is what it would be if no other asset existed. A
/// client that is not determined, denied or restricted sees none. Safe from any thread.
public struct LibraryClient: Sendable {
  package let service: any LibraryService
  /// Not within the service: the hub holds the services of observers, and both would be kept for ever.
  package let hub: ObserverHub

  /// The view that a service gives; tests wrap one in another.
  package init(service: any LibraryService, hub: ObserverHub) {
    self.service = service
    self.hub = hub
  }

  /// The client's identifier; nil for the owner.
  public var id: ClientID? { service.client }
}
