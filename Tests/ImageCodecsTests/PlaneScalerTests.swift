import Foundation
import PhotoModel
import Testing

@testable import ImageCodecs

@Suite("Plane scaler")
struct PlaneScalerTests {
  /// A plane of a picture of `size`, of which each sample is the mean of the pixels it stands for.
  private func plane(
    of size: PixelSize, x: Int, y: Int, samplesPerBlock: Int = 1, padding: Int = 0,
    _ level: (Double, Double) -> Double
  ) -> ReducedPlane {
    let width = (size.width + x - 1) / x
    let height = (size.height + y - 1) / y
    var samples: [UInt16] = []
    for row in 0..<height {
      for column in 0..<width {
        // The middle of an area has its mean, as far as levels are linear there.
        let value = level((Double(column) + 0.5) * Double(x), (Double(row) + 0.5) * Double(y))
        samples.append(UInt16(min(max((value * 8).rounded(), 0), 2040)))
      }
      samples += [UInt16](repeating: 2040, count: padding)
    }
    return ReducedPlane(
      size: PixelSize(width: width, height: height), stride: width + padding, samples: samples,
      samplesPerBlock: samplesPerBlock, pixelsPerSample: (x, y))
  }

  private func reduction(_ width: Int, _ height: Int, _ recipe: ThumbnailRecipe) -> Reduction {
    Reduction(
      stored: PixelSize(width: width, height: height), orientation: .up, recipe: recipe)
  }

  @Test(
    "A plane of one level stays so at any size, crop and scale",
    arguments: [(1, 1), (8, 8), (9, 17), (300, 1), (1, 8000), (8000, 1), (517, 389)],
    [1, 2, 4])
  func flat(_ size: (Int, Int), _ samplesPerBlock: Int) {
    for recipe in [ThumbnailRecipe.fit(64, 64), .fill(3, 40)] {
      let wanted = reduction(size.0, size.1, recipe)
      for level in [0, 77, 255] {
        let side = 8 / samplesPerBlock
        let grey = plane(
          of: wanted.source, x: side, y: side, samplesPerBlock: samplesPerBlock, padding: 3
        ) { _, _ in Double(level) }
        let bytes = scalePlanes([grey], to: wanted)
        #expect(bytes == [UInt8](repeating: UInt8(level), count: wanted.output.pixelCount))
      }
    }
  }

  @Test("The weights of every output add up to 1", arguments: [1, 2, 4])
  func partition(_ samplesPerBlock: Int) {
    for inputs in [1, 2, 3, 5, 50] {
      for (origin, share) in [(0.0, 1.0), (0.25, 0.5), (0.4, 0.01)] {
        for outputs in [1, 2, 31, 100] {
          let weights = PlaneWeights(
            PlaneWeights.Axis(
              inputs: inputs, origin: Double(inputs) * origin, length: Double(inputs) * share,
              outputs: outputs, samplesPerBlock: samplesPerBlock))
          #expect(weights.taps <= inputs && weights.starts.count == outputs)
          for output in 0..<outputs {
            let row = weights.weights[output * weights.stride..<(output + 1) * weights.stride]
            #expect(abs(row.reduce(0, +) - 1) < 1e-5)
            #expect(row.dropFirst(weights.taps).allSatisfy { $0 == 0 })
            #expect((0...inputs - weights.taps).contains(weights.starts[output]))
          }
        }
      }
    }
  }

  @Test(
    "Samples get back what they lost of a slow wave",
    arguments: [(1, 1.0244), (2, 1.0073), (4, 1)])
  func droop(_ samplesPerBlock: Int, _ gain: Double) {
    // A wave of 8 samples, of which a target of the plane's own size shows what the kernel adds:
    // 1 + 2c (1 - cos(2 pi / 8)). Means leave sinc(1/8) = 0.9745 of its height, of which c = 1/24 makes
    // 0.9983; of two samples a block c = 1/80, of four nothing is made up for.
    let weights = PlaneWeights(
      PlaneWeights.Axis(
        inputs: 64, origin: 0, length: 64, outputs: 64, samplesPerBlock: samplesPerBlock))
    let row = weights.weights[32 * weights.stride..<33 * weights.stride]
    let height = row.enumerated().reduce(0.0) { sum, tap in
      let place = Double(weights.starts[32] + tap.offset - 32)
      return sum + Double(tap.element) * cos(2 * Double.pi / 8 * place)
    }
    #expect(abs(height - gain) < 1e-4)
  }

  @Test(
    "A ramp stays a ramp",
    arguments: [(8, 8), (4, 4), (2, 2), (16, 8), (16, 16), (8, 16), (32, 8)])
  func ramp(_ x: Int, _ y: Int) {
    let wanted = reduction(2048, 1536, .fill(128, 128))
    let level = { (x: Double, y: Double) in 16 + x / 16 + y / 32 }
    let bytes = scalePlanes([plane(of: wanted.source, x: x, y: y, level)], to: wanted)
    // Away from the edge, which the last rows and columns of a plane repeat.
    for row in 8..<120 {
      for column in 0..<128 {
        // Fill shows the middle 1536 columns.
        let expected = level(256 + (Double(column) + 0.5) * 12, (Double(row) + 0.5) * 12)
        // Half a level of the plane's rounding and half of the result's, and the wave that remains.
        #expect(abs(Double(bytes[row * 128 + column]) - expected) <= 1.5)
      }
    }
  }

