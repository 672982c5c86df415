/// Numbers that are the same in every run (SplitMix64, Steele, Lea and Flood, 2014).
struct FixedRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) }
  }
}

extension PNGBytes {
  /// The colour types and their depths (ISO/IEC 15948 table 11.1), and samples of a pixel.
  static let kinds: [(type: Int, samples: Int, depths: [Int])] = [
    (0, 1, [1, 2, 4, 8, 16]), (2, 3, [8, 16]), (3, 1, [1, 2, 4, 8]), (4, 2, [8, 16]),
    (6, 4, [8, 16]),
  ]

  /// A picture of random bytes: whatever the filters, they are some picture.
  ///
  /// `filters`: what rows may be filtered by.
  static func random(
    _ width: Int, _ height: Int, type: Int, depth: Int, isInterlaced: Bool = false,
    hasTransparency: Bool = false, filters: [UInt8] = [0, 1, 2, 3, 4],
    using random: inout FixedRandom
  ) -> PNGBytes {
    let samples = kinds.first { $0.type == type }?.samples ?? 1
    var png = PNGBytes(width: width, height: height, rows: [])
    (png.colourType, png.depth, png.isInterlaced) = (type, depth, isInterlaced)
    let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    for (x, y, across, down) in isInterlaced ? passes : [(0, 0, 1, 1)] {
      let columns = max(0, (width - x + across - 1) / across)
      if columns == 0 { continue }
      for _ in stride(from: y, to: height, by: down) {
        // Smooth rows too: random ones alone would hide what happens where neighbours are equal.
        let count = (columns * samples * depth + 7) / 8
        let isSmooth = Bool.random(using: &random)
        png.rows.append(
          random.bytes(count).map { isSmooth ? UInt8(truncatingIfNeeded: Int($0 % 5) - 2) : $0 })
        png.filters.append(filters.randomElement(using: &random) ?? 0)
      }
    }
    if type == 3 { png.palette = random.bytes(3 << depth) }
    if hasTransparency {
      switch type {
      case 3: png.transparency = random.bytes(Int.random(in: 1...1 << depth, using: &random))
      case 0, 2:
        // Few values, so that they are met.
        png.transparency = (0..<samples).flatMap { _ in
          depth == 16 ? random.bytes(2) : [0, random.bytes(1)[0] & UInt8((1 << depth) - 1)]
        }
      default: break
      }
    }
    return png
  }
}
