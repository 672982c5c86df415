/// Names a client of a library, in reverse-DNS form: `org.example.frame`.
public struct ClientID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The identifier as it was written.
  public let rawValue: String

  /// The client of the person at the terminal, made fully authorized when a library is made.
  public static let localDefault = ClientID(unchecked: "local.default")

  private init(unchecked: String) { rawValue = unchecked }

  /// Checks and wraps a client identifier.
  ///
  /// Returns nil unless it has 3 to 64 bytes and at least two labels of `[A-Za-z0-9-]` joined by
  /// dots, none empty and none starting with a dash.
  public init?(_ text: String) {
    guard (3...64).contains(text.utf8.count) else { return nil }
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count >= 2 else { return nil }
    for label in labels {
      guard let first = label.first, first != UInt8(ascii: "-") else { return nil }
      for byte in label {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
          continue
        default: return nil
        }
      }
    }
    rawValue = text
  }

  /// The text form.
  public var description: String { rawValue }

  /// Orders two values, the smaller first.
  public static func < (first: ClientID, second: ClientID) -> Bool {
    first.rawValue < second.rawValue
  }
}