  @Test(
    "A step lies where it lies in the picture",
    arguments: [(8, 8), (4, 4), (2, 2), (16, 8), (16, 16), (8, 16), (32, 8)],
    [ThumbnailRecipe.fit(96, 96), .fill(20, 64)])
  func step(_ sample: (x: Int, y: Int), _ recipe: ThumbnailRecipe) {
    let wanted = reduction(2048, 1536, recipe)
    // Where the step is, in picture pixels; within a sample the mean says where.
    for place in [1019, 1030.5] {
      let across = plane(of: wanted.source, x: sample.x, y: sample.y) { x, _ in
        let covered = (place - (x - Double(sample.x) / 2)) / Double(sample.x)
        return 200 - 150 * min(max(covered, 0), 1)
      }
      let width = wanted.output.width
      let row = scalePlanes([across], to: wanted)[width * 5..<width * 6]
      // The levels below the upper one, added up, say how many pixels are at the lower.
      let dark = row.reduce(0.0) { $0 + (200 - Double($1)) / 150 }
      let expected = (place - wanted.cropX) / (wanted.cropWidth / Double(width))
      #expect(abs(dark - expected) < 0.1)
    }
    for place in [763, 774.5] {
      let down = plane(of: wanted.source, x: sample.x, y: sample.y) { _, y in
        let covered = (place - (y - Double(sample.y) / 2)) / Double(sample.y)
        return 200 - 150 * min(max(covered, 0), 1)
      }
      let (width, height) = (wanted.output.width, wanted.output.height)
      let bytes = scalePlanes([down], to: wanted)
      let dark = (0..<height).reduce(0.0) { $0 + (200 - Double(bytes[$1 * width + 5])) / 150 }
      let expected = (place - wanted.cropY) / (wanted.cropHeight / Double(height))
      #expect(abs(dark - expected) < 0.1)
    }
  }

  @Test("Colours are JFIF's, made from planes of different grids")
  func colours() {
    let wanted = reduction(640, 480, .fit(50, 50))
    // ITU-T T.871: red is (76.2, 85.0, 255.5), of which rounding to bytes leaves (76, 85, 255).
    for (yCbCr, rgb) in [
      ((76.0, 85.0, 255.0), [254, 0, 0]), ((150, 44, 21), [0, 255, 1]),
      ((29, 255, 107), [0, 0, 254]), ((128, 128, 128), [128, 128, 128]),
      ((255, 128, 128), [255, 255, 255]), ((0, 0, 255), [178, 0, 0]),
    ] {
      let planes = [
        plane(of: wanted.source, x: 8, y: 8) { _, _ in yCbCr.0 },
        plane(of: wanted.source, x: 16, y: 8) { _, _ in yCbCr.1 },
        plane(of: wanted.source, x: 4, y: 16, samplesPerBlock: 2) { _, _ in yCbCr.2 },
      ]
      let bytes = scalePlanes(planes, to: wanted)
      #expect(bytes.count == 50 * 38 * 3)
      for (index, byte) in bytes.enumerated() { #expect(Int(byte) == rgb[index % 3]) }
      let plain = scalePlanes(planes, to: wanted, isRGB: true)
      let levels = [yCbCr.0, yCbCr.1, yCbCr.2]
      for (index, byte) in plain.enumerated() { #expect(Double(byte) == levels[index % 3]) }
    }
  }

  @Test("The same planes give the same bytes, whatever the cache holds")
  func deterministic() {
    let wanted = reduction(1000, 700, .fit(100, 100))
    let grey = plane(of: wanted.source, x: 8, y: 8) { x, y in
      Double((Int(x) * 31 + Int(y) * 17) % 256)
    }
    let first = scalePlanes([grey], to: wanted)
    let cache = PlaneWeightsCache(capacity: 2, largest: 100_000)
    for _ in 0..<3 {
      _ = scalePlanes([grey], to: reduction(1000, 700, .fit(40, 40)), cache: cache)
      #expect(scalePlanes([grey], to: wanted, cache: cache) == first)
      #expect(cache.count == 2)
    }
    let none = PlaneWeightsCache(capacity: 2, largest: 0)
    #expect(scalePlanes([grey], to: wanted, cache: none) == first)
    #expect(none.count == 0)
  }

  @Test("A component gets the fewest samples that leave enough to reduce")
  func rule() {
    func sides(
      _ factors: [(Int, Int)], _ recipe: ThumbnailRecipe, progressive: Bool = false
    ) -> [Int] {
      let sampling = JPEGSampling(
        horizontal: factors.map(\.0).max() ?? 1, vertical: factors.map(\.1).max() ?? 1)
      let wanted = reduction(4032, 3024, recipe)
      return factors.map {
        JPEGScale.samplesPerBlock(
          horizontal: $0.0, vertical: $0.1, sampling: sampling, isProgressive: progressive,
          reduction: wanted)
      }
    }
    let (half, wide, full) = ([(2, 2), (1, 1)], [(2, 1), (1, 1)], [(1, 1), (1, 1)])
    #expect(sides(half, .fit(160, 160)) == [1, 1])
    #expect(sides(half, .fit(256, 256)) == [1, 2])
    #expect(sides(wide, .fit(256, 256)) == [1, 2])
    #expect(sides(full, .fit(256, 256)) == [1, 1])
    #expect(sides(half, .fit(512, 512)) == [2, 4])
    #expect(sides(full, .fit(512, 512)) == [2, 2])
    #expect(sides(half, .fit(2000, 2000)) == [8, 8])
    #expect(sides(half, .fit(256, 256), progressive: true) == [1, 1])
    #expect(sides(half, .fit(512, 512), progressive: true) == [8, 8])
  }
}
