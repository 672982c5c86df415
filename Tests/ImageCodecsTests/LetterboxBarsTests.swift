import ImageCodecs
import PhotoModel
import Testing

@Suite("Letterbox bars")
struct LetterboxBarsTests {
  /// Grey 128 inside, what `bar` gives in the bars.
  private func picture(
    width: Int = 160, height: Int = 120, rows: Int = 0, columns: Int = 0, channels: Int = 3,
    bar: (_ row: Int, _ column: Int) -> UInt8 = { _, _ in 0 }
  ) -> PixelBuffer {
    var bytes: [UInt8] = []
    for row in 0..<height {
      for column in 0..<width {
        let isBar =
          row < rows || row >= height - rows || column < columns || column >= width - columns
        let value: UInt8 = isBar ? bar(row, column) : 128
        for channel in 0..<channels { bytes.append(channel == 3 ? 255 : value) }
      }
    }
    return PixelBuffer(
      size: PixelSize(width: width, height: height), channels: channels, bytes: bytes)
  }

  @Test(
    "bars above and below, or at the sides, in grey, colour and with alpha", arguments: [1, 3, 4])
  func bars(channels: Int) {
    let wide = LetterboxBars.detect(in: picture(rows: 7, channels: channels))
    #expect(wide == LetterboxBars(top: 7, bottom: 7))
    #expect(wide.cover(rows: 6, columns: 0))
    #expect(wide.cover(rows: 7, columns: 0))
    #expect(!wide.cover(rows: 8, columns: 0))
    #expect(!wide.cover(rows: 6, columns: 1))
    let tall = LetterboxBars.detect(in: picture(columns: 35, channels: channels))
    #expect(tall == LetterboxBars(left: 35, right: 35))
    #expect(tall.cover(rows: 0, columns: 35))
    #expect(LetterboxBars.detect(in: picture(channels: channels)) == LetterboxBars())
  }

  @Test("noise and a few ringing pixels belong to a bar, grey does not")
  func noise() {
    // Values up to 40, and one pixel of 40 in each row brighter: 4 of 160.
    let noisy = picture(rows: 7) { row, column in
      column % 40 == row ? 90 : UInt8((row * 7 + column * 13) % 41)
    }
    let found = LetterboxBars.detect(in: noisy)
    #expect((found.top, found.bottom) == (7, 7))
    #expect(LetterboxBars.detect(in: picture(rows: 7) { _, _ in 41 }) == LetterboxBars())
    // One pixel of 20 is too many: 8 of 160.
    let dotted = picture(rows: 7) { _, column in column % 20 == 0 ? 90 : 0 }
    #expect(LetterboxBars.detect(in: dotted) == LetterboxBars())
  }

  @Test("a bar at one side only is none, and a black picture is black at every edge")
  func oneSide() {
    let sky = LetterboxBars.detect(
      in: picture(rows: 20) { row, _ in row < 20 ? 0 : 128 })
    #expect(sky == LetterboxBars(top: 20))
    #expect(!sky.cover(rows: 7, columns: 0))
    let black = LetterboxBars.detect(in: picture(width: 8, height: 6, rows: 3))
    #expect(black == LetterboxBars(top: 6, bottom: 6, left: 8, right: 8))
    let pixel = LetterboxBars.detect(in: picture(width: 1, height: 1))
    #expect(pixel == LetterboxBars())
  }
}
