/// PNG files made by hand (ISO/IEC 15948), their data in stored deflate blocks (RFC 1950, 1951), so
/// that no library stands between a test's numbers and the file.
struct PNGBytes {
  var width: Int
  var height: Int
  var depth = 8
  /// 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha.
  var colourType = 2
  var isInterlaced = false
  var palette: [UInt8] = []
  var transparency: [UInt8] = []
  var profile: [UInt8] = []
  /// Packed rows without filter bytes; for an interlaced picture the passes' rows one after
  /// another.
  var rows: [[UInt8]]
  /// The filter type of each row, whose bytes are then taken as filtered; none: all are 0.
  var filters: [UInt8] = []
  /// The most bytes of an IDAT chunk; 0 puts all data into one.
  var dataChunk = 0

  init(width: Int, height: Int, rows: [[UInt8]]) {
    self.width = width
    self.height = height
    self.rows = rows
  }

  /// RGB, every pixel from a function of column and row.
  static func rgb(
    _ width: Int, _ height: Int, _ colour: (Int, Int) -> [UInt8]
  ) -> PNGBytes {
    PNGBytes(
      width: width, height: height,
      rows: (0..<height).map { y in (0..<width).flatMap { x in colour(x, y) } })
  }

  func file() -> [UInt8] {
    var result: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
    result += Self.chunk(
      "IHDR",
      Self.big(width) + Self.big(height)
        + [UInt8(depth), UInt8(colourType), 0, 0, isInterlaced ? 1 : 0])
    if !profile.isEmpty {
      result += Self.chunk("iCCP", Array("p\0\0".utf8) + Self.zlib(profile))
    }
    if !palette.isEmpty { result += Self.chunk("PLTE", palette) }
    if !transparency.isEmpty { result += Self.chunk("tRNS", transparency) }
    let lines = rows.enumerated().flatMap { index, row in
      [filters.isEmpty ? 0 : filters[index]] + row
    }
    let data = Self.zlib(lines)
    for start in stride(from: 0, to: data.count, by: dataChunk > 0 ? dataChunk : data.count) {
      result += Self.chunk("IDAT", Array(data[start...].prefix(dataChunk > 0 ? dataChunk : .max)))
    }
    result += Self.chunk("IEND", [])
    return result
  }

  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return big(data.count) + body + big(Int(crc(body)))
  }

  static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func zlib(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
      let count = min(65535, data.count - start)
      let isLast = start + count == data.count
      let length = [UInt8(count & 255), UInt8(count >> 8)]
      result += [isLast ? 1 : 0] + length + length.map { ~$0 }
      result += data[start..<start + count]
      start += count
    } while start < data.count
    var (a, b) = (1, 0)
    for byte in data {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return result + big(b << 16 | a)
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }
}
