import CInflate
import PhotoModel

/// What the fast path needs of a PNG file's chunks (ISO/IEC 15948 clauses 5 and 11), every CRC verified.
///
/// It is strict: of a file in which anything is out of the ordinary nothing is made, so that the
/// reference path says what such a file shows.
struct PNGFile {
  let size: PixelSize
  let depth: Int
  let colourType: ColourType
  let isInterlaced: Bool
  /// Three bytes for each colour.
  let palette: [UInt8]
  /// tRNS: alpha of the first palette entries, or the samples of the transparent colour, two bytes each.
  let transparency: [UInt8]
  let hasProfile: Bool
  /// Where the first IDAT chunk stands (its length field).
  let firstData: Int

  enum ColourType: UInt8 {
    case grey = 0
    case rgb = 2
    case palette = 3
    case greyAlpha = 4
    case rgbAlpha = 6

    /// Samples of one pixel, an index being one.
    var samples: Int {
      switch self {
      case .grey, .palette: 1
      case .greyAlpha: 2
      case .rgb: 3
      case .rgbAlpha: 4
      }
    }
  }

  /// Nil where anything is unusual.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, limits: DecodeLimits) {
    guard let base = bytes.baseAddress, bytes.count >= 8,
      unsafe Self.number(base) == 0x8950_4E47, unsafe Self.number(base + 4) == 0x0D0A_1A0A
    else { return nil }
    var found = Found()
    var position = 8
    while !found.isEnded {
      guard let chunk = unsafe PNGChunk(base, at: position, end: bytes.count),
        unsafe chunk.hasRightCRC(base), unsafe found.take(chunk, base, limits)
      else { return nil }
      position = chunk.end
    }
    guard let header = found.header, let colourType = ColourType(rawValue: header.colourType),
      header.depths.contains(header.depth)
    else { return nil }
    size = PixelSize(width: header.width, height: header.height)
    depth = header.depth
    self.colourType = colourType
    isInterlaced = header.isInterlaced
    palette = colourType == .palette ? found.palette : []
    transparency = found.transparency
    hasProfile = found.hasProfile
    firstData = found.firstData
  }

  /// A number of four bytes.
  static func number(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
    unsafe UInt32(
      bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
  }
}

/// One chunk's place in a file.
struct PNGChunk {
  /// The four letters.
  let type: UInt32
  let data: Range<Int>
  /// Behind the CRC.
  var end: Int { data.upperBound + 4 }

  static let header = code("IHDR")
  static let palette = code("PLTE")
  static let transparency = code("tRNS")
  static let profile = code("iCCP")
  static let imageData = code("IDAT")
  static let imageEnd = code("IEND")

  private static func code(_ letters: StaticString) -> UInt32 {
    "\(letters)".utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Nil where no whole chunk stands between `position` and `end`.
  init?(_ base: UnsafePointer<UInt8>, at position: Int, end: Int) {
    guard position >= 0, end - position >= 12 else { return nil }
    let length = unsafe Int(PNGFile.number(base + position))
    guard length <= end - position - 12 else { return nil }
    unsafe type = PNGFile.number(base + position + 4)
    data = position + 8..<position + 8 + length
  }

  /// The CRC covers type and data (5.5).
  func hasRightCRC(_ base: UnsafePointer<UInt8>) -> Bool {
    let start = data.lowerBound - 4
    let computed = unsafe cinflate_crc32(0, base + start, data.upperBound - start)
    return unsafe computed == PNGFile.number(base + data.upperBound)
  }
}

/// The chunks so far.
private struct Found {
  struct Header {
    let width, height, depth: Int
    let colourType: UInt8
    let isInterlaced: Bool
    /// Bits of a sample that are allowed with the colour type (table 11.1).
    var depths: [Int] {
      switch colourType {
      case 0: [1, 2, 4, 8, 16]
      case 3: [1, 2, 4, 8]
      default: [8, 16]
      }
    }
  }

  var header: Header?
  var palette: [UInt8] = []
  var transparency: [UInt8] = []
  var hasProfile = false
  var firstData = 0
  var isEnded = false
  private var isBehindData = false

  /// False where the chunk is unusual: in kind, place, number or length.
  mutating func take(
    _ chunk: PNGChunk, _ base: UnsafePointer<UInt8>, _ limits: DecodeLimits
  ) -> Bool {
    if chunk.type == PNGChunk.imageData {
      guard header != nil, !isBehindData else { return false }
      if firstData == 0 {
        guard header?.colourType != 3 || !palette.isEmpty else { return false }
        firstData = chunk.data.lowerBound - 8
      }
      return true
    }
    isBehindData = firstData > 0
    guard header != nil || chunk.type == PNGChunk.header, chunk.data.count <= limits.pngChunk else {
      return false
    }
    let data = unsafe UnsafeBufferPointer(
      start: base + chunk.data.lowerBound, count: chunk.data.count)
    switch chunk.type {
    case PNGChunk.header:
      return unsafe takeHeader(data)
    case PNGChunk.palette:
      guard !isBehindData, palette.isEmpty, transparency.isEmpty, let header,
        header.colourType & 2 != 0, !data.isEmpty, data.count % 3 == 0,
        data.count / 3 <= (header.colourType == 3 ? 1 << header.depth : 256)
      else { return false }
      unsafe palette = Array(data)
    case PNGChunk.transparency:
      return unsafe takeTransparency(data)
    case PNGChunk.profile:
      guard !isBehindData, palette.isEmpty, !hasProfile else { return false }
      hasProfile = true
    case PNGChunk.imageEnd:
      isEnded = true
      return firstData > 0 && data.isEmpty
    default:
      // Other chunks do not touch the pixels, unless they are critical: a capital first (5.4).
      guard chunk.type & 0x2000_0000 != 0 else { return false }
    }
    return true
  }

  private mutating func takeHeader(_ data: UnsafeBufferPointer<UInt8>) -> Bool {
    guard header == nil, data.count == 13, let base = data.baseAddress else { return false }
    let (width, height) = unsafe (PNGFile.number(base), PNGFile.number(base + 4))
    guard unsafe data[10] == 0, unsafe data[11] == 0, unsafe data[12] <= 1,
      width > 0, height > 0, width <= Int32.max, height <= Int32.max
    else { return false }
    header = unsafe Header(
      width: Int(width), height: Int(height), depth: Int(data[8]), colourType: data[9],
      isInterlaced: data[12] == 1)
    return true
  }

  private mutating func takeTransparency(_ data: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !isBehindData, transparency.isEmpty, !data.isEmpty, let header else { return false }
    switch header.colourType {
    case 3:
      guard data.count <= palette.count / 3 else { return false }
    case 0, 2:
      guard data.count == (header.colourType == 0 ? 2 : 6) else { return false }
      // A sample that the depth does not have is no colour.
      for high in stride(from: 0, to: data.count, by: 2) {
        let sample = unsafe Int(data[high]) << 8 | Int(data[high + 1])
        guard sample >> header.depth == 0 else { return false }
      }
    default:
      return false
    }
    unsafe transparency = Array(data)
    return true
  }
}
