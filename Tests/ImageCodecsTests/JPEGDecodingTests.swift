import ImageCodecs
import ImageContainer
import PhotoModel
import Testing

@Suite("JPEG decoding")
struct JPEGDecodingTests {
  private func levels(_ values: [Int]) -> (Int, Int, Int) -> Int { { c, _, _ in values[c] } }

  @Test("Grey, YCbCr and RGB by the Adobe marker or the component names")
  func colourSpaces() throws {
    let grey = JPEGBytes(across: 2, down: 2, components: 1, level: levels([200]))
    #expect(try decode(grey.file()).pixel(3, 3) == [200, 200, 200])

    // T.871: R = Y + 1.402 (Cr - 128), G = Y - 0.344136 (Cb - 128) - 0.714136 (Cr - 128),
    // B = Y + 1.772 (Cb - 128): 128 + 70.1 = 198, 128 + 6.88 - 35.7 = 99, 128 - 35.4 = 93.
    var colour = JPEGBytes(across: 2, down: 2, components: 3, level: levels([128, 108, 178]))
    #expect(near(try decode(colour.file()).pixel(3, 3), [198, 99, 93]))
    colour.hasJFIF = true
    #expect(near(try decode(colour.file()).pixel(3, 3), [198, 99, 93]))
    colour.hasJFIF = false
    colour.adobeTransform = 1
    #expect(near(try decode(colour.file()).pixel(3, 3), [198, 99, 93]))

    colour.adobeTransform = 0
    #expect(try decode(colour.file()).pixel(3, 3) == [128, 108, 178])
    colour.adobeTransform = nil
    colour.identifiers = Array("RGB".utf8)
    #expect(try decode(colour.file()).pixel(3, 3) == [128, 108, 178])
  }

  @Test("CMYK is stored inverted, with an Adobe marker and without, as CMYK and as YCCK")
  func cmykPolarity() throws {
    // Cyan 200 of 255, magenta 0, yellow 0, black 51, each stored as its inverse:
    // (255 - c) * (255 - k) / 255 = 55 * 204 / 255 = 44.
    var plain = JPEGBytes(across: 1, down: 1, components: 4, level: levels([55, 255, 255, 204]))
    #expect(near(try decode(plain.file()).pixel(2, 2), [44, 204, 204]))
    plain.adobeTransform = 0
    #expect(near(try decode(plain.file()).pixel(2, 2), [44, 204, 204]))

    // YCCK: Y, Cb, Cr are of the stored values' inverse. Y = 255, neutral: stored 0, which is full
    // ink.
    var ycck = JPEGBytes(across: 1, down: 1, components: 4, level: levels([255, 128, 128, 255]))
    ycck.adobeTransform = 2
    #expect(near(try decode(ycck.file()).pixel(2, 2), [0, 0, 0]))
    ycck.level = levels([0, 128, 128, 255])
    #expect(near(try decode(ycck.file()).pixel(2, 2), [255, 255, 255]))
  }

  @Test("Several scans, sequential or progressive, at every scale", arguments: [4, 8, 32, 64, 200])
  func scans(_ side: Int) throws {
    for isProgressive in [false, true] {
      for isInterleaved in [false, true] {
        var jpeg = JPEGBytes(across: 20, down: 20, components: 3) { c, x, _ in
          c == 0 ? (x < 10 ? 50 : 220) : 128
        }
        jpeg.isProgressive = isProgressive
        jpeg.isInterleaved = isInterleaved
        let picture = try decode(jpeg.file(), recipe: .fit(side, side))
        let shown = min(side, 160)
        #expect(picture.pixels.size == PixelSize(width: shown, height: shown))
        #expect(near(picture.pixel(0, shown / 2), [50, 50, 50], within: 3))
        #expect(near(picture.pixel(shown - 1, shown / 2), [220, 220, 220], within: 3))
        #expect(picture.isComplete && picture.warning == nil)
        #expect(try missingRows(jpeg.file()) == nil)
      }
    }
  }

  @Test("A missing end marker is no fault where all rows are there")
  func noEndMarker() throws {
    var jpeg = JPEGBytes(across: 8, down: 8, components: 3, level: { c, x, y in x * 20 + y + c })
    jpeg.hasEndMarker = false
    #expect(try missingRows(jpeg.file()) == nil)
    #expect(try decode(jpeg.file()).isComplete)
    let trailer = jpeg.file() + [UInt8](repeating: 0, count: 1000)
    #expect(try decode(trailer).isComplete)
  }

  @Test("Of a cut file the rows that are there are shown, with where it ends")
  func truncated() throws {
    let jpeg = JPEGBytes(across: 16, down: 64, components: 1, level: { _, x, y in 60 + x % 2 * 8 })
    let whole = jpeg.file()
    let start = try #require(whole.indices.last { whole[$0] == 0xDA && whole[$0 - 1] == 0xFF })
    let cut = Array(whole.prefix(start + (whole.count - start) / 2))
    let picture = try decode(cut, recipe: .fit(64, 64))
    #expect(!picture.isComplete && picture.warning?.contains("row") == true)
    #expect(near(picture.pixel(2, 4), [64, 64, 64], within: 6))
    #expect(try missingRows(cut)?.contains("row") == true)
    #expect(try missingRows(whole) == nil)
  }

  @Test("A progressive file that is cut among its scans is not whole")
  func truncatedProgressive() throws {
    var jpeg = JPEGBytes(across: 16, down: 16, components: 3) { c, x, y in 40 * (c + 1) + x + y }
    jpeg.isProgressive = true
    jpeg.isInterleaved = false
    let whole = jpeg.file()
    let cut = Array(whole.prefix(whole.count - 150))
    #expect(try missingRows(cut) != nil)
    #expect(try missingRows(whole) == nil)
    // The first scan is there, so something is shown.
    let picture = try decode(cut)
    #expect(picture.pixels.size == PixelSize(width: 128, height: 128))
  }

  @Test("More scans than allowed are an error, not hours")
  func scanBomb() throws {
    var bomb = JPEGBytes(across: 40, down: 40, components: 1) { _, x, y in x + y }
    bomb.isProgressive = true
    bomb.repetitions = 101
    // At 1/8 the first scan is all that is read.
    #expect(try decode(bomb.file(), recipe: .fit(20, 20)).isComplete)
    #expect(throws: CodecError.overLimit("more than 100 scans")) { try decode(bomb.file()) }
    bomb.repetitions = 100
    #expect(throws: Never.self) { try decode(bomb.file()) }
  }

  @Test("Garbage behind a good header is an error or a warning, never a crash")
  func garbage() throws {
    let whole = JPEGBytes(across: 16, down: 16, components: 3) { c, x, y in c * 40 + x + y }.file()
    var seed: UInt64 = 20_240_229
    for _ in 0..<400 {
      var file = whole
      for _ in 0..<8 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        file[Int(seed >> 33) % file.count] = UInt8(truncatingIfNeeded: seed >> 20)
      }
      do {
        let picture = try decode(file, recipe: .fit(16, 16))
        #expect(picture.pixels.bytes.count == picture.pixels.size.pixelCount * 3)
      } catch is CodecError {
      } catch is ContainerError {
      }
    }
  }
}
