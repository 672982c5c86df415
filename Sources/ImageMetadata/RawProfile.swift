/// The text chunks in which ImageMagick, and what follows its custom, keeps the metadata of other formats:
/// the keyword is "Raw profile type " and a name; the text is a newline, a name, a newline, the number of
/// bytes, a newline, and the bytes as hexadecimal digits with newlines between.
enum RawProfile {
  /// What the bytes of a profile are, whatever its name says.
  enum Content: Hashable {
    case exif([UInt8])
    case xmp([UInt8])
    /// Photoshop's image resources, without the signature of APP13.
    case resources([UInt8])
    /// IPTC-IIM records without resources around them.
    case records([UInt8])
  }

  private static let prefix = "Raw profile type "
  private static let names = ["exif", "app1", "xmp", "iptc", "8bim"]

  /// Whether a chunk of this keyword may hold metadata; colour profiles do not.
  static func isMetadata(keyword: String) -> Bool {
    // Readers take it in any letters.
    let keyword = keyword.lowercased()
    return keyword.hasPrefix(prefix.lowercased())
      && names.contains(String(keyword.dropFirst(prefix.count)))
  }

  /// The bytes that a text spells out; nil where it is not of this form.
  ///
  /// A text that ends early gives the bytes up to there, and no more than the number that it states.
  static func bytes(_ text: [UInt8]) -> [UInt8]? {
    var scanner = TextScanner(text)
    scanner.skipBlanks()
    // The name; it may have blanks, as in "generic profile".
    while let byte = scanner.next, byte != 0x0A { scanner.skip() }
    scanner.skipBlanks()
    guard let count = scanner.number(upTo: 9), let mark = scanner.next, mark == 0x0A || mark == 0x0D
    else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(count, text.count / 2))
    var high: UInt8?
    for byte in text[scanner.position...] where bytes.count < count {
      guard let digit = digit(byte) else {
        if byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
        break
      }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }

  /// Nil for what is no metadata.
  static func content(_ bytes: [UInt8]) -> Content? {
    let order = bytes.prefix(2)
    if bytes.starts(with: MetadataSignature.exif) {
      return .exif(Array(bytes.dropFirst(MetadataSignature.exif.count)))
    }
    if order.elementsEqual("II".utf8) || order.elementsEqual("MM".utf8) { return .exif(bytes) }
    if bytes.starts(with: MetadataSignature.xmp) {
      return .xmp(Array(bytes.dropFirst(MetadataSignature.xmp.count)))
    }
    if bytes.starts(with: MetadataSignature.photoshop) {
      return .resources(Array(bytes.dropFirst(MetadataSignature.photoshop.count)))
    }
    if bytes.starts(with: "8BIM".utf8) { return .resources(bytes) }
    if bytes.first == 0x1C { return .records(bytes) }
    // Markup, a byte order mark before it or not.
    let isMarkup = bytes.first == UInt8(ascii: "<") || bytes.starts(with: [0xEF, 0xBB, 0xBF])
    return isMarkup ? .xmp(bytes) : nil
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
