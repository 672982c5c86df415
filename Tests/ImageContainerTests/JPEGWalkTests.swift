import ImageContainer
import PhotoModel
import Testing

@Suite("JPEG structure")
struct JPEGWalkTests {
  private func structure(_ bytes: [UInt8]) throws -> ImageStructure {
    try ImageStructure.scan(MemoryByteSource(bytes))
  }

  @Test("a whole baseline picture, with stuffed bytes, fill bytes and an end marker inside APP1")
  func baseline() throws {
    let head =
      startOfImage + segment(0xE1, [1, 0xFF, 0xD9, 2]) + [0xFF, 0xFF]
      + frame(width: 32, height: 16)
    let bytes = head + scan() + [1, 0xFF, 0x00, 2, 0xFF, 0xFF] + endOfImage + [9, 9]
    let result = try structure(bytes)
    #expect(result.format == .jpeg)
    #expect(result.codedSize == PixelSize(width: 32, height: 16))
    #expect(result.components == 3)
    #expect(result.bitDepth == 8)
    #expect(!result.isProgressive)
    #expect(result.completeness == .complete)
    #expect(result.endOffset == bytes.count - 2)
    #expect(result.unsupported == nil)
    #expect(result.segments.map(\.marker) == [0xE1, 0xDB, 0xC0, 0xDA])
    #expect(result.segments[0] == .init(marker: 0xE1, offset: 6, length: 4))
    let frame = try #require(result.jpeg)
    #expect(frame.components.map(\.horizontalSampling) == [2, 1, 1])
    #expect(frame.scanCount == 1)
    #expect(frame.firstScanOffset == head.count)
  }

  @Test("several scans with tables between them, and restart markers in order")
  func scans() throws {
    let bytes =
      startOfImage + segment(0xDD, [0, 4]) + frame(0xC2, width: 16 * 9)
      + scan(spectral: [0, 0, 1]) + [1, 2, 3, 0xFF, 0xD0, 4, 5, 6, 0xFF, 0xD1, 7]
      + segment(0xDD, [0, 0]) + scan(components: 1, spectral: [1, 5, 2]) + [3] + endOfImage
    let result = try structure(bytes)
    #expect(result.completeness == .complete)
    #expect(result.isProgressive)
    #expect(result.jpeg?.scanCount == 2)
    #expect(result.jpeg?.restartInterval == 4)
  }

  @Test(
    "what only a decode can judge is uncertain, with its reason",
    arguments: [
      ("the end marker is missing", [1, 2, 3]),
      ("the end marker is missing", [1, 2, 0xFF]),
      ("a marker segment is cut short or has a wrong length", [1, 2, 0xFF, 0xE1, 0x40, 0]),
      ("a restart marker is missing", [1, 2, 0xFF, 0xD0, 2, 0xFF, 0xD2, 0xFF, 0xD9]),
      ("the image data holds a marker that cannot stand there", [1, 2, 0xFF, 0x02, 3, 0xFF, 0xD9]),
      ("another picture begins before the end marker", [1, 2, 0xFF, 0xD8, 0xFF, 0xE0]),
      ("bytes that belong to no marker segment", [1, 2, 0xFF, 0xFE, 0, 3, 0, 7, 0xFF, 0xD9]),
    ] as [(String, [UInt8])])
  func uncertain(reason: String, tail: [UInt8]) throws {
    let result = try structure(startOfImage + frame() + scan() + tail)
    #expect(result.completeness == .uncertain(reason: reason))
  }

  @Test("fewer bits than the shortest codes take prove that rows are missing")
  func tooShort() throws {
    // 32x32 of 4:2:0 are 4 units of 6 blocks: 48 bits, sequential; 24 bits of DC, progressive.
    func completeness(
      _ marker: UInt8, _ spectral: [UInt8], _ count: Int
    ) throws -> ImageStructure.Completeness {
      try structure(
        startOfImage + frame(marker, width: 32, height: 32) + scan(spectral: spectral)
          + [UInt8](repeating: 1, count: count) + endOfImage
      ).completeness
    }
    let damaged = ImageStructure.Completeness.damaged(
      reason: "the image data is too short for a picture of 32x32")
    #expect(try completeness(0xC0, [0, 63, 0], 6) == .complete)
    #expect(try completeness(0xC0, [0, 63, 0], 5) == damaged)
    #expect(try completeness(0xC2, [0, 0, 0], 3) == .complete)
    #expect(try completeness(0xC2, [0, 0, 0], 2) == damaged)
    #expect(try completeness(0xC9, [0, 63, 0], 1) == .complete)
  }

  @Test("restart markers that are missing at the end are noticed")
  func restartCount() throws {
    let head =
      startOfImage + segment(0xDD, [0, 1]) + frame(width: 48, height: 16) + scan() + [1, 2, 3]
    let reason = ImageStructure.Completeness.uncertain(reason: "a restart marker is missing")
    let one = head + [0xFF, 0xD0, 1, 2, 3]
    #expect(try structure(one + endOfImage).completeness == reason)
    #expect(try structure(one + [0xFF, 0xD1, 1] + endOfImage).completeness == .complete)
  }

