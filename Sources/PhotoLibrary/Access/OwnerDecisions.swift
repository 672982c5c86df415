public import PhotoModel
import PhotoStore

/// What an owner decides for a client, for both levels at once.
public enum AccessDecision: Hashable, Sendable {
  /// Both levels authorized. The stored selection is kept.
  case full
  /// Reading limited to the stored selection, adding authorized.
  case limited
  /// Adding authorized; what was decided about reading stays.
  case addOnly
  /// Both levels denied. The stored selection is kept.
  case deny
  /// Both levels restricted. The stored selection is kept.
  case restrict
  /// Both levels not determined, and the selection emptied.
  case reset
}

/// How a client's selection is to change.
public enum SelectionChange: Hashable, Sendable {
  /// Exactly these.
  case replace([AssetID])
  /// These too.
  case add([AssetID])
  /// These no longer.
  case remove([AssetID])
  /// Nothing at all.
  case none
}

/// What a change of a selection did.
public struct SelectionOutcome: Hashable, Sendable {
  /// The client's status for reading.
  public let status: AuthorizationStatus
  /// How many assets are selected now.
  public let selected: Int
  /// How many assets joined the selection.
  public let added: Int
  /// How many assets left the selection.
  public let removed: Int
}

/// What is decided for a client.
public struct ClientAccess: Hashable, Sendable {
  /// The client.
  public let client: ClientID
  /// Its status for reading and writing.
  public let readWrite: AuthorizationStatus
  /// Its status for adding.
  public let addOnly: AuthorizationStatus
  /// How many assets it sees now.
  public let visible: Int
  /// Whether it may know where photographs were taken.
  public let location: Bool
  /// When it last asked, or nil.
  public let requestedAt: Instant?
  /// When the owner last decided, or nil.
  public let answeredAt: Instant?
}

extension ClientAccess {
  fileprivate init(_ record: ClientRecord, visible: Int) {
    client = record.id
    readWrite = record.readWrite
    addOnly = record.status(for: .addOnly)
    self.visible = visible
    location = record.location
    requestedAt = record.requestedAt
    answeredAt = record.answeredAt
  }
}

extension Library {
  /// All clients for which something was decided or asked, by identifier.
  public func clients() throws(LibraryError) -> [ClientAccess] {
    try read { (transaction) throws(StoreError) in try transaction.clients() }.map {
      ClientAccess($0.client, visible: $0.visible)
    }
  }

  /// What is decided for one client, or nil where nobody ever decided or asked.
  public func access(of client: ClientID) throws(LibraryError) -> ClientAccess? {
    try read { (transaction) throws(StoreError) in
      guard let record = try transaction.client(client) else { return nil }
      return ClientAccess(record, visible: try transaction.visibleCount(of: record))
    }
  }

  /// Decides what a client may do; makes the client if it is new.
  ///
  /// Holds from the commit on. A request of the client that waits and is decided by it is answered.
  ///
  /// - Parameters:
  ///   - client: the client.
  ///   - decision: for both levels.
  ///   - location: whether it may know places; nil leaves that as it is (off for a new client).
  /// - Throws: ``LibraryError`` if the library cannot be written.
  public func setAccess(
    of client: ClientID, _ decision: AccessDecision, location: Bool? = nil
  ) throws(LibraryError) {
    let readWrite: AuthorizationStatus?
    let addOnly: AuthorizationStatus
    switch decision {
    case .full: (readWrite, addOnly) = (.authorized, .authorized)
    case .limited: (readWrite, addOnly) = (.limited, .authorized)
    case .addOnly: (readWrite, addOnly) = (nil, .authorized)
    case .deny: (readWrite, addOnly) = (.denied, .denied)
    case .restrict: (readWrite, addOnly) = (.restricted, .restricted)
    case .reset: (readWrite, addOnly) = (.notDetermined, .notDetermined)
    }
    try write { (transaction) throws(StoreError) in
      try transaction.setAccess(
        client, readWrite: readWrite, addOnly: addOnly, location: location)
      if decision == .reset { _ = try transaction.replaceSelection(of: client, with: []) }
    }
  }

  /// What is selected for a client, oldest first, whatever its status is now.
  public func selection(of client: ClientID) throws(LibraryError) -> [AssetID] {
    try read { (transaction) throws(StoreError) in try transaction.selection(of: client) }
  }

  /// How many assets are selected for a client, whatever its status is now.
  public func selectionCount(of client: ClientID) throws(LibraryError) -> Int {
    try read { (transaction) throws(StoreError) in try transaction.selectionCount(of: client) }
  }

  /// Changes what is selected for a client: all of the assets named, or nothing.
  ///
  /// Replacing makes the client limited; adding and removing are for a client that is limited already.
  /// Any change answers a request for more photos that waits.
  ///
  /// - Parameters:
  ///   - change: what is to become of the selection.
  ///   - client: the client; made if it is new and the change is to replace.
  /// - Returns: The client's status and what changed.
  /// - Throws: ``LibraryError`` `identifierNotFound` if one of the assets does not exist,
  ///   `invalidArgument` for adding or removing on a client that is not limited.
  @discardableResult
  public func select(
    _ change: SelectionChange, for client: ClientID
  ) throws(LibraryError) -> SelectionOutcome {
    let outcome = try write { (transaction) throws(StoreError) -> SelectionOutcome? in
      let status = try transaction.reading.client(client)?.readWrite ?? .notDetermined
      var added = 0
      var removed = 0
      var newStatus = status
      switch change {
      case .replace(let ids):
        try transaction.setAccess(
          client, readWrite: .limited, addOnly: .authorized, location: nil)
        (added, removed) = try transaction.replaceSelection(of: client, with: ids)
        newStatus = .limited
      case .add(let ids):
        guard status == .limited else { return nil }
        added = try transaction.addToSelection(of: client, ids)
      case .remove(let ids):
        guard status == .limited else { return nil }
        removed = try transaction.removeFromSelection(of: client, ids)
      case .none:
        (added, removed) = try transaction.replaceSelection(of: client, with: [])
      }
      try transaction.answerMoreAssets(of: client, added: added)
      let selected = try transaction.reading.selectionCount(of: client)
      return SelectionOutcome(
        status: newStatus, selected: selected, added: added, removed: removed)
    }
    guard let outcome else {
      throw LibraryError(
        code: .invalidArgument,
        message: "it is not limited, so there is no selection to add to or take from")
    }
    return outcome
  }
}
