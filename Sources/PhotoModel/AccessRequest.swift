public import FoundationEssentials

/// Identifies one request of a client; random.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
  /// The 128 bits of the identifier.
  public let uuid: UUID

  /// Wraps a UUID.
  public init(uuid: UUID) { self.uuid = uuid }

  /// Reads the 36 digits and dashes of a UUID, in any letter case; nil for anything else.
  public init?(_ text: String) {
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
    self.uuid = uuid
  }

  /// The UUID, upper case.
  public var description: String { uuid.uuidString }

  /// The 16 bytes of the UUID, most significant first.
  package var bytes: [UInt8] { AssetID(uuid: uuid).bytes }
}

/// What a client asks the owner for.
public enum AccessRequestKind: Hashable, Sendable {
  /// A level of access.
  case access(AccessLevel)
  /// That these assets be put into the trash.
  case deletion([AssetID])
  /// That more photos be selected for it.
  case moreAssets
}

/// What an owner answers to a request.
///
/// Raw values are stored.
public enum RequestAnswer: Int, Sendable, Hashable, CaseIterable {
  /// All that was asked for; for a deletion, yes.
  case full = 1
  /// Reading of what the owner selects.
  case limited = 2
  /// Nothing; for a deletion, no.
  case denied = 3
  /// The client no longer waits for an answer.
  case withdrawn = 4
}

/// One thing that a client asked the owner for.
public struct AccessRequest: Hashable, Sendable, Identifiable {
  /// The identifier.
  public let id: RequestID
  /// Who asks.
  public let client: ClientID
  /// What for.
  public let kind: AccessRequestKind
  /// Why, in the client's words: 1 to 500 bytes of UTF-8, which may hold control characters.
  public let purpose: String
  /// When it was asked.
  public let askedAt: Instant
  /// When the owner answered, or nil.
  public let answeredAt: Instant?
  /// What the owner answered, or nil.
  public let answer: RequestAnswer?

  package init(
    id: RequestID, client: ClientID, kind: AccessRequestKind, purpose: String, askedAt: Instant,
    answeredAt: Instant?, answer: RequestAnswer?
  ) {
    self.id = id
    self.client = client
    self.kind = kind
    self.purpose = purpose
    self.askedAt = askedAt
    self.answeredAt = answeredAt
    self.answer = answer
  }
}
