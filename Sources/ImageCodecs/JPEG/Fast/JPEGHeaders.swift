import PhotoModel

/// The marker segments of a JPEG file in memory (ITU-T T.81 annex B), as far as decoding needs them.
///
/// It reads only files whose headers are in order; `nil` and `false` mean that libjpeg-turbo, which
/// knows how to mend many faults, should have the file.
struct JPEGHeaders {
  struct Component {
    let identifier: UInt8
    /// Sampling factors.
    let horizontal: Int
    let vertical: Int
    let quantiser: Int
  }

  struct Scan {
    struct Member {
      /// Its place in the frame header.
      let component: Int
      let dc: Int
      let ac: Int
    }
    let members: [Member]
    /// The band of coefficients, and the bits before and after (T.81 B.2.3).
    let first: Int
    let last: Int
    let high: Int
    let low: Int
    /// Where the entropy-coded data begins.
    let dataOffset: Int
  }

  enum Colours {
    case grey
    case luminanceAndChrominance
    case rgb
  }

  private(set) var isProgressive = false
  private(set) var size = PixelSize(width: 0, height: 0)
  private(set) var components: [Component] = []
  /// In zigzag order.
  private(set) var quantisers: [[UInt16]?] = [nil, nil, nil, nil]
  private(set) var dcCodes: [HuffmanCode?] = [nil, nil, nil, nil]
  private(set) var acCodes: [HuffmanCode?] = [nil, nil, nil, nil]
  /// In units; 0 without restart markers.
  private(set) var restartInterval = 0
  /// What DNL tells (B.2.5): the height of a picture whose frame header leaves it open.
  private(set) var lines: Int?
  private var hasJFIF = false
  private var adobeTransform: UInt8?
  /// Parts of the profile by their number, from 1.
  private var profileParts: [Int: Range<Int>] = [:]
  private var profileCount = 0
  private var isProfileBroken = false

  /// In samples of the component that is sampled finest.
  var widest: Int { components.map(\.horizontal).max() ?? 1 }
  var tallest: Int { components.map(\.vertical).max() ?? 1 }

  /// Whether Adobe's marker names a transform that libjpeg warns of and guesses.
  var hasUnknownTransform: Bool {
    components.count == 3 && !hasJFIF && (adobeTransform ?? 0) > 1
  }

  /// How the components become colours, by the rules of libjpeg: JFIF means YCbCr, else Adobe's marker
  /// tells, else the identifiers.
  var colours: Colours {
    if components.count == 1 { return .grey }
    if hasJFIF { return .luminanceAndChrominance }
    if let adobeTransform { return adobeTransform == 0 ? .rgb : .luminanceAndChrominance }
    return components.map(\.identifier) == Array("RGB".utf8) ? .rgb : .luminanceAndChrominance
  }

  /// What the marker segments lead to.
  enum Part {
    case scan(Scan)
    /// The end marker of the picture.
    case end
  }

