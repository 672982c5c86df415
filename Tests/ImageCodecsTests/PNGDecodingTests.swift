import ImageCodecs
import ImageContainer
import PhotoModel
import Testing

@Suite("PNG decoding")
struct PNGDecodingTests {
  @Test("Grey of 1, 2, 4 and 8 bits uses the whole range")
  func greyDepths() throws {
    // The largest value of each depth is white, half of the codes of 4 bits is 0x88 of 0xFF.
    for (depth, row, expected): (Int, [UInt8], [Int]) in [
      (1, [0b0110_0000], [0, 255, 255]), (2, [0b0001_1011], [0, 85, 170, 255]),
      (4, [0x08, 0xF0], [0, 0x88, 255]), (8, [0, 1, 255], [0, 1, 255]),
    ] {
      var png = PNGBytes(width: expected.count, height: 1, rows: [row])
      png.colourType = 0
      png.depth = depth
      let picture = try decode(png.file())
      #expect(picture.colours == expected.map { [$0, $0, $0] })
      #expect(picture.isComplete && picture.warning == nil)
    }
  }

  @Test("16-bit samples are scaled with the high byte first, and rounded")
  func sixteenBits() throws {
    // v * 255 / 65535: 0x0100 -> 0.996, 0x80FF -> 128.49, 0x00FF -> 0.99, 0xFFFF -> 255.
    var png = PNGBytes(
      width: 2, height: 1,
      rows: [[0x01, 0x00, 0x80, 0xFF, 0x00, 0xFF, 0xFF, 0xFF, 0x12, 0x34, 0xFF, 0x00]])
    png.depth = 16
    let picture = try decode(png.file())
    #expect(picture.pixel(0, 0) == [1, 128, 1])
    // 0x1234 -> 18.13; 0xFF00 -> 254.0.
    #expect(picture.pixel(1, 0) == [255, 18, 254])
  }

