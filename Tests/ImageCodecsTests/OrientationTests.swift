import ImageCodecs
import PhotoModel
import Testing

@Suite("Orientation")
struct OrientationTests {
  /// Stored 3x2:  1 2 3 / 4 5 6.
  ///
  /// What stands upright follows from where EXIF says that the stored row 0 and column 0 are: 6 for
  /// example is "row 0 at the right, column 0 at the top".
  @Test(
    "All eight values are applied to the pixels and to the size",
    arguments: [
      (Orientation.up, [[1, 2, 3], [4, 5, 6]]),
      (.upMirrored, [[3, 2, 1], [6, 5, 4]]),
      (.down, [[6, 5, 4], [3, 2, 1]]),
      (.downMirrored, [[4, 5, 6], [1, 2, 3]]),
      (.leftMirrored, [[1, 4], [2, 5], [3, 6]]),
      (.right, [[4, 1], [5, 2], [6, 3]]),
      (.rightMirrored, [[6, 3], [5, 2], [4, 1]]),
      (.left, [[3, 6], [2, 5], [1, 4]]),
    ])
  func applied(_ orientation: Orientation, _ rows: [[Int]]) throws {
    let file = PNGBytes.rgb(3, 2) { x, y in
      let value = UInt8(y * 3 + x + 1)
      return [value * 10, value, 0]
    }.file()
    let picture = try decode(file, orientation: orientation)
    #expect(picture.pixels.size == PixelSize(width: rows[0].count, height: rows.count))
    #expect(picture.colours == rows.joined().map { [$0 * 10, $0, 0] })
  }

  @Test("A turned picture is fitted and cropped as it stands upright")
  func fitted() throws {
    // Stored 40x20, left half red: upright (6) 20x40, the upper half red.
    let file = PNGBytes.rgb(40, 20) { x, _ in x < 20 ? [255, 0, 0] : [0, 0, 255] }.file()
    let fit = try decode(file, orientation: .right, recipe: .fit(20, 20))
    #expect(fit.pixels.size == PixelSize(width: 10, height: 20))
    #expect(near(fit.pixel(5, 2), [255, 0, 0]) && near(fit.pixel(5, 17), [0, 0, 255]))
    let fill = try decode(file, orientation: .right, recipe: .fill(20, 10))
    #expect(fill.pixels.size == PixelSize(width: 20, height: 10))
    #expect(near(fill.pixel(9, 0), [255, 0, 0]) && near(fill.pixel(9, 9), [0, 0, 255]))
  }
}
