import ImageCodecs
import PhotoModel
import Testing

@Suite("Thumbnail geometry")
struct ThumbnailGeometryTests {
  @Test(
    "Fitting keeps the aspect, rounds to the nearest pixel and never enlarges",
    arguments: [
      (4032, 3024, 256, 256, 256, 192), (3024, 4032, 256, 256, 192, 256),
      (100, 50, 256, 256, 100, 50), (6720, 4480, 256, 256, 256, 171),
      (10_000, 1, 256, 256, 256, 1), (1, 10_000, 256, 256, 1, 256),
      (65_500, 10, 256, 256, 256, 1), (1, 1, 256, 256, 1, 1),
      (1000, 1000, 300, 100, 100, 100), (640, 356, 256, 256, 256, 142),
      (257, 257, 256, 256, 256, 256), (3, 2, 2, 2, 2, 1),
    ])
  func fit(_ w: Int, _ h: Int, _ bw: Int, _ bh: Int, _ ow: Int, _ oh: Int) {
    let geometry = ThumbnailGeometry(
      source: PixelSize(width: w, height: h), recipe: .fit(bw, bh))
    #expect(geometry.outputSize == PixelSize(width: ow, height: oh))
    #expect(geometry.cropX == 0 && geometry.cropY == 0)
    #expect(geometry.cropWidth == Double(w) && geometry.cropHeight == Double(h))
  }

  @Test("Filling covers the size and cuts evenly on both sides")
  func fill() {
    let wide = ThumbnailGeometry(
      source: PixelSize(width: 400, height: 200), recipe: .fill(100, 100))
    #expect(wide.outputSize == PixelSize(width: 100, height: 100))
    #expect((wide.cropX, wide.cropY) == (100, 0))
    #expect((wide.cropWidth, wide.cropHeight) == (200, 200))

    let tall = ThumbnailGeometry(
      source: PixelSize(width: 100, height: 1000), recipe: .fill(50, 100))
    #expect(tall.outputSize == PixelSize(width: 50, height: 100))
    #expect((tall.cropX, tall.cropY) == (0, 400))
    #expect((tall.cropWidth, tall.cropHeight) == (100, 200))
  }

  @Test("Filling a size larger than the picture only crops")
  func fillSmall() {
    // 100x30 cannot cover 60x60 without being enlarged: 60 columns of its own size are shown.
    let geometry = ThumbnailGeometry(
      source: PixelSize(width: 100, height: 30), recipe: .fill(60, 60))
    #expect(geometry.outputSize == PixelSize(width: 60, height: 30))
    #expect((geometry.cropX, geometry.cropWidth) == (20, 60))
    let tiny = ThumbnailGeometry(source: PixelSize(width: 3, height: 2), recipe: .fill(60, 60))
    #expect(tiny.outputSize == PixelSize(width: 3, height: 2))
  }

  @Test("Fractions of a pixel are cropped evenly too")
  func fractions() {
    let geometry = ThumbnailGeometry(
      source: PixelSize(width: 101, height: 50), recipe: .fill(25, 25))
    #expect(geometry.outputSize == PixelSize(width: 25, height: 25))
    #expect((geometry.cropX, geometry.cropWidth) == (25.5, 50))
  }
}
