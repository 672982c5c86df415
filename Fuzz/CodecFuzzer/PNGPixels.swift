import ImageContainer

/// PNG files whose checksums are put right, so that a changed byte is not refused at once: the first byte
/// of an input says how, the others are the file or what it is made of.
enum PNGPixels {
  private static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

  static func examine(_ input: [UInt8]) {
    guard let kind = input.first else { return }
    let bytes = Array(input.dropFirst())
    let file =
      switch kind % 3 {
      case 0: bytes
      case 1: withRightCRCs(bytes)
      default: made(of: bytes)
      }
    // Interlaced pictures are read in full as long as less than a factor of 4 is asked for.
    Comparison.check(file, reduction: 3)
  }

  /// The same chunks with right CRCs.
  private static func withRightCRCs(_ file: [UInt8]) -> [UInt8] {
    var result = file
    var position = signature.count
    while position + 12 <= result.count {
      let length = result[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= result.count - position - 12 else { break }
      let end = position + 8 + length
      result.replaceSubrange(end..<end + 4, with: check(Array(result[position + 4..<end])))
      position = end + 4
    }
    return result
  }

  /// A picture of which the bytes give kind, size and chunk length, then palette and transparency, then the
  /// filtered rows; all that is missing is zero.
  private static func made(of bytes: [UInt8]) -> [UInt8] {
    var rest = bytes[...]
    func next() -> Int { Int(rest.popFirst() ?? 0) }
    let kinds = [
      (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4), (3, 8),
      (4, 8), (4, 16), (6, 8), (6, 16),
    ]
    let (type, depth) = kinds[next() % kinds.count]
    let (width, height) = (1 + next() % 64, 1 + next() % 64)
    let options = next()
    let isInterlaced = options & 1 == 1
    var file = signature
    file += chunk(
      "IHDR",
      [0, 0, 0, UInt8(width), 0, 0, 0, UInt8(height), UInt8(depth), UInt8(type), 0, 0]
        + [isInterlaced ? 1 : 0])
    if type == 3 {
      let count = 3 * (1 + next() % (1 << depth))
      file += chunk("PLTE", (0..<count).map { _ in UInt8(next()) })
    }
    if options & 2 != 0 {
      let count = type == 3 ? 1 + next() % 16 : type == 0 ? 2 : 6
      file += chunk("tRNS", (0..<count).map { _ in UInt8(next()) })
    }
    let samples = type == 2 ? 3 : type == 4 ? 2 : type == 6 ? 4 : 1
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    var lines: [UInt8] = []
    for (x, y, across, down) in isInterlaced ? passes : [(0, 0, 1, 1)] {
      let columns = max(0, (width - x + across - 1) / across)
      if columns == 0 { continue }
      for _ in stride(from: y, to: height, by: down) {
        lines.append(UInt8(next() % (options & 4 != 0 ? 6 : 5)))
        for _ in 0..<(columns * samples * depth + 7) / 8 { lines.append(UInt8(next())) }
      }
    }
    let data = stored(lines)
    let length = options & 8 != 0 ? 1 + options >> 4 : data.count
    for start in stride(from: 0, to: data.count, by: length) {
      file += chunk("IDAT", Array(data[start...].prefix(length)))
    }
    return file + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return big(UInt32(data.count)) + body + check(body)
  }

  private static func check(_ bytes: [UInt8]) -> [UInt8] {
    var crc = CRC32()
    crc.update(bytes)
    return big(crc.value)
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// A zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
  private static func stored(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let count = min(65_535, data.count - start)
      let length = [UInt8(count & 255), UInt8(count >> 8)]
      result += [start + count == data.count ? 1 : 0] + length + length.map { ~$0 }
      result += data[start..<start + count]
      start += count
    } while start < data.count
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in data {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return result + big(high << 16 | low)
  }
}