  @Test("A palette and its transparency are looked up")
  func palette() throws {
    var png = PNGBytes(width: 4, height: 1, rows: [[0b0001_1011]])
    png.colourType = 3
    png.depth = 2
    png.palette = [255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30]
    png.transparency = [255, 0, 127]
    // Blue of 127/255: 255 * 128 / 255 = 128 of white beneath.
    #expect(
      try decode(png.file()).colours == [
        [255, 0, 0], [255, 255, 255], [128, 128, 255], [10, 20, 30],
      ])
  }

  @Test("Transparent pixels show white, and their hidden colour does not leak")
  func alphaOnWhite() throws {
    var png = PNGBytes(
      width: 64, height: 64,
      rows: (0..<64).map { _ in
        (0..<64).flatMap { x -> [UInt8] in x < 32 ? [255, 0, 0, 255] : [0, 0, 0, 0] }
      })
    png.colourType = 6
    let picture = try decode(png.file(), recipe: .fit(8, 8))
    #expect(near(picture.pixel(7, 4), [255, 255, 255]))
    #expect(near(picture.pixel(0, 4), [255, 0, 0]))
    // At the border red over white: the red channel is full on both sides.
    for x in 0..<8 { #expect(picture.pixel(x, 3)[0] >= 254) }

    var grey = PNGBytes(width: 2, height: 1, rows: [[0, 0, 0, 255]])
    grey.colourType = 4
    #expect(try decode(grey.file()).colours == [[255, 255, 255], [0, 0, 0]])

    var key = PNGBytes(width: 2, height: 1, rows: [[1, 2, 3, 4, 5, 6]])
    key.transparency = [0, 1, 0, 2, 0, 3]
    #expect(try decode(key.file()).colours == [[255, 255, 255], [4, 5, 6]])
  }

  @Test("Interlaced pictures come out like others")
  func interlaced() throws {
    func value(_ x: Int, _ y: Int) -> UInt8 { UInt8(y * 16 + x) }
    // The seven passes of ISO/IEC 15948, 8.2: first column and row, and steps.
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    var rows: [[UInt8]] = []
    for (x0, y0, dx, dy) in passes {
      for y in stride(from: y0, to: 11, by: dy) {
        let row = stride(from: x0, to: 13, by: dx).map { value($0, y) }
        if !row.isEmpty { rows.append(row) }
      }
    }
    var png = PNGBytes(width: 13, height: 11, rows: rows)
    png.colourType = 0
    png.isInterlaced = true
    let expected = (0..<11).flatMap { y in
      (0..<13).map { x in [Int](repeating: Int(value(x, y)), count: 3) }
    }
    #expect(try decode(png.file()).colours == expected)
    #expect(try missingRows(png.file()) == nil)
  }

  @Test("Of a cut interlaced file the passes that are there are shown")
  func truncatedInterlaced() throws {
    // 256x256: the first pass has 32 rows of 32, the last 128 rows of 256, half of the data.
    var rows: [[UInt8]] = []
    for (count, length) in [
      (32, 32), (32, 32), (32, 64), (64, 64), (64, 128), (128, 128), (128, 256),
    ] {
      rows += (0..<count).map { _ in [UInt8](repeating: 50, count: length) }
    }
    var png = PNGBytes(width: 256, height: 256, rows: rows)
    png.colourType = 0
    png.isInterlaced = true
    let file = png.file()
    let picture = try decode(Array(file.prefix(file.count * 3 / 4)), recipe: .fit(64, 64))
    #expect(!picture.isComplete)
    #expect(picture.warning?.contains("pass 7 of 7") == true)
    // Every other row came in the earlier passes; the others are mid-grey (128).
    #expect(near(picture.pixel(5, 60), [89, 89, 89], within: 3))
  }

  @Test("Of a cut file the rows that are there are shown, with a warning")
  func truncated() throws {
    // A row is 1201 bytes, so half of the file is 99 rows and a bit, of which 1024 bytes may be
    // lost.
    let file = PNGBytes.rgb(400, 200) { _, _ in [200, 100, 50] }.file()
    let picture = try decode(Array(file.prefix(file.count / 2)), recipe: .fit(40, 20))
    #expect(!picture.isComplete)
    let warning = picture.warning ?? ""
    #expect(warning.contains("ends at row 98") || warning.contains("ends at row 99"))
    #expect(near(picture.pixel(5, 3), [200, 100, 50]))
    #expect(near(picture.pixel(5, 18), [128, 128, 128]))
    #expect(try missingRows(Array(file.prefix(file.count / 2))) != nil)
    #expect(try missingRows(file) == nil)
  }

  @Test("A wrong checksum of the picture data is a fault, and the picture is shown")
  func checksum() throws {
    var file = PNGBytes.rgb(5, 5) { _, _ in [9, 9, 9] }.file()
    file[file.count - 13] ^= 1  // the last byte of IDAT's CRC, before the 12 bytes of IEND
    let picture = try decode(file)
    #expect(picture.pixel(4, 4) == [9, 9, 9])
    #expect(!picture.isComplete && picture.warning != nil)
    #expect(try missingRows(file) != nil)
  }

  @Test("A picture without one row is damaged")
  func nothing() throws {
    let file = PNGBytes.rgb(50, 50) { _, _ in [1, 2, 3] }.file()
    #expect(throws: CodecError.self) { try decode(Array(file.prefix(60))) }
  }

  @Test("Texts and other chunks that no pixel needs are not unpacked")
  func skipped() throws {
    let png = PNGBytes.rgb(2, 2) { _, _ in [7, 8, 9] }.file()
    // A zTXt that is no deflate stream, a gAMA of 1.0, and an sRGB chunk beside it.
    let extra =
      PNGBytes.chunk("zTXt", Array("k\0\0garbage".utf8))
      + PNGBytes.chunk("gAMA", PNGBytes.big(100_000)) + PNGBytes.chunk("sRGB", [0])
    let picture = try decode(Array(png[..<33]) + extra + png[33...])
    #expect(picture.pixel(0, 0) == [7, 8, 9] && picture.warning == nil)
  }
}