  @Test(
    "tables and scan headers that no decoder takes are uncertain",
    arguments: [
      (startOfImage + frame().dropFirst(69), scan(), "a quantisation table is missing"),
      (startOfImage + frame(0xC2), scan(spectral: [0, 63, 0]), "a scan header is wrong"),
      (startOfImage + frame(0xC2), scan(spectral: [1, 63, 0]), "a scan header is wrong"),
      (startOfImage + frame(), segment(0xDA, [1, 9, 0, 0, 63, 0]), "a scan header is wrong"),
      (startOfImage + frame(), segment(0xDA, [0, 0, 63, 0]), "a scan header is wrong"),
      (startOfImage + frame(), segment(0xDA, []), "a scan header is wrong"),
    ] as [([UInt8], [UInt8], String)])
  func wrongHeaders(head: [UInt8], scan: [UInt8], reason: String) throws {
    let result = try structure(head + scan + [1, 2, 3] + endOfImage)
    #expect(result.completeness == .uncertain(reason: reason))
  }

  @Test("an application segment shorter than its length field does not hide the picture")
  func shortSegment() throws {
    let bytes = startOfImage + [0xFF, 0xE0, 0, 1] + frame() + scan() + [1, 2] + endOfImage
    let result = try structure(bytes)
    #expect(result.codedSize == PixelSize(width: 16, height: 8))
    #expect(result.completeness != .complete)
  }

  @Test("a component without a scan is uncertain")
  func missingScan() throws {
    let bytes = startOfImage + frame() + scan(components: 1) + [1, 2] + endOfImage
    #expect(try structure(bytes).completeness == .uncertain(reason: "a component has no scan"))
  }

  @Test("headers without a scan are damaged", arguments: [[], endOfImage, [0xFF, 0xDA, 0, 12, 3]])
  func noScan(tail: [UInt8]) throws {
    let result = try structure(startOfImage + frame() + tail)
    guard case .damaged(let reason) = result.completeness else {
      Issue.record("\(result.completeness)")
      return
    }
    #expect(reason.hasPrefix("there is no image data"))
  }

  @Test(
    "a file without a usable frame header is refused",
    arguments: [
      startOfImage + segment(0xE0, [1]) + endOfImage,
      startOfImage + scan() + [1] + endOfImage,
      startOfImage + frame(width: 0) + scan() + [1] + endOfImage,
      startOfImage + frame(height: 0) + scan() + [1] + endOfImage,
      startOfImage + frame(sampling: [0x51]) + scan(components: 1) + endOfImage,
      startOfImage + frame(sampling: [0x10]) + scan(components: 1) + endOfImage,
      startOfImage + segment(0xC0, [8, 0, 1, 0, 1, 3, 1, 0x11, 0]) + scan() + endOfImage,
      startOfImage + [0xFF], [0xFF, 0xD8, 0xFF, 0xE1, 0xFF],
    ])
  func refused(bytes: [UInt8]) {
    #expect(throws: ContainerError.self) { try structure(bytes) }
  }

  @Test("the height may come behind the first scan (DNL)")
  func lines() throws {
    let bytes =
      startOfImage + frame(height: 0) + scan() + [1, 2] + segment(0xDC, [0, 77]) + endOfImage
    #expect(try structure(bytes).codedSize.height == 77)
    #expect(try ImageStructure.scanHeaders(MemoryByteSource(bytes)).codedSize.height == 77)
  }

  @Test(
    "processes that no decoder here takes are named",
    arguments: [
      (frame(0xC1, precision: 12), "JPEG with 12 bits a sample"),
      (frame(0xC3), "lossless JPEG"), (frame(0xC5), "hierarchical JPEG"),
      (frame(0xF7), "JPEG-LS"), (frame(sampling: [0x11, 0x11]), "JPEG with 2 components"),
      (frame(0xC0), nil), (frame(0xC2), nil), (frame(0xC9), nil), (frame(0xCA), nil),
      (frame(sampling: [0x11, 0x11, 0x11, 0x11]), nil), (frame(sampling: [0x11]), nil),
    ] as [([UInt8], String?)])
  func unsupported(header: [UInt8], reason: String?) throws {
    let bytes = startOfImage + header + scan(components: 1) + [1] + endOfImage
    #expect(try structure(bytes).unsupported == reason)
  }

  @Test("headers alone take one small read, and say complete whatever follows")
  func headers() throws {
    let source = CountingSource(
      startOfImage + frame() + scan() + [UInt8](repeating: 1, count: 1_000_000))
    let result = try ImageStructure.scanHeaders(source)
    #expect(result.completeness == .complete)
    #expect(source.bytesRead <= 16 << 10)
  }

