/// JPEG files made by hand (ITU-T T.81): every 8x8 block is flat, so its only coefficient is the
/// DC, and the Huffman codes are trivial.
///
/// What a decoder must give is plain from the numbers put in.
struct JPEGBytes {
  /// In blocks of 8x8 pixels.
  var across: Int
  var down: Int
  var components = 3
  var isProgressive = false
  var isInterleaved = true
  /// How often the scans are written; more than once makes a scan bomb.
  var repetitions = 1
  /// APP14's transform: 0 none, 1 YCbCr, 2 YCCK.
  var adobeTransform: UInt8?
  var hasJFIF = false
  var hasEndMarker = true
  var profile: [UInt8] = []
  var identifiers: [UInt8] = [1, 2, 3, 4]
  /// What the header says; the data is of `across * 8`.
  var declaredWidth: Int?
  var declaredHeight: Int?
  /// Component and block to the level 0...255 of the file's own colour space.
  var level: (_ component: Int, _ x: Int, _ y: Int) -> Int

  init(across: Int, down: Int, components: Int, level: @escaping (Int, Int, Int) -> Int) {
    self.across = across
    self.down = down
    self.components = components
    self.level = level
  }

  func file() -> [UInt8] {
    var result: [UInt8] = [0xFF, 0xD8]
    if hasJFIF {
      result += segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    }
    if let adobeTransform {
      result += segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, adobeTransform])
    }
    if !profile.isEmpty {
      // In two segments, so that joining them is tested too.
      let half = profile.count / 2
      result += segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 2] + profile[..<half])
      result += segment(0xE2, Array("ICC_PROFILE\0".utf8) + [2, 2] + profile[half...])
    }
    // With a quantiser of 8 the DC coefficient is the level minus 128.
    result += segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
    let (width, height) = (declaredWidth ?? across * 8, declaredHeight ?? down * 8)
    var frame: [UInt8] = [8, UInt8(height >> 8), UInt8(height & 255)]
    frame += [UInt8(width >> 8), UInt8(width & 255), UInt8(components)]
    for index in 0..<components { frame += [identifiers[index], 0x11, 0] }
    result += segment(isProgressive ? 0xC2 : 0xC0, frame)
    // DC: categories 0 to 11 have the 4-bit codes 0 to 11. AC: end of block is the code 0.
    result += segment(0xC4, [0x00, 0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0..<12))
    result += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    for _ in 0..<repetitions {
      if isInterleaved {
        result += scan(Array(0..<components))
      } else {
        for component in 0..<components { result += scan([component]) }
      }
    }
    return result + (hasEndMarker ? [0xFF, 0xD9] : [])
  }

  private func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
  }

  private func scan(_ members: [Int]) -> [UInt8] {
    var header: [UInt8] = [UInt8(members.count)]
    for member in members { header += [identifiers[member], 0x00] }
    header += [0, isProgressive ? 0 : 63, 0]
    var bits = Bits()
    var last = [Int](repeating: 0, count: components)
    for y in 0..<down {
      for x in 0..<across {
        for member in members {
          let value = level(member, x, y) - 128
          let difference = value - last[member]
          last[member] = value
          let category = Int.bitWidth - abs(difference).leadingZeroBitCount
          bits.append(category, count: 4)
          // F.1.2.1: negative differences are sent as one's complement.
          let extra = difference < 0 ? difference + (1 << category) - 1 : difference
          bits.append(extra, count: category)
          if !isProgressive { bits.append(0, count: 1) }
        }
      }
    }
    return segment(0xDA, header) + bits.finish()
  }

  private struct Bits {
    private var bytes: [UInt8] = []
    private var pending = 0
    private var pendingCount = 0

    mutating func append(_ value: Int, count: Int) {
      for bit in (0..<count).reversed() {
        pending = pending << 1 | (value >> bit & 1)
        pendingCount += 1
        guard pendingCount == 8 else { continue }
        bytes.append(UInt8(pending))
        if pending == 0xFF { bytes.append(0) }
        (pending, pendingCount) = (0, 0)
      }
    }

    mutating func finish() -> [UInt8] {
      while pendingCount != 0 { append(1, count: 1) }
      return bytes
    }
  }
}
