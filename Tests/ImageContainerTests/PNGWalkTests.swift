import ImageContainer
import PhotoModel
import Testing

@Suite("PNG structure")
struct PNGWalkTests {
  private func structure(_ bytes: [UInt8]) throws -> ImageStructure {
    try ImageStructure.scan(MemoryByteSource(bytes))
  }

  private let data = chunk("IDAT", [1, 2, 3, 4, 5])
  private let end = chunk("IEND")

  @Test("a whole picture with text, and trailing data behind it")
  func whole() throws {
    let picture = pngSignature + header() + chunk("tEXt", Array("a\0b".utf8)) + data + end
    let result = try structure(picture + [1, 2, 3])
    #expect(result.format == .png)
    #expect(result.codedSize == PixelSize(width: 3, height: 2))
    #expect(result.components == 3)
    #expect(result.bitDepth == 8)
    #expect(!result.isProgressive)
    #expect(result.completeness == .complete)
    #expect(result.endOffset == picture.count)
    #expect(result.segments.map(\.chunkType) == ["IHDR", "tEXt", "IEND"])
    #expect(result.segments[1] == .init(chunkType: "tEXt", offset: 41, length: 3))
    #expect(result.png?.firstDataOffset == 8 + 25 + 15)
  }

  @Test(
    "damage is named",
    arguments: [
      ("the CRC of the IDAT chunk is wrong", chunk("IDAT", [1], flippingCRC: 1) + chunk("IEND")),
      (
        "the CRC of the tEXt chunk is wrong",
        chunk("tEXt", [65, 0], flippingCRC: 0x8000_0000) + chunk("IDAT", [1]) + chunk("IEND")
      ),
      ("there is no image data (IDAT)", chunk("IEND")),
      ("there is no image data (IDAT)", chunk("IDAT") + chunk("IEND")),
      ("the IDAT chunk is cut short", Array(chunk("IDAT", [1, 2, 3]).dropLast())),
      ("there are bytes that are no chunk", chunk("IDAT", [1]) + [0, 0, 0, 0, 1, 2, 3, 4]),
      ("the IDAT chunk has a wrong length", [0xFF, 0, 0, 0] + Array("IDAT".utf8) + [0, 0, 0, 0]),
      ("there are two IHDR chunks", header() + chunk("IDAT", [1]) + chunk("IEND")),
    ] as [(String, [UInt8])])
  func damaged(reason: String, rest: [UInt8]) throws {
    let result = try structure(pngSignature + header() + rest)
    #expect(result.completeness == .damaged(reason: reason))
  }

  @Test(
    "without a whole IEND only a decode can tell whether all rows are there",
    arguments: [
      ("the IEND chunk is missing", []), ("the IEND chunk is missing", [0, 0, 0]),
      ("the IEND chunk is cut short", Array(chunk("IEND").dropLast())),
      ("the IEND chunk is cut short", [0, 0, 0, 0] + Array("IEND".utf8)),
    ] as [(String, [UInt8])])
  func missingEnd(reason: String, tail: [UInt8]) throws {
    let result = try structure(pngSignature + header() + data + tail)
    #expect(result.completeness == .uncertain(reason: reason))
    let broken = pngSignature + header() + chunk("IDAT", [1], flippingCRC: 1) + tail
    let damage = ImageStructure.Completeness.damaged(reason: "the CRC of the IDAT chunk is wrong")
    #expect(try structure(broken).completeness == damage)
  }

  @Test("a wrong CRC of IHDR is damage, and the header is still told")
  func headerCRC() throws {
    var bytes = pngSignature + header() + data + end
    bytes[8 + 8 + 13] ^= 1
    let result = try structure(bytes)
    #expect(result.completeness == .damaged(reason: "the CRC of the IHDR chunk is wrong"))
    #expect(result.codedSize.width == 3)
  }

  @Test(
    "a header that no picture can have is refused",
    arguments: [
      header(width: 0), header(height: 0), header(width: 0x8000_0000), header(depth: 4),
      header(depth: 16, colour: 3), header(colour: 1), header(depth: 0), chunk("IDAT", [1]),
      chunk("IHDR", [0, 0, 0, 1]), [],
    ])
  func refused(first: [UInt8]) {
    #expect(throws: ContainerError.self) { try structure(pngSignature + first + data + end) }
  }

  @Test("a palette picture needs its palette before the data")
  func palette() throws {
    let indexed = pngSignature + header(colour: 3)
    let colours = chunk("PLTE", [0, 0, 0])
    #expect(try structure(indexed + colours + data + end).completeness == .complete)
    let reason = ImageStructure.Completeness.damaged(reason: "the palette is missing")
    #expect(try structure(indexed + data + end).completeness == reason)
    #expect(try structure(indexed + data + colours + end).completeness == reason)
  }

  @Test(
    "depth, channels and interlacing",
    arguments: [
      (0, 1, 1), (0, 16, 1), (2, 16, 3), (3, 4, 1), (4, 8, 2), (6, 16, 4),
    ] as [(UInt8, UInt8, Int)])
  func channels(colour: UInt8, depth: UInt8, channels: Int) throws {
    let bytes =
      header(depth: depth, colour: colour, methods: [0, 0, 1]) + chunk("PLTE", [0, 0, 0])
    let result = try structure(pngSignature + bytes + data + end)
    #expect(result.components == channels)
    #expect(result.bitDepth == Int(depth))
    #expect(result.isProgressive)
    #expect(result.png?.colourType == colour)
    #expect(result.completeness == .complete)
  }

  @Test(
    "methods and critical chunks that nobody knows are unsupported, not damaged",
    arguments: [
      (header(methods: [7, 0, 0]), "PNG compression method 7"),
      (header(methods: [0, 64, 0]), "PNG filter method 64"),
      (header(methods: [0, 0, 2]), "PNG interlace method 2"),
      (header() + chunk("ABCD"), "unknown PNG chunk ABCD"), (header() + chunk("abCD"), nil),
    ] as [([UInt8], String?)])
  func unsupported(first: [UInt8], reason: String?) throws {
    let result = try structure(pngSignature + first + data + end)
    #expect(result.unsupported == reason)
    #expect(result.completeness == .complete)
  }

  @Test("chunk headers behind long image data are found without reading the data")
  func headers() throws {
    let long = [UInt8](repeating: 5, count: 100_000)
    let images = (0..<20).flatMap { _ in chunk("IDAT", long) }
    let source = CountingSource(
      pngSignature + header() + images + chunk("eXIf", [1, 2]) + chunk("IEND", [], flippingCRC: 1))
    let result = try ImageStructure.scanHeaders(source)
    #expect(result.completeness == .complete)
    #expect(result.segments.map(\.chunkType) == ["IHDR", "eXIf", "IEND"])
    #expect(source.bytesRead < 32 << 10)
  }

  @Test("every shorter part of a file gives an answer, never complete")
  func prefixes() throws {
    let whole = pngSignature + header() + data + end
    for length in 0..<whole.count {
      let result = try? structure(Array(whole[..<length]))
      #expect(result?.completeness != .complete, "cut at \(length)")
    }
  }

  @Test("the check value of the CRC catalogue, in one piece and in two")
  func checkValue() {
    let digits = Array("123456789".utf8)
    var whole = CRC32()
    whole.update(digits)
    #expect(whole.value == 0xCBF4_3926)
    var parts = CRC32()
    parts.update(Array(digits[..<4]))
    parts.update(Array(digits[4...]))
    #expect(parts.value == 0xCBF4_3926)
  }
}