  @Test("a whole scan finds markers across windows and reads at most 256 KiB at once")
  func windows() throws {
    // Stuffed bytes everywhere, so that some window ends between 0xFF and 0x00.
    let data = [UInt8]([0xFF, 0x00, 7]) + (0..<400_000).flatMap { _ in [0xFF, 0x00] as [UInt8] }
    let source = CountingSource(startOfImage + frame() + scan() + data + endOfImage)
    let result = try ImageStructure.scan(source)
    #expect(result.completeness == .complete)
    #expect(result.endOffset == source.count)
    #expect(source.largestRead <= 256 << 10)
    #expect(source.bytesRead <= source.count + (64 << 10))
  }

  @Test(
    "fill bytes, as many as there are, stand before any marker",
    arguments: [1, 2, 15, 16, 17, 18, 100, 20_000, 300_000])
  func fillBytes(count: Int) throws {
    let fill = [UInt8](repeating: 0xFF, count: count)
    let head = startOfImage + fill + segment(0xFE, [7]) + fill + frame(width: 48, height: 16)
    let bytes =
      head + fill + segment(0xDD, [0, 1]) + scan() + [1, 2, 3] + fill + [0xFF, 0xD0, 1, 2, 3]
      + fill + [0xFF, 0xD1, 1] + fill + endOfImage
    let result = try structure(bytes + [9])
    #expect(result.completeness == .complete)
    #expect(result.endOffset == bytes.count)
    #expect(result.segments.map(\.marker) == [0xFE, 0xDB, 0xC0, 0xDD, 0xDA])
    #expect(result.segments[0].offset == 2 + count + 4)
    // Fill bytes to the end lead to no marker.
    #expect(
      try structure(startOfImage + frame() + scan() + [1, 2] + fill).completeness
        == .uncertain(reason: "the end marker is missing"))
  }

  @Test("zeros behind 0xFF, or behind several, are image data at any distance from one another")
  func stuffedZeros() throws {
    for distance in 0...40 {
      let between = [UInt8](repeating: 0xD9, count: distance)
      let data = [0xFF, 0x00] + between + [0xFF, 0xFF, 0x00] + between + [0xFF, 0x00, 0xD9]
      let bytes = startOfImage + frame() + scan() + data + between + endOfImage
      let result = try structure(bytes + [0xFF, 0xC0])
      #expect(result.completeness == .complete, "\(distance)")
      #expect(result.endOffset == bytes.count, "\(distance)")
    }
  }

  @Test("between segments, a zero behind 0xFF is no marker and makes the file uncertain")
  func zeroBetweenSegments() throws {
    let reason = ImageStructure.Completeness.uncertain(
      reason: "bytes that belong to no marker segment")
    for stray in [[0xFF, 0x00], [0xFF, 0xFF, 0x00, 0xFF], [5], [0xFF, 0x00, 5]] as [[UInt8]] {
      let head = startOfImage + segment(0xFE, [7])
      let bytes = head + stray + frame() + scan() + [1, 2] + endOfImage
      let result = try structure(bytes)
      #expect(result.completeness == reason, "\(stray)")
      #expect(result.endOffset == bytes.count, "\(stray)")
    }
  }

  @Test("a marker is found wherever a window ends: before it, inside of it, behind it")
  func markersAtWindowEnds() throws {
    let head = startOfImage + segment(0xDD, [0, 1]) + frame(width: 32, height: 16) + scan()
    // The walk reads 16 KiB of headers from the start, and from there on windows of 256 KiB.
    for window in [16 << 10, (16 << 10) + (256 << 10)] {
      for offset in (window - 8)...(window + 4) {
        let data = [UInt8](repeating: 1, count: offset - head.count)
        let bytes = head + data + [0xFF, 0xD0, 1, 2] + endOfImage
        let result = try structure(bytes)
        #expect(result.completeness == .complete, "at \(offset)")
        #expect(result.endOffset == bytes.count, "at \(offset)")
        let stuffed = try structure(head + data + [0xFF, 0x00, 1, 2] + endOfImage)
        #expect(
          stuffed.completeness == .uncertain(reason: "a restart marker is missing"), "at \(offset)")
      }
    }
  }

  @Test("a file of tiny segments does not become a list of them all")
  func manySegments() throws {
    let tiny = (0..<20_000).flatMap { _ in segment(0xFE, []) }
    let bytes = startOfImage + tiny + frame() + scan() + [1, 2] + endOfImage
    let result = try structure(bytes)
    #expect(result.completeness == .complete)
    #expect(result.segments.count == ImageStructure.maximumSegments)
  }

  @Test("every shorter part of a file gives an answer, never complete")
  func prefixes() throws {
    let whole =
      startOfImage + segment(0xE1, [1, 2, 3]) + frame() + scan() + [1, 0xFF, 0, 2] + endOfImage
    for length in 0..<whole.count {
      let result = try? structure(Array(whole[..<length]))
      #expect(result?.completeness != .complete, "cut at \(length)")
    }
  }
}
