import PhotoModel

/// Walks the chunks of a PNG file (ISO/IEC 15948 clause 5) from the signature to IEND.
struct PNGWalk<Source: ByteSource> {
  private var reader: WindowReader<Source>
  private let headersOnly: Bool
  private var header: PNGHeader?
  private var size = PixelSize(width: 0, height: 0)
  private var unsupported: String?
  private var segments: [ImageStructure.Segment] = []
  private var dataBytes = 0
  private var hasPalette = false
  /// The first damage.
  private var damage: String?
  /// The end marker is missing or cut, all before it is whole: a decode tells whether all rows are there.
  private var doubt: String?

  init(_ reader: WindowReader<Source>, headersOnly: Bool) {
    self.reader = reader
    self.headersOnly = headersOnly
  }

  private struct Chunk {
    let type: String
    let data: Range<Int>
    /// Behind the CRC.
    var end: Int { data.upperBound + 4 }
    /// The first letter is a capital (5.4).
    var isCritical: Bool { type.utf8.first.map { $0 & 0x20 == 0 } ?? false }
  }

  mutating func run() throws(ContainerError) -> ImageStructure {
    var position = FileType.pngSignature.count
    var isEnded = false
    while !isEnded, let chunk = try nextChunk(at: position) {
      if header == nil {
        try takeHeader(chunk)
      } else {
        take(chunk, at: position)
        isEnded = chunk.type == "IEND"
      }
      try verify(chunk)
      position = chunk.end
    }
    return try finish(at: isEnded ? position : reader.count)
  }

  /// The chunk at `position`, or nil, with the damage noted, where no whole one stands there.
  private mutating func nextChunk(at position: Int) throws(ContainerError) -> Chunk? {
    // Behind image data only the next header is wanted, so headers of a long row of IDAT chunks are
    // not fetched together with their data.
    let ahead = headersOnly && dataBytes > 0 ? 64 : WindowReader<Source>.headerWindow
    let head = Array(try reader.bytes(at: position, count: 8, ahead: ahead))
    guard head.count == 8 else {
      doubt = "the IEND chunk is missing"
      return nil
    }
    let length = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
    guard head[4...].allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) else {
      damage = damage ?? "there are bytes that are no chunk"
      return nil
    }
    let type = String(decoding: head[4...], as: UTF8.self)
    guard length <= Int(Int32.max) else {
      damage = damage ?? "the \(type) chunk has a wrong length"
      return nil
    }
    guard length <= reader.count - position - 12 else {
      let reason = "the \(type) chunk is cut short"
      if type == "IEND" { doubt = reason } else { damage = damage ?? reason }
      return nil
    }
    return Chunk(type: type, data: (position + 8)..<(position + 8 + length))
  }

  private mutating func takeHeader(_ chunk: Chunk) throws(ContainerError) {
    guard chunk.type == "IHDR" else {
      throw ContainerError(message: "the first chunk is \(chunk.type), not IHDR")
    }
    let bytes = Array(try reader.bytes(at: chunk.data.lowerBound, count: 13))
    guard chunk.data.count == 13, bytes.count == 13 else {
      throw ContainerError(message: "the IHDR chunk has a wrong length")
    }
    let width = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let height = bytes[4..<8].reduce(0) { $0 << 8 | Int($1) }
    let sides = 1...Int(Int32.max)
    guard sides.contains(width), sides.contains(height) else {
      throw ContainerError(message: "the picture's size is not valid (\(width)x\(height))")
    }
    let depth = Int(bytes[8])
    guard PNGHeader.allows(colourType: bytes[9], bitDepth: depth) else {
      throw ContainerError(message: "colour type \(bytes[9]) with \(depth) bits does not exist")
    }
    if bytes[10] != 0 {
      unsupported = "PNG compression method \(bytes[10])"
    } else if bytes[11] != 0 {
      unsupported = "PNG filter method \(bytes[11])"
    } else if bytes[12] > 1 {
      unsupported = "PNG interlace method \(bytes[12])"
    }
    size = PixelSize(width: width, height: height)
    header = PNGHeader(colourType: bytes[9], bitDepth: depth, isInterlaced: bytes[12] == 1)
    list(chunk)
  }

  private mutating func take(_ chunk: Chunk, at position: Int) {
    switch chunk.type {
    case "IDAT":
      if header?.firstDataOffset == nil {
        header?.firstDataOffset = position
        if header?.colourType == 3, !hasPalette { damage = damage ?? "the palette is missing" }
      }
      dataBytes += chunk.data.count
      return
    case "IHDR":
      damage = damage ?? "there are two IHDR chunks"
    case "PLTE":
      hasPalette = true
    case "IEND":
      break
    default:
      if chunk.isCritical { unsupported = unsupported ?? "unknown PNG chunk \(chunk.type)" }
    }
    list(chunk)
  }

  private mutating func list(_ chunk: Chunk) {
    guard segments.count < ImageStructure.maximumSegments else { return }
    segments.append(
      .init(chunkType: chunk.type, offset: chunk.data.lowerBound, length: chunk.data.count))
  }

  /// Compares the CRC, which covers type and data (5.5).
  private mutating func verify(_ chunk: Chunk) throws(ContainerError) {
    guard !headersOnly else { return }
    let computed = try reader.crc32(of: (chunk.data.lowerBound - 4)..<chunk.data.upperBound)
    let stored = try reader.bytes(at: chunk.data.upperBound, count: 4)
      .reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    if computed != stored { damage = damage ?? "the CRC of the \(chunk.type) chunk is wrong" }
  }

  private func finish(at end: Int) throws(ContainerError) -> ImageStructure {
    guard let header else {
      throw ContainerError(message: "there is no whole IHDR chunk")
    }
    var reason = damage
    if dataBytes == 0 { reason = reason ?? "there is no image data (IDAT)" }
    var completeness = ImageStructure.Completeness.complete
    if !headersOnly {
      if let reason {
        completeness = .damaged(reason: reason)
      } else if let doubt {
        completeness = .uncertain(reason: doubt)
      }
    }
    return ImageStructure(
      format: .png, codedSize: size, components: header.channels, bitDepth: header.bitDepth,
      isProgressive: header.isInterlaced,
      completeness: completeness, segments: segments, endOffset: end, unsupported: unsupported,
      jpeg: nil, png: header)
  }
}
