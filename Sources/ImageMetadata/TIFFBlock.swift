/// A TIFF structure in memory (TIFF 6.0 section 2), as EXIF uses it; every access is bounds-checked.
struct TIFFBlock {
  let bytes: [UInt8]
  let isBigEndian: Bool
  /// Where the first directory begins.
  let firstDirectory: Int

  /// Returns nil where the bytes do not begin with a byte order mark and the number 42.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    switch (bytes[0], bytes[1]) {
    case (0x49, 0x49): isBigEndian = false
    case (0x4D, 0x4D): isBigEndian = true
    default: return nil
    }
    self.bytes = bytes
    let magic = Self.number(bytes[2..<4], isBigEndian)
    guard magic == 42 else { return nil }
    firstDirectory = Self.number(bytes[4..<8], isBigEndian)
  }

  func uint16(at offset: Int) -> Int? { number(at: offset, length: 2) }
  func uint32(at offset: Int) -> Int? { number(at: offset, length: 4) }

  private func number(at offset: Int, length: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - length else { return nil }
    return Self.number(bytes[offset..<(offset + length)], isBigEndian)
  }

  private static func number(_ slice: ArraySlice<UInt8>, _ isBigEndian: Bool) -> Int {
    isBigEndian
      ? slice.reduce(0) { $0 << 8 | Int($1) } : slice.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The types of values (TIFF 6.0 section 2; 13 is IFD of TIFF technical note 1, 129 UTF-8 of EXIF 3.0).
enum TIFFType: Int {
  case byte = 1
  case ascii = 2
  case short = 3
  case long = 4
  case rational = 5
  case signedByte = 6
  case undefined = 7
  case signedShort = 8
  case signedLong = 9
  case signedRational = 10
  case float = 11
  case double = 12
  case directory = 13
  case utf8 = 129

  /// Bytes of one value.
  var size: Int {
    switch self {
    case .byte, .ascii, .signedByte, .undefined, .utf8: 1
    case .short, .signedShort: 2
    case .long, .signedLong, .float, .directory: 4
    case .rational, .signedRational, .double: 8
    }
  }
}

/// A fraction as it stands in the file; either part may be 0.
package struct Rational: Hashable, Sendable {
  package let numerator: Int
  package let denominator: Int

  package init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// Nil where the denominator is 0, which EXIF writers use for "unknown".
  package var value: Double? {
    denominator == 0 ? nil : Double(numerator) / Double(denominator)
  }

  /// Nil where it is no whole number.
  package var wholeNumber: Int? {
    guard denominator != 0, numerator % denominator == 0 else { return nil }
    return numerator / denominator
  }
}
