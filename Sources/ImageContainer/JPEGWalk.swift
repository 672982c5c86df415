import PhotoModel

/// Walks the markers of a JPEG file (ITU-T T.81 annex B) from SOI to EOI.
///
/// What libjpeg takes with a warning makes the file uncertain, not damaged: a decode then tells.
struct JPEGWalk<Source: ByteSource> {
  private var reader: WindowReader<Source>
  private let headersOnly: Bool
  private var frame: JPEGFrame?
  private var width = 0
  private var height = 0
  private var precision = 0
  private var isHierarchical = false
  private var restartInterval = 0
  /// Restart markers of the scan that was walked last.
  private var restartCount = 0
  private var segments: [ImageStructure.Segment] = []
  private var scannedComponents: Set<UInt8> = []
  /// Numbers of the quantisation tables that are there.
  private var tables: Set<Int> = []
  /// The first thing that is not as it should be, and the first that proves rows to be missing.
  private var doubt: String?
  private var damage: String?

  init(_ reader: WindowReader<Source>, headersOnly: Bool) {
    self.reader = reader
    self.headersOnly = headersOnly
  }

  /// What comes after a marker.
  private enum Step {
    case next(Int)
    case end(Int)
  }

  mutating func run() throws(ContainerError) -> ImageStructure {
    var position = 2
    while let (marker, offset) = try nextMarker(from: position) {
      switch try take(marker, at: offset) {
      case .next(let next): position = next
      case .end(let end): return try finish(at: end)
      }
    }
    doubt = doubt ?? "the end marker is missing"
    return try finish(at: reader.count)
  }

  /// The next marker between segments and the offset behind it, or nil at the end of the file.
  private mutating func nextMarker(
    from start: Int
  ) throws(ContainerError) -> (marker: UInt8, offset: Int)? {
    let window = WindowReader<Source>.headerWindow
    guard let found = try reader.firstMarker(from: start, ahead: window) else { return nil }
    // Any number of 0xFF may stand before a marker (B.1.1.2).
    if try !reader.isFilled(start..<found, with: 0xFF, ahead: window) {
      doubt = doubt ?? "bytes that belong to no marker segment"
    }
    guard let marker = try reader.byte(at: found + 1) else { return nil }
    return (marker, found + 2)
  }

  private mutating func take(_ marker: UInt8, at offset: Int) throws(ContainerError) -> Step {
    switch marker {
    case JPEGMarker.endOfImage:
      return .end(offset)
    case JPEGMarker.startOfImage:
      doubt = doubt ?? "another picture begins before the end marker"
      return .end(offset - 2)
    case JPEGMarker.temporary, JPEGMarker.restarts:
      return .next(offset)
    default:
      break
    }
    let found = try reader.uint16(at: offset)
    if let found, found < 2, JPEGMarker.applications.contains(marker) {
      // As libjpeg does: no payload.
      doubt = doubt ?? "a marker segment is cut short or has a wrong length"
      return .next(offset + 2)
    }
    guard let length = found, length >= 2, length <= reader.count - offset else {
      doubt = doubt ?? "a marker segment is cut short or has a wrong length"
      return .end(reader.count)
    }
    let payload = (offset + 2)..<(offset + length)
    if segments.count < ImageStructure.maximumSegments {
      segments.append(.init(marker: marker, offset: payload.lowerBound, length: payload.count))
    }
    switch marker {
    case JPEGMarker.startOfScan:
      return try takeScan(payload, markerOffset: offset - 2)
    case JPEGMarker.restartInterval where payload.count == 2:
      restartInterval = try reader.uint16(at: payload.lowerBound) ?? 0
    case JPEGMarker.hierarchicalProgression:
      isHierarchical = true
    case JPEGMarker.quantisationTables:
      try takeTables(payload)
    case JPEGMarker.numberOfLines where height == 0 && payload.count == 2:
      height = try reader.uint16(at: payload.lowerBound) ?? 0
    case JPEGMarker.jpegLS:
      try takeFrame(marker, payload)
    default:
      if JPEGFrame.isFrame(marker) { try takeFrame(marker, payload) }
    }
    return .next(payload.upperBound)
  }

  /// Tables of 64 values of 8 or 16 bits, each behind a byte of precision and number (B.2.4.1).
  private mutating func takeTables(_ payload: Range<Int>) throws(ContainerError) {
    var position = payload.lowerBound
    while position < payload.upperBound, let byte = try reader.byte(at: position) {
      position += byte >> 4 == 0 ? 65 : 129
      if position <= payload.upperBound { tables.insert(Int(byte & 15)) }
    }
  }

