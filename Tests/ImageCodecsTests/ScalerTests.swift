import PhotoModel
import Testing

@testable import ImageCodecs

@Suite("Row scaler")
struct ScalerTests {
  private func scale(
    _ width: Int, _ height: Int, to recipe: ThumbnailRecipe, channels: Int = 1,
    _ value: (Int, Int, Int) -> UInt8
  ) -> (size: PixelSize, bytes: [UInt8]) {
    let reduction = Reduction(
      stored: PixelSize(width: width, height: height), orientation: .up, recipe: recipe)
    var scaler = RowScaler(reduction, channels: channels)
    for y in 0..<height {
      let row = (0..<width).flatMap { x in (0..<channels).map { value(x, y, $0) } }
      scaler.push(row.span)
    }
    return (reduction.output, scaler.finish(missing: 128))
  }

  @Test(
    "A flat picture stays flat, whatever its size and channels",
    arguments: [
      (1, 1), (2, 1), (1, 7), (16, 16), (17, 3), (300, 1), (1, 300), (301, 207), (1000, 30),
    ], [1, 3, 4])
  func flat(_ size: (Int, Int), _ channels: Int) {
    for target in [1, 2, 16, 40] {
      let values: [UInt8] = [0, 77, 255, 200]
      let result = scale(size.0, size.1, to: .fit(target, target), channels: channels) { _, _, c in
        values[c]
      }
      #expect(result.bytes.count == result.size.pixelCount * channels)
      for (index, byte) in result.bytes.enumerated() {
        #expect(byte == values[index % channels])
      }
    }
  }

  @Test("At its own size a picture is not changed", arguments: [1, 3, 4])
  func identity(_ channels: Int) {
    func value(_ x: Int, _ y: Int, _ channel: Int) -> UInt8 {
      UInt8((x * 37 + y * 91 + channel * 53) % 256)
    }
    let expected = (0..<19).flatMap { y in
      (0..<23).flatMap { x in (0..<channels).map { value(x, y, $0) } }
    }
    for recipe in [ThumbnailRecipe.fit(64, 64), .fit(23, 19), .fill(23, 19), .fill(90, 90)] {
      let result = scale(23, 19, to: recipe, channels: channels, value)
      #expect(result.size == PixelSize(width: 23, height: 19))
      #expect(result.bytes == expected)
    }
  }

  @Test("At its own size too, rows that never came are filled")
  func missingUnscaled() {
    let reduction = Reduction(
      stored: PixelSize(width: 3, height: 4), orientation: .up, recipe: .fit(8, 8))
    var scaler = RowScaler(reduction, channels: 1)
    scaler.push([1, 2, 3].span)
    #expect(!scaler.isDone)
    #expect(scaler.rowsLeft == 3)
    #expect(scaler.finish(missing: 128) == [1, 2, 3] + [UInt8](repeating: 128, count: 9))
    #expect(scaler.isDone)
  }

  @Test("A crop at its own size is exactly those pixels")
  func crop() {
    let result = scale(40, 10, to: .fill(20, 10)) { x, _, _ in UInt8(x) }
    #expect(result.size == PixelSize(width: 20, height: 10))
    let row = (10..<30).map { UInt8($0) }
    #expect(result.bytes == (0..<10).flatMap { _ in row })
  }

  @Test("Detail finer than the target becomes its mean, without patterns", arguments: [4, 9, 32])
  func antiAliased(_ factor: Int) {
    let side = 16 * factor
    let result = scale(side, side, to: .fit(16, 16)) { x, y, _ in (x + y) % 2 == 0 ? 255 : 0 }
    for byte in result.bytes { #expect(abs(Int(byte) - 128) <= 3) }
  }

  @Test("An edge stays where it is", arguments: [2, 5, 13, 40])
  func edge(_ factor: Int) {
    let side = 20 * factor
    let result = scale(side, side, to: .fit(20, 20)) { x, _, _ in x < side / 2 ? 0 : 255 }
    for y in 0..<20 {
      let row = result.bytes[y * 20..<y * 20 + 20].map { Int($0) }
      // Lanczos rings a little beside an edge, and symmetrically.
      for x in 0..<20 {
        #expect(abs(row[x] + row[19 - x] - 255) <= 1)
        if abs(Double(x) - 9.5) > 3 { #expect(abs(row[x] - (x < 10 ? 0 : 255)) <= 8) }
      }
      #expect(row[9] < 64 && row[10] > 191)
    }
  }

  @Test("A ramp stays a ramp")
  func ramp() {
    let result = scale(512, 4, to: .fit(64, 64)) { x, _, _ in UInt8(x / 2) }
    for x in 6..<58 {
      // Output x covers inputs 8x to 8x + 7, whose mean level is 4x + 1.5 (levels step every other
      // pixel).
      #expect(abs(Int(result.bytes[x]) - (4 * x + 2)) <= 1)
    }
  }

  @Test("Rows that never came are filled")
  func missing() {
    let reduction = Reduction(
      stored: PixelSize(width: 80, height: 80), orientation: .up, recipe: .fit(8, 8))
    var scaler = RowScaler(reduction, channels: 1)
    for _ in 0..<40 { scaler.push([UInt8](repeating: 0, count: 80).span) }
    let bytes = scaler.finish(missing: 200)
    #expect(bytes.count == 64)
    #expect(bytes[..<16].allSatisfy { $0 <= 2 } && bytes[48...].allSatisfy { $0 >= 198 })
  }

  @Test("Memory depends on the row and the target, not on the picture's height")
  func memory() {
    func need(_ height: Int) -> Int {
      RowScaler.memory(
        Reduction(
          stored: PixelSize(width: 4000, height: height), orientation: .up,
          recipe: .fill(256, 256)),
        channels: 3)
    }
    #expect(need(40_000) == need(20_000))
    #expect(need(4000) < 1 << 20)
  }
}
