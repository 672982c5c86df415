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

  var nextIsDigit: Bool { next.map { (0x30...0x39).contains($0) } ?? false }

  mutating func skip() { position = min(position + 1, bytes.count) }

  mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
  }

  /// Skips blanks, and NULs that some writers put for them; returns whether there were any.
  mutating func skipGap() -> Bool {
    let start = position
    while let byte = next, byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte) {
      position += 1
    }
    return position > start
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

  /// Two digits, or a blank and one, as C's `%2d` writes small numbers.
  mutating func field() -> Int? {
    if let number = number(digits: 2) { return number }
    let start = position
    if take(anyOf: " ") != nil, let number = number(digits: 1) { return number }
    position = start
    return nil
  }

  /// `Z`, `+02:00`, `+0200`, `+02`, and with an hour of one digit `+5:45` and `+5`; nil for anything else,
  /// which is not read.
  mutating func offset() -> StatedOffset? {
    if take(anyOf: "Zz") != nil { return .known(.utc) }
    let start = position
    guard let sign = take(anyOf: "+-") else { return nil }
    let digits = bytes[position...].prefix { (0x30...0x39).contains($0) }.count
    var hours: Int?
    var minutes: Int? = 0
    switch digits {
    case 1, 2:
      hours = number(digits: digits)
      if take(anyOf: ":") != nil { minutes = number(digits: 2) }
    case 4:
      hours = number(digits: 2)
      minutes = number(digits: 2)
    default:
      break
    }
    guard let hours, let minutes else {
      position = start
      return nil
    }
    let total = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    guard minutes < 60, UTCOffset.minutesInUse.contains(total) else { return .unknown }
    return UTCOffset(minutes: total).map { .known($0) } ?? .unknown
  }

  /// An offset, a zone's name as mail has it (RFC 5322 4.3), or the capital letters of another, and what
  /// stands behind it in parentheses; nil for anything else.
  ///
  /// Abbreviations of other zones are not unique (`IST` is three of them): which offset they mean is not known.
  mutating func zone() -> StatedOffset? {
    let start = position
    let word = word()
    var found: StatedOffset?
    if word.isEmpty {
      found = offset()
    } else if let hours = Self.zones[word], let offset = UTCOffset(minutes: hours * 60) {
      // `GMT+0100`, as JavaScript writes it.
      found = hours == 0 ? self.offset() ?? .known(offset) : .known(offset)
    } else if word.utf8.count <= 5, word != "am", word != "pm",
      bytes[start..<position].allSatisfy({ $0 < 0x61 })
    {
      found = .unknown
    }
    if found == nil {
      position = start
    } else {
      skipComment()
    }
    return found
  }

  private mutating func skipComment() {
    let start = position
    skipBlanks()
    if take(anyOf: "(") != nil, let end = bytes[position...].firstIndex(of: UInt8(ascii: ")")) {
      position = end + 1
    } else {
      position = start
    }
  }

  /// In hours.
  private static let zones = [
    "gmt": 0, "ut": 0, "utc": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7,
  ]
}

/// The difference from UTC that a text names.
enum StatedOffset: Hashable {
  case known(UTCOffset)
  /// It names one that no clock has, or a zone that is not known: as good as none.
  case unknown

  var value: UTCOffset? {
    if case .known(let offset) = self { offset } else { nil }
  }
}
