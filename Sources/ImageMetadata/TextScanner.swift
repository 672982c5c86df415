import PhotoModel

/// Reads digits and marks from ASCII text, one after the other; independent of any locale.
struct TextScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: String) { bytes = Array(text.utf8.prefix(256)) }
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }
  /// NULs end a text as its end does.
  var isAtEnd: Bool { next == nil || next == 0 }

  mutating func skip() { position = min(position + 1, bytes.count) }

  mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  /// The next byte, if it is one of `set`.
  mutating func take(anyOf set: String) -> UInt8? {
    guard let byte = next, set.utf8.contains(byte) else {
      return nil
    }
    position += 1
    return byte
  }

  /// A number of exactly so many digits; more digits behind it are not looked at.
  mutating func number(digits: Int) -> Int? {
    let start = position
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else {
        position = start
        return nil
      }
      value = value * 10 + digit
    }
    return value
  }

  /// A number of one digit up to `limit` digits.
  mutating func number(upTo limit: Int) -> Int? {
    guard var value = digit() else { return nil }
    for _ in 1..<limit {
      guard let digit = digit() else { break }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func digit() -> Int? {
    guard let byte = next, (0x30...0x39).contains(byte) else { return nil }
    position += 1
    return Int(byte) - 0x30
  }

  /// Digits behind a decimal point, in nanoseconds; nil without any digit.
  mutating func fraction() -> Int? {
    var value = 0
    var digits = 0
    while let digit = digit() {
      if digits < 9 { value = value * 10 + digit }
      digits += 1
    }
    guard digits > 0 else { return nil }
    while digits < 9 {
      value *= 10
      digits += 1
    }
    return value
  }

  /// Letters, at most `limit`, in lower case.
  mutating func word(upTo limit: Int = 12) -> String {
    let start = position
    while position - start < limit, let byte = next, (0x61...0x7A).contains(byte | 0x20) {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
  }

  /// `Z`, `+02:00`, `+0200` or `+02`; nil for anything else or more than 18 hours.
  mutating func offset() -> UTCOffset? {
    if take(anyOf: "Zz") != nil { return .utc }
    guard let sign = take(anyOf: "+-"), let hours = number(digits: 2) else { return nil }
    var minutes = 0
    if take(anyOf: ":") != nil {
      guard let found = number(digits: 2) else { return nil }
      minutes = found
    } else {
      minutes = number(digits: 2) ?? 0
    }
    guard minutes < 60 else { return nil }
    let total = hours * 60 + minutes
    return UTCOffset(minutes: sign == UInt8(ascii: "-") ? -total : total)
  }
}
