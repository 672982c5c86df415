/// A directory entry whose value lies wholly inside the block.
struct TIFFEntry {
  let tag: Int
  let type: TIFFType
  let count: Int
  /// Where the value lies in the block.
  let offset: Int
  private let block: TIFFBlock

  /// Reads the 12 bytes at `position`; nil for an unknown type, no values, or a value outside.
  init?(at position: Int, in block: TIFFBlock) {
    guard let tag = block.uint16(at: position),
      let type = block.uint16(at: position + 2).flatMap(TIFFType.init(rawValue:)),
      let count = block.uint32(at: position + 4), count > 0
    else { return nil }
    // At most 2^32 values of 8 bytes: no overflow.
    let length = count * type.size
    guard let offset = length <= 4 ? position + 8 : block.uint32(at: position + 8),
      length <= block.bytes.count, offset <= block.bytes.count - length
    else { return nil }
    self.tag = tag
    self.type = type
    self.count = count
    self.offset = offset
    self.block = block
  }

  /// The text up to its first NUL, at most `limit` bytes of it, or nil where it is no text.
  ///
  /// Bytes that are not UTF-8 become U+FFFD. Writers store text also as BYTE and UNDEFINED.
  func text(limit: Int = 256) -> String? {
    switch type {
    case .ascii, .utf8, .byte, .undefined: break
    default: return nil
    }
    let bytes = block.bytes[offset..<(offset + min(count, limit))].prefix { $0 != 0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of a date and time, at most 64 bytes of it.
  ///
  /// Where the first NUL stands directly behind the day and is not the end, it is a mark between the two
  /// for some writers: what follows is kept, NULs and all, for `DateText` to judge.
  var dateText: String? {
    guard let text = text(limit: 64), (8...11).contains(text.utf8.count) else {
      return text(limit: 64)
    }
    let bytes = block.bytes[offset..<(offset + min(count, 64))]
    guard bytes.dropFirst(text.utf8.count).contains(where: { $0 > 0x20 }) else { return text }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of digits, at most 64 bytes of it; of a number, which some writers put in its place, the
  /// decimal digits.
  var digits: String? { text(limit: 64) ?? integer().map(String.init) }

  /// The value at `index`, or nil where it is no integer.
  ///
  /// A fraction that is whole counts as one.
  func integer(at index: Int = 0) -> Int? {
    guard index >= 0, index < count else { return nil }
    let position = offset + index * type.size
    switch type {
    case .byte, .undefined: return Int(block.bytes[position])
    case .signedByte: return Int(Int8(bitPattern: block.bytes[position]))
    case .short: return block.uint16(at: position)
    case .signedShort:
      return block.uint16(at: position).map { Int(Int16(truncatingIfNeeded: $0)) }
    case .long, .directory: return block.uint32(at: position)
    case .signedLong:
      return block.uint32(at: position).map { Int(Int32(truncatingIfNeeded: $0)) }
    case .rational, .signedRational: return rational(at: index)?.wholeNumber
    case .ascii, .utf8, .float, .double: return nil
    }
  }

  /// The fraction at `index`; integers count as fractions of 1.
  func rational(at index: Int = 0) -> Rational? {
    guard index >= 0, index < count else { return nil }
    guard type == .rational || type == .signedRational else {
      return integer(at: index).map { Rational($0, 1) }
    }
    let position = offset + index * 8
    guard let numerator = block.uint32(at: position),
      let denominator = block.uint32(at: position + 4)
    else { return nil }
    guard type == .signedRational else { return Rational(numerator, denominator) }
    return Rational(
      Int(Int32(truncatingIfNeeded: numerator)), Int(Int32(truncatingIfNeeded: denominator)))
  }

  /// All fractions, if there are at most `limit`.
  func rationals(limit: Int = 3) -> [Rational]? {
    guard count <= limit else { return nil }
    let all = (0..<count).compactMap { rational(at: $0) }
    return all.count == count ? all : nil
  }
}
