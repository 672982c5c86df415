/// Blanks the places in IPTC-IIM records and in Photoshop's image resources.
enum IPTCRedaction {
  /// Record 2 of IIM 4.2: content location code and name, city, sub-location, province or state, country
  /// code and name.
  private static let places: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// Data sets: 0x1C, record, number, length, value.
  ///
  /// What is no data set is passed over, as exiv2 does.
  static func redact(records bytes: inout [UInt8]) {
    var position = 0
    while position + 5 <= bytes.count {
      guard bytes[position] == 0x1C else {
        position += 1
        continue
      }
      var length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      var start = position + 5
      if length >= 0x8000 {
        // The number of bytes of the length that follows (IIM 4.2, 1.5.2).
        let size = length & 0x7FFF
        guard size <= 4, start + size <= bytes.count else {
          position += 1
          continue
        }
        length = bytes[start..<(start + size)].reduce(0) { $0 << 8 | Int($1) }
        start += size
      }
      let isPlace = bytes[position + 1] == 2 && places.contains(bytes[position + 2])
      guard length <= bytes.count - start else {
        if isPlace { bytes.blank(start..<bytes.count) }
        position += 1
        continue
      }
      if isPlace { bytes.blank(start..<(start + length)) }
      position = start + length
    }
  }

  /// What the payload of APP13 begins with, today's and Photoshop 2.5's.
  static let signatures = [MetadataSignature.photoshop, Array("Adobe_Photoshop2.5:".utf8)]

  /// Image resources: `8BIM` or a sibling, id, padded name, size, padded data.
  static func redact(resources bytes: inout [UInt8], context: RedactionContext, depth: Int) {
    var digests: [Range<Int>] = []
    var hasPlace = false
    var position = 0
    while position + 12 <= bytes.count {
      guard types.contains(where: { bytes[position..<(position + 4)].elementsEqual($0) }) else {
        position += 1
        continue
      }
      let identifier = Int(bytes[position + 4]) << 8 | Int(bytes[position + 5])
      let nameLength = Int(bytes[position + 6]) + 1
      let sizeOffset = position + 6 + nameLength + nameLength % 2
      guard sizeOffset + 4 <= bytes.count else { break }
      let size = bytes[sizeOffset..<(sizeOffset + 4)].reduce(0) { $0 << 8 | Int($1) }
      let start = sizeOffset + 4
      // A resource that is cut off is still looked into.
      let end = start + min(size, bytes.count - start)
      let range = start..<end
      switch identifier {
      case 0x0404:
        bytes.rewrite(range) { part in
          let old = part
          redact(records: &part)
          if part != old { hasPlace = true }
        }
      case 0x0422, 0x0423:
        bytes.rewrite(range) {
          TIFFRedaction.redact(exif: &$0, context: context, depth: depth + 1)
        }
      case 0x0424:
        bytes.rewrite(range) { XMPRedaction.redact(&$0, context: context) }
      case 0x0425:
        digests.append(range)
      default:
        break
      }
      position = size <= bytes.count - start ? end + size % 2 : bytes.count
    }
    // The MD5 of the records: whoever has it can try all towns.
    if hasPlace || context.blanksDigests { for range in digests { bytes.fill(range) } }
  }

  private static let types = ["8BIM", "PHUT", "DCSR", "AgHg", "MeSa"].map { Array($0.utf8) }
}
