/// What a client asks to do with a library; each level has its own decision.
public enum AccessLevel: Int, Sendable, Hashable, CaseIterable {
  /// Add assets, and read nothing back.
  case addOnly = 1
  /// Read and write.
  case readWrite = 2
}

/// What the owner decided for one client and one access level.
///
/// Raw values are PhotoKit's.
public enum AuthorizationStatus: Int, Sendable, Hashable, CaseIterable {
  /// Nobody has decided yet.
  case notDetermined = 0
  /// Access is ruled out and the client's user cannot change that.
  case restricted = 1
  /// The owner refused.
  case denied = 2
  /// The whole library.
  case authorized = 3
  /// Exactly the assets that the owner selected.
  case limited = 4

  /// The status as the command line prints it.
  public var name: String {
    switch self {
    case .notDetermined: "notDetermined"
    case .restricted: "restricted"
    case .denied: "denied"
    case .authorized: "authorized"
    case .limited: "limited"
    }
  }

  /// Whether a client with this status for reading can see any asset at all.
  public var permitsReading: Bool { self == .authorized || self == .limited }

  /// What who asks without naming a level is told: authorized, also where access is limited.
  public var withoutLevel: AuthorizationStatus { self == .limited ? .authorized : self }
}
