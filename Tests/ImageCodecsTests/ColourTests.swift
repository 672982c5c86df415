import Dispatch
import ImageContainer
import PhotoModel
import Testing

@testable import ImageCodecs

@Suite("Colour")
struct ColourTests {
  @Test("An embedded profile is converted to sRGB, in both formats")
  func profile() throws {
    var png = PNGBytes.rgb(2, 2) { _, _ in [255, 0, 0] }
    png.profile = ICCBytes.redAndBlueSwapped()
    #expect(near(try decode(png.file()).pixel(0, 0), [0, 0, 255], within: 2))

    var jpeg = JPEGBytes(across: 1, down: 1, components: 3) { c, _, _ in c == 0 ? 255 : 0 }
    jpeg.adobeTransform = 0
    jpeg.profile = ICCBytes.redAndBlueSwapped()
    #expect(near(try decode(jpeg.file()).pixel(0, 0), [0, 0, 255], within: 2))
  }

  @Test("A grey profile counts for a grey picture")
  func grey() throws {
    var jpeg = JPEGBytes(across: 1, down: 1, components: 1) { _, _, _ in 55 }
    jpeg.profile = ICCBytes.linearGrey()
    // IEC 61966-2-1: 55/255 of light is 1.055 * 0.21569^(1/2.4) - 0.055 = 0.5017, level 128.
    #expect(near(try decode(jpeg.file()).pixel(0, 0), [128, 128, 128], within: 2))
  }

  @Test("A profile that does not fit the picture, or is broken, is treated as sRGB")
  func unusable() throws {
    var png = PNGBytes(width: 1, height: 1, rows: [[100]])
    png.colourType = 0
    png.profile = ICCBytes.redAndBlueSwapped()
    #expect(try decode(png.file()).pixel(0, 0) == [100, 100, 100])

    var jpeg = JPEGBytes(across: 1, down: 1, components: 1) { _, _, _ in 100 }
    for profile in [
      ICCBytes.redAndBlueSwapped(), Array(ICCBytes.linearGrey().prefix(140)),
      [UInt8](repeating: 0xAA, count: 500), [1, 2],
    ] {
      jpeg.profile = profile
      #expect(try decode(jpeg.file()).pixel(0, 0) == [100, 100, 100])
    }
  }

  @Test("The cache makes a transform once, holds few, and skips what changes nothing")
  func cache() {
    let cache = TransformCache(capacity: 2)
    let swapped = ICCBytes.redAndBlueSwapped()
    guard case .transform(let first) = cache.entry(profile: swapped, channels: 3),
      case .transform(let second) = cache.entry(profile: swapped, channels: 3)
    else {
      Issue.record("no transform")
      return
    }
    #expect(first === second)
    #expect(cache.count == 1)
    // The same bytes for another kind of pixel are another entry, and of no use.
    guard case .none = cache.entry(profile: swapped, channels: 1) else {
      Issue.record("an RGB profile for grey pixels")
      return
    }
    _ = cache.entry(profile: ICCBytes.linearGrey(), channels: 1)
    #expect(cache.count == 2)
    // `swapped` for RGB was used longest ago and had to go.
    guard case .transform(let third) = cache.entry(profile: swapped, channels: 3) else {
      Issue.record("no transform")
      return
    }
    #expect(first !== third)
  }

  @Test("Large profiles are used but not kept")
  func large() {
    let cache = TransformCache(largestProfile: 300)
    let swapped = ICCBytes.redAndBlueSwapped()
    #expect(swapped.count > 300)
    guard case .transform = cache.entry(profile: swapped, channels: 3) else {
      Issue.record("no transform")
      return
    }
    #expect(cache.count == 0)
  }

  @Test("One transform serves several threads", .timeLimit(.minutes(5)))
  func threads() {
    let cache = TransformCache()
    let pixels = (0..<3 * 4096).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    guard
      case .transform(let transform) = cache.entry(
        profile: ICCBytes.redAndBlueSwapped(), channels: 3)
    else {
      Issue.record("no transform")
      return
    }
    let expected = transform.rgb(pixels)
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      #expect(transform.rgb(pixels) == expected)
    }
  }
}
