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

  /// Two digits a byte: 1 MB of metadata.
  private static let maximumProfile = 2 << 20

  static func outcome(
    _ type: String, _ data: [UInt8], context: RedactionContext, inflate: inout Inflate
  ) -> Outcome {
    guard let chunk = PNGText.parse(type, data) else {
      // Cut short, or packed in a way that no reader here knows.
      return PNGText.keyword(data).map { isKnown($0) || PlaceName.isPlace(keyword: $0) } == true
        ? .remove : .keep
    }
    if data.count > maximumProfile, RawProfile.isMetadata(keyword: chunk.keyword) { return .remove }
    guard chunk.isCompressed else {
      var changed = data
      changed.rewrite(chunk.start..<data.count) {
        redact(&$0, keyword: chunk.keyword, context: context)
      }
      return changed == data ? .keep : .rewrite(changed)
    }
    if PlaceName.isPlace(keyword: chunk.keyword) { return .remove }
    guard case .text(let text) = inflate.text(of: data[chunk.start...]) else {
      // What cannot be unpacked cannot be judged; where it is no metadata by its keyword it need not be.
      return isKnown(chunk.keyword) ? .remove : .keep
    }
    var redacted = text
    redact(&redacted, keyword: chunk.keyword, context: context)
    return redacted == text ? .keep : .remove
  }

  private static func isKnown(_ keyword: String) -> Bool {
    keyword == MetadataSignature.xmpKeyword || RawProfile.isMetadata(keyword: keyword)
  }

  private static func redact(_ text: inout [UInt8], keyword: String, context: RedactionContext) {
    if keyword == MetadataSignature.xmpKeyword {
      XMPRedaction.redact(&text, context: context)
    } else if RawProfile.isMetadata(keyword: keyword) {
      guard var profile = HexadecimalProfile(text) else { return }
      profile.rewrite { redact(profile: &$0, context: context) }
      text = profile.text
    } else if PlaceName.isPlace(keyword: keyword) {
      text.blank(0..<text.count)
    } else {
      ForeignRedaction.redact(&text, context: context, depth: 0)
    }
  }

  /// A profile's kind is in its bytes; the names that programs give them vary.
  private static func redact(profile bytes: inout [UInt8], context: RedactionContext) {
    let xmp = MetadataSignature.xmp
    if bytes.starts(with: MetadataSignature.exif) || TIFFBlock(bytes) != nil {
      TIFFRedaction.redact(exif: &bytes, context: context, depth: 0)
    } else if bytes.starts(with: xmp) {
      bytes.rewrite(xmp.count..<bytes.count) {
        XMPRedaction.redact(&$0, context: context)
      }
    } else if bytes.starts(with: "8BIM".utf8) || bytes.starts(with: MetadataSignature.photoshop) {
      IPTCRedaction.redact(resources: &bytes, context: context, depth: 0)
    } else if bytes.first == 0x1C {
      IPTCRedaction.redact(records: &bytes)
    } else if ForeignRedaction.holdsXMP(bytes) {
      XMPRedaction.redact(&bytes, context: context)
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

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x61 - 10 + value
  }
}
