import PhotoModel
import PhotoStore

/// A place in a client's history, to be kept and come back with, also after a restart.
///
/// Its bytes tell nothing: not how much happened in the library, and not to whom. Two tokens of one place
/// are equal. Another client cannot use it, and nobody can make one.
public struct ChangeToken: Hashable, Sendable, CustomStringConvertible {
  /// The bytes, to be kept; their number and meaning may change.
  public let bytes: [UInt8]

  /// Takes bytes that were kept; whether they are a token is found out where it is used.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Reads what `description` gave; nil for anything else than pairs of hexadecimal digits.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2), digits.count <= 2 * Self.greatestCount else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// The bytes in hexadecimal digits.
  public var description: String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  private static let greatestCount = 256

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension ChangeToken {
  /// The version byte, two numbers of 8 bytes, and 16 bytes of code.
  private static let plainCount = 17
  private static let codeCount = 16

  /// Plain text under a mask that its own code decides on (a synthetic initialization vector, as RFC 5297 has
  /// it), then the code: equal positions have equal tokens, and all others share nothing.
  static func seal(
    _ position: HistoryPosition, for client: ClientID?, in transaction: ReadTransaction
  ) throws(StoreError) -> [UInt8] {
    var plain: [UInt8] = [1]
    for number in [position.ordinal, position.sequence] {
      plain += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    let code = try code(of: plain, for: client, in: transaction)
    return try masked(plain, code, in: transaction) + code
  }

  /// Nil for what `seal` did not make for this client in this library.
  static func open(
    _ bytes: [UInt8], for client: ClientID?, in transaction: ReadTransaction
  ) throws(StoreError) -> HistoryPosition? {
    guard bytes.count == plainCount + codeCount else { return nil }
    let code = Array(bytes[plainCount...])
    let plain = try masked(Array(bytes[..<plainCount]), code, in: transaction)
    let expected = try Self.code(of: plain, for: client, in: transaction)
    // Without a branch on a byte, so that time does not tell how much of a code is right.
    guard zip(code, expected).reduce(UInt8(0), { $0 | ($1.0 ^ $1.1) }) == 0, plain[0] == 1
    else { return nil }
    let numbers = [plain[1..<9], plain[9..<17]].map { $0.reduce(Int64(0)) { $0 << 8 | Int64($1) } }
    return HistoryPosition(sequence: numbers[1], ordinal: numbers[0])
  }

  private static func code(
    of plain: [UInt8], for client: ClientID?, in transaction: ReadTransaction
  ) throws(StoreError) -> [UInt8] {
    // No identifier of a client has a NUL; the owner is none.
    let who = client.map { Array($0.rawValue.utf8) } ?? []
    let message = Array("token".utf8) + [0] + who + [0] + plain
    return Array(try transaction.authenticationCode(of: message).prefix(codeCount))
  }

  private static func masked(
    _ bytes: [UInt8], _ code: [UInt8], in transaction: ReadTransaction
  ) throws(StoreError) -> [UInt8] {
    let mask = try transaction.authenticationCode(of: Array("mask".utf8) + [0] + code)
    return zip(bytes, mask).map { $0 ^ $1 }
  }
}
