import ImageCodecs
import ImageContainer
import PhotoModel

/// Decodes a file in memory as an app would, with the real container walk.
func decode(
  _ file: [UInt8], orientation: Orientation = .up,
  recipe: ThumbnailRecipe = ThumbnailRecipe(), limits: DecodeLimits = DecodeLimits(),
  isCancelled: @Sendable () -> Bool = { false }
) throws -> DecodedPicture {
  let source = MemoryByteSource(file)
  return try ThumbnailDecoder(budget: DecodeBudget(limits: limits)).decode(
    source, structure: try ImageStructure.scan(source), orientation: orientation, recipe: recipe,
    isCancelled: isCancelled)
}

func missingRows(_ file: [UInt8]) throws -> String? {
  let source = MemoryByteSource(file)
  return try ThumbnailDecoder(budget: DecodeBudget()).missingRows(
    source, structure: try ImageStructure.scan(source))
}

extension DecodedPicture {
  /// The pixel at a place, as three numbers.
  func pixel(_ x: Int, _ y: Int) -> [Int] {
    let start = (y * pixels.size.width + x) * 3
    return pixels.bytes[start..<start + 3].map { Int($0) }
  }

  /// All pixels, row by row.
  var colours: [[Int]] {
    (0..<pixels.size.height).flatMap { y in
      (0..<pixels.size.width).map { x in pixel(x, y) }
    }
  }
}

/// Whether each number is within `tolerance` of what was expected.
func near(_ actual: [Int], _ expected: [Int], within tolerance: Int = 1) -> Bool {
  actual.count == expected.count
    && zip(actual, expected).allSatisfy { abs($0 - $1) <= tolerance }
}

extension ThumbnailRecipe {
  static func fit(_ width: Int, _ height: Int) -> ThumbnailRecipe {
    ThumbnailRecipe(size: PixelSize(width: width, height: height))
  }

  static func fill(_ width: Int, _ height: Int) -> ThumbnailRecipe {
    ThumbnailRecipe(size: PixelSize(width: width, height: height), contentMode: .aspectFill)
  }
}