  /// Reads on from `offset`, 0 for the beginning of the file, to the next scan header or the end of the
  /// picture; nil where anything is out of order.
  mutating func next(_ bytes: Span<UInt8>, from offset: Int) -> Part? {
    var position = offset
    if offset == 0 {
      guard bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
      position = 2
    }
    while position + 2 <= bytes.count, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      if marker == 0xFF {
        position += 1
        continue
      }
      if marker == 0xD9 { return .end }
      // Some cameras put one behind the last unit, too.
      if offset > 0, (0xD0...0xD7).contains(marker) {
        position += 2
        continue
      }
      guard marker >= 0xC0, !(0xD0...0xD9).contains(marker), position + 4 <= bytes.count else {
        return nil
      }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let payload = position + 4
      let end = position + 2 + length
      guard length >= 2, end <= bytes.count else { return nil }
      if marker == 0xDA { return scan(bytes, payload..<end).map { .scan($0) } }
      guard take(marker, bytes, payload..<end) else { return nil }
      position = end
    }
    return nil
  }

  /// The ICC profile, put together from its APP2 segments (ICC.1:2022 B.4); nil if there is none or
  /// not all of it.
  func profile(_ bytes: Span<UInt8>, limit: Int) -> [UInt8]? {
    guard profileCount > 0, !isProfileBroken, profileParts.count == profileCount else { return nil }
    guard profileParts.values.reduce(0, { $0 + $1.count }) <= limit else { return nil }
    var result: [UInt8] = []
    for number in 1...profileCount {
      guard let part = profileParts[number] else { return nil }
      for index in part { result.append(bytes[index]) }
    }
    return result
  }

  private mutating func take(_ marker: UInt8, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    switch marker {
    case 0xC0, 0xC1, 0xC2: return takeFrame(marker, bytes, range)
    case 0xC4: return takeHuffman(bytes, range)
    case 0xDB: return takeQuantisers(bytes, range)
    case 0xDD:
      guard range.count == 2 else { return false }
      restartInterval = Int(bytes[range.lowerBound]) << 8 | Int(bytes[range.lowerBound + 1])
    case 0xE0:
      if matches(bytes, range, "JFIF\0"), range.count >= 14 {
        // libjpeg warns of other versions.
        guard bytes[range.lowerBound + 5] == 1 else { return false }
        hasJFIF = true
      }
    case 0xE2:
      takeProfile(bytes, range)
    case 0xEE:
      if matches(bytes, range, "Adobe"), range.count >= 12 {
        adobeTransform = bytes[range.lowerBound + 11]
      }
    case 0xDC:
      guard range.count == 2 else { return false }
      lines = Int(bytes[range.lowerBound]) << 8 | Int(bytes[range.lowerBound + 1])
    case 0xE1...0xEF, 0xFE: break
    default: return false
    }
    return true
  }

  private func matches(_ bytes: Span<UInt8>, _ range: Range<Int>, _ text: StaticString) -> Bool {
    let wanted = Array("\(text)".utf8)
    guard range.count >= wanted.count else { return false }
    return wanted.indices.allSatisfy { bytes[range.lowerBound + $0] == wanted[$0] }
  }

  private mutating func takeFrame(
    _ marker: UInt8, _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> Bool {
    let start = range.lowerBound
    guard components.isEmpty, range.count >= 9, bytes[start] == 8 else { return false }
    let count = Int(bytes[start + 5])
    guard count == 1 || count == 3, range.count == 6 + 3 * count else { return false }
    isProgressive = marker == 0xC2
    size = PixelSize(
      width: Int(bytes[start + 3]) << 8 | Int(bytes[start + 4]),
      height: Int(bytes[start + 1]) << 8 | Int(bytes[start + 2]))
    for index in 0..<count {
      let place = start + 6 + 3 * index
      let factors = bytes[place + 1]
      components.append(
        Component(
          identifier: bytes[place], horizontal: Int(factors >> 4), vertical: Int(factors & 15),
          quantiser: Int(bytes[place + 2])))
    }
    guard Set(components.map(\.identifier)).count == count else { return false }
    let (widest, tallest) = (widest, tallest)
    return components.allSatisfy {
      (1...4).contains($0.horizontal) && (1...4).contains($0.vertical) && $0.quantiser < 4
        && widest.isMultiple(of: $0.horizontal) && tallest.isMultiple(of: $0.vertical)
    }
  }

  private mutating func takeHuffman(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      guard range.upperBound - position >= 17 else { return false }
      let kind = bytes[position]
      let counts = (1...16).map { bytes[position + $0] }
      position += 17
      let total = counts.reduce(0) { $0 + Int($1) }
      guard kind & 15 < 4, kind >> 4 < 2, range.upperBound - position >= total,
        let code = HuffmanCode(
          counts: counts, symbols: (0..<total).map { bytes[position + $0] })
      else { return false }
      position += total
      if kind >> 4 == 0 {
        dcCodes[Int(kind & 15)] = code
      } else {
        acCodes[Int(kind & 15)] = code
      }
    }
    return true
  }

  private mutating func takeQuantisers(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      let kind = bytes[position]
      let width = kind >> 4 == 0 ? 1 : 2
      position += 1
      guard kind & 15 < 4, kind >> 4 < 2, range.upperBound - position >= 64 * width else {
        return false
      }
      quantisers[Int(kind & 15)] = (0..<64).map { index in
        width == 1
          ? UInt16(bytes[position + index])
          : UInt16(bytes[position + 2 * index]) << 8 | UInt16(bytes[position + 2 * index + 1])
      }
      position += 64 * width
    }
    return true
  }

  private mutating func takeProfile(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    guard range.count > 14, matches(bytes, range, "ICC_PROFILE\0") else { return }
    let number = Int(bytes[range.lowerBound + 12])
    let count = Int(bytes[range.lowerBound + 13])
    if profileCount == 0 { profileCount = count }
    guard count == profileCount, (1...max(1, count)).contains(number), profileParts[number] == nil
    else {
      isProfileBroken = true
      return
    }
    profileParts[number] = range.lowerBound + 14..<range.upperBound
  }

  private func scan(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Scan? {
    guard !components.isEmpty, range.count >= 6 else { return nil }
    let start = range.lowerBound
    let count = Int(bytes[start])
    guard (1...components.count).contains(count), range.count == 4 + 2 * count else { return nil }
    var members: [Scan.Member] = []
    for index in 0..<count {
      let identifier = bytes[start + 1 + 2 * index]
      let tables = bytes[start + 2 + 2 * index]
      guard let component = components.firstIndex(where: { $0.identifier == identifier }),
        // In the frame header's order (B.2.3); libjpeg gives up at another.
        members.allSatisfy({ $0.component < component }), tables >> 4 < 4, tables & 15 < 4
      else { return nil }
      members.append(
        Scan.Member(component: component, dc: Int(tables >> 4), ac: Int(tables & 15)))
    }
    let blocks = members.reduce(0) {
      $0 + components[$1.component].horizontal * components[$1.component].vertical
    }
    // T.81 B.2.3: at most 10 blocks in a unit of several components.
    guard count == 1 || blocks <= 10 else { return nil }
    let place = start + 1 + 2 * count
    return Scan(
      members: members, first: Int(bytes[place]), last: Int(bytes[place + 1]),
      high: Int(bytes[place + 2] >> 4), low: Int(bytes[place + 2] & 15),
      dataOffset: range.upperBound)
  }
}