  /// A frame header: precision, lines, samples a line, and three bytes a component (B.2.2).
  private mutating func takeFrame(
    _ marker: UInt8, _ payload: Range<Int>
  ) throws(ContainerError) {
    guard frame == nil else {
      if !isHierarchical { doubt = doubt ?? "there are two frame headers" }
      return
    }
    let bytes = Array(try reader.bytes(at: payload.lowerBound, count: payload.count))
    guard bytes.count >= 9, bytes.count == 6 + 3 * Int(bytes[5]) else {
      throw ContainerError(message: "the frame header has a wrong length")
    }
    precision = Int(bytes[0])
    height = Int(bytes[1]) << 8 | Int(bytes[2])
    width = Int(bytes[3]) << 8 | Int(bytes[4])
    guard width > 0 else { throw ContainerError(message: "the picture's width is 0") }
    var components: [JPEGFrame.Component] = []
    for index in stride(from: 6, to: bytes.count, by: 3) {
      let factors = bytes[index + 1]
      components.append(
        JPEGFrame.Component(
          identifier: bytes[index], horizontalSampling: Int(factors >> 4),
          verticalSampling: Int(factors & 15), quantisationTable: Int(bytes[index + 2])))
    }
    let factors = 1...4
    guard
      components.allSatisfy({
        factors.contains($0.horizontalSampling) && factors.contains($0.verticalSampling)
      })
    else { throw ContainerError(message: "the frame header has wrong sampling factors") }
    frame = JPEGFrame(marker: marker, components: components)
  }

  /// A scan header (B.2.3) and the data behind it.
  private mutating func takeScan(
    _ payload: Range<Int>, markerOffset: Int
  ) throws(ContainerError) -> Step {
    guard frame != nil else {
      throw ContainerError(message: "there is no frame header before the first scan")
    }
    if frame?.firstScanOffset == nil {
      frame?.firstScanOffset = markerOffset
      frame?.restartInterval = restartInterval
    }
    frame?.scanCount += 1
    let header = Array(try reader.bytes(at: payload.lowerBound, count: min(payload.count, 16)))
    let scan = frame.flatMap { JPEGScan(header: header, payloadCount: payload.count, frame: $0) }
    if let scan {
      scannedComponents.formUnion(scan.components.map(\.identifier))
      if scan.needsTables, !scan.components.allSatisfy({ tables.contains($0.quantisationTable) }) {
        doubt = doubt ?? "a quantisation table is missing"
      }
    } else {
      doubt = doubt ?? "a scan header is wrong"
    }
    // Where the frame header leaves the height open, DNL behind the first scan gives it (B.2.5).
    if headersOnly, height > 0 { return .end(reader.count) }
    let end = try endOfScanData(from: payload.upperBound)
    if let scan, let frame, height > 0 {
      let size = scan.size(in: frame, width: width, height: height)
      let bits = ((end ?? reader.count) - payload.upperBound) * 8
      // Fewer bits than the shortest codes would take: no decoder can find all rows.
      if bits / max(1, scan.minimumBitsPerBlock) < size.blocks, scan.minimumBitsPerBlock > 0 {
        damage = damage ?? "the image data is too short for a picture of \(width)x\(height)"
      }
      if restartInterval > 0, restartCount < (size.units - 1) / restartInterval {
        doubt = doubt ?? "a restart marker is missing"
      }
    }
    guard let end else {
      doubt = doubt ?? "the end marker is missing"
      return .end(reader.count)
    }
    return .next(end)
  }

  /// The offset of the marker that ends entropy-coded data, or nil at the end of the file.
  private mutating func endOfScanData(from start: Int) throws(ContainerError) -> Int? {
    let window = WindowReader<Source>.dataWindow
    var position = start
    restartCount = 0
    while let found = try reader.firstMarker(from: position, ahead: window) {
      guard let second = try reader.byte(at: found + 1, ahead: window) else { return nil }
      switch second {
      case JPEGMarker.restarts:
        // They count modulo 8 (B.2.1).
        if Int(second & 7) != restartCount & 7 { doubt = doubt ?? "a restart marker is missing" }
        restartCount += 1
        position = found + 2
      case JPEGMarker.startOfImage:
        return found
      default:
        if JPEGMarker.mayFollowScan(second) || isHierarchical && JPEGFrame.isFrame(second) {
          return found
        }
        // T.87 stuffs a bit, not a byte: 0xFF before a byte below 0x80 is data there.
        if frame?.marker != JPEGMarker.jpegLS || second >= 0x80 {
          doubt = doubt ?? "the image data holds a marker that cannot stand there"
        }
        position = found + 2
      }
    }
    return nil
  }

  private func finish(at end: Int) throws(ContainerError) -> ImageStructure {
    guard let frame else { throw ContainerError(message: "there is no frame header") }
    guard height > 0 else { throw ContainerError(message: "the picture's height is 0") }
    return ImageStructure(
      format: .jpeg, codedSize: PixelSize(width: width, height: height),
      components: frame.components.count, bitDepth: precision,
      isProgressive: frame.isProgressive, completeness: completeness(of: frame),
      segments: segments, endOffset: end,
      unsupported: frame.unsupportedReason(precision: precision, isHierarchical: isHierarchical),
      jpeg: frame, png: nil)
  }

  private func completeness(of frame: JPEGFrame) -> ImageStructure.Completeness {
    if headersOnly { return .complete }
    if frame.scanCount == 0 {
      return .damaged(reason: "there is no image data" + (doubt.map { ": " + $0 } ?? ""))
    }
    if let damage { return .damaged(reason: damage) }
    if let doubt { return .uncertain(reason: doubt) }
    let isScanned = frame.components.allSatisfy { scannedComponents.contains($0.identifier) }
    return isScanned ? .complete : .uncertain(reason: "a component has no scan")
  }
}
