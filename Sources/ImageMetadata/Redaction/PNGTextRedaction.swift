/// Blanks the places in PNG's textual chunks (ISO/IEC 15948 11.3.4).
enum PNGTextRedaction {
  /// What is to become of a chunk.
  enum Outcome {
    case keep
    /// The same number of bytes, changed.
    case rewrite([UInt8])
    /// Compressed text that tells a place: it cannot be changed and keep its length, so all of it goes.
    case remove
  }

  static func outcome(_ type: String, _ data: [UInt8], blanksDigests: Bool) -> Outcome {
    guard let end = data.prefix(80).firstIndex(of: 0), end > 0 else { return .keep }
    let keyword = String(decoding: data[..<end], as: UTF8.self)
    guard let text = textStart(type, data, keywordEnd: end) else { return .keep }
    if text.isCompressed {
      let isPlace = PlaceName.isPlace(keyword)
      if isPlace { return .remove }
      guard isKnown(keyword) else { return .keep }
      // What cannot be unpacked cannot be judged.
      guard let inflated = InflatedText.unpack(data[text.start...]) else { return .remove }
      var redacted = inflated
      redact(&redacted, keyword: keyword, blanksDigests: blanksDigests)
      return redacted == inflated ? .keep : .remove
    }
    var changed = data
    changed.rewrite(text.start..<data.count) {
      redact(&$0, keyword: keyword, blanksDigests: blanksDigests)
    }
    return changed == data ? .keep : .rewrite(changed)
  }

  private static func textStart(
    _ type: String, _ data: [UInt8], keywordEnd end: Int
  ) -> (start: Int, isCompressed: Bool)? {
    switch type {
    case "tEXt": return (end + 1, false)
    case "zTXt": return data.count > end + 2 ? (end + 2, true) : nil
    default:
      // Compression flag and method, then language and translated keyword, each ended by a NUL.
      guard data.count > end + 3, let language = data[(end + 3)...].firstIndex(of: 0),
        let translated = data[(language + 1)...].firstIndex(of: 0)
      else { return nil }
      return (translated + 1, data[end + 1] != 0)
    }
  }

  private static func isKnown(_ keyword: String) -> Bool {
    keyword == "XML:com.adobe.xmp" || keyword.hasPrefix("Raw profile type ")
  }

  private static func redact(_ text: inout [UInt8], keyword: String, blanksDigests: Bool) {
    if keyword == "XML:com.adobe.xmp" {
      XMPRedaction.redact(&text, blanksDigests: blanksDigests)
    } else if keyword.hasPrefix("Raw profile type ") {
      guard var profile = HexadecimalProfile(text) else { return }
      profile.rewrite { redact(profile: &$0, blanksDigests: blanksDigests) }
      text = profile.text
    } else if PlaceName.isPlace(keyword) {
      text.blank(0..<text.count)
    }
  }

  /// A profile's kind is in its bytes; the names that programs give them vary.
  private static func redact(profile bytes: inout [UInt8], blanksDigests: Bool) {
    let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    if bytes.starts(with: TIFFRedaction.signature) || TIFFBlock(bytes) != nil {
      TIFFRedaction.redact(exif: &bytes, blanksDigests: blanksDigests, depth: 0)
    } else if bytes.starts(with: xmp) {
      bytes.rewrite(xmp.count..<bytes.count) {
        XMPRedaction.redact(&$0, blanksDigests: blanksDigests)
      }
    } else if bytes.starts(with: "8BIM".utf8) || bytes.starts(with: IPTC.signature) {
      IPTCRedaction.redact(resources: &bytes, blanksDigests: blanksDigests, depth: 0)
    } else if bytes.first == 0x1C {
      IPTCRedaction.redact(records: &bytes)
    } else if !bytes.offsets(of: "<rdf:RDF").isEmpty || !bytes.offsets(of: "<x:xmpmeta").isEmpty {
      XMPRedaction.redact(&bytes, blanksDigests: blanksDigests)
    }
  }
}

/// A profile as ImageMagick writes it into text: a line feed, its name, its length, then hexadecimal digits.
private struct HexadecimalProfile {
  private(set) var text: [UInt8]
  /// Where the two digits of each byte stand.
  private var digits: [(high: Int, low: Int)] = []

  /// Returns nil where there are no digits behind the third line feed.
  init?(_ text: [UInt8]) {
    self.text = text
    var lineFeeds = 0
    var start = 0
    while lineFeeds < 3, start < min(text.count, 256) {
      if text[start] == 0x0A { lineFeeds += 1 }
      start += 1
    }
    guard lineFeeds == 3 else { return nil }
    var high: Int?
    for index in start..<text.count where Self.value(text[index]) != nil {
      if let first = high {
        digits.append((first, index))
        high = nil
      } else {
        high = index
      }
    }
    if digits.isEmpty { return nil }
  }

  /// Writes the digits of the bytes that differ.
  mutating func rewrite(_ body: (inout [UInt8]) -> Void) {
    let old = digits.map { pair in
      (Self.value(text[pair.high]) ?? 0) << 4 | (Self.value(text[pair.low]) ?? 0)
    }
    var new = old
    body(&new)
    guard new.count == old.count else { return }
    for (index, pair) in digits.enumerated() where new[index] != old[index] {
      text[pair.high] = Self.digit(new[index] >> 4)
      text[pair.low] = Self.digit(new[index] & 15)
    }
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 - 10 + value }
}
