/// XMP that does not fit one JPEG segment: parts that name their packet by a GUID, its whole length and
/// their own offset in it (XMP specification part 3, 1.1.3.1).
///
/// Only the packet that the main packet names counts, and only if its parts agree on the length and cover
/// all of it exactly once.
struct ExtendedXMP {
  /// Signature, GUID, length and offset.
  static let headLength = 35 + 32 + 8
  /// Parts of all packets that are noted.
  private static let maximumParts = 256

  struct Part: Hashable {
    let identifier: [UInt8]
    let totalLength: Int
    let offset: Int
    /// Where the part's bytes lie in the file.
    let range: Range<Int>
  }

  private var parts: [Part] = []

  /// Notes a segment whose payload begins with `head` and lies at `range` of the file.
  mutating func add(head: [UInt8], at range: Range<Int>) {
    guard head.count >= Self.headLength, range.count > Self.headLength,
      parts.count < Self.maximumParts
    else { return }
    let start = MetadataSignature.extendedXMP.count
    func number(at index: Int) -> Int {
      head[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    parts.append(
      Part(
        identifier: Array(head[start..<(start + 32)]), totalLength: number(at: start + 32),
        offset: number(at: start + 36),
        range: (range.lowerBound + Self.headLength)..<range.upperBound))
  }

  enum Outcome: Hashable {
    /// The main packet names none, or none that is here.
    case absent
    /// The parts in order.
    case parts([Range<Int>])
    case damaged
    case tooLong
  }

  /// The packet of the GUID that the main packet names, if it has at most `limit` bytes.
  func packet(named name: String?, limit: Int) -> Outcome {
    guard let identifier = name.map({ Array($0.uppercased().utf8) }), identifier.count == 32 else {
      return .absent
    }
    let own = parts.filter {
      String(decoding: $0.identifier, as: UTF8.self).uppercased().utf8.elementsEqual(identifier)
    }
    guard let total = own.first?.totalLength else { return .absent }
    guard total <= limit else { return .tooLong }
    var next = 0
    var ranges: [Range<Int>] = []
    for part in own.sorted(by: { $0.offset < $1.offset }) {
      guard part.totalLength == total, part.offset == next else { return .damaged }
      next += part.range.count
      ranges.append(part.range)
    }
    return next == total ? .parts(ranges) : .damaged
  }
}
