public import FoundationEssentials

/// Identifies one asset of a library; random, so nothing about order or count can be read off it.
///
/// Its public form is PhotoKit's local identifier, `XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX/L0/001`.
public struct AssetID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The 128 bits of the identifier (122 of them random, RFC 9562 version 4).
  public let uuid: UUID

  /// Makes a new identifier from the system's random source.
  public init() { uuid = UUID() }

  /// Wraps a UUID.
  public init(uuid: UUID) { self.uuid = uuid }

  /// Reads a local identifier or its UUID, with or without `/L0/001`, in any letter case.
  ///
  /// Returns nil for anything else: prefixes and wildcards are never identifiers.
  public init?(localIdentifier: String) {
    let suffix = "/L0/001"
    let text =
      localIdentifier.hasSuffix(suffix)
      ? String(localIdentifier.dropLast(suffix.count)) : localIdentifier
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
    self.uuid = uuid
  }

  /// The 36 digits and dashes of the UUID, upper case.
  public var uuidString: String { uuid.uuidString }

  /// The identifier as PhotoKit writes it.
  public var localIdentifier: String { uuid.uuidString + "/L0/001" }

  /// The text form.
  public var description: String { localIdentifier }

  /// Orders two values, the smaller first.
  public static func < (first: AssetID, second: AssetID) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }

  /// The 16 bytes of the UUID, most significant first.
  public var bytes: [UInt8] {
    let u = uuid.uuid
    return [
      u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7, u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15,
    ]
  }

  /// Makes an identifier of 16 bytes, or nil for any other number of them.
  public init?(bytes b: some Collection<UInt8>) {
    guard b.count == 16 else { return nil }
    let b = Array(b)
    uuid = UUID(
      uuid: (
        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
        b[14], b[15]
      ))
  }
}
