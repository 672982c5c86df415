import CJPEGOracle
import FoundationEssentials
import Glibc

/// Files that a target can start from.
enum Seeds {
  /// Longer ones make each try slow.
  private static let maximumLength = 16 << 10

  /// Writes `FOLDER/jpeg-scan/NAME`: small JPEG files of the given ones, and files that are made here.
  static func write(to folder: String, from files: [String]) {
    let place = URL(filePath: folder).appending(path: FuzzTarget.jpegScan.rawValue)
    var seeds = made()
    for path in files {
      guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= maximumLength,
        data.starts(with: [0xFF, 0xD8])
      else { continue }
      seeds.append(Array(data))
    }
    do {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for seed in seeds {
        try Data(seed).write(to: place.appending(path: String(hash(seed), radix: 16)))
      }
    } catch {
      print("CodecFuzzer: \(place.path): \(error)")
    }
    print("seeds from \(files.count) files: \(FuzzTarget.jpegScan.rawValue) \(seeds.count)")
  }

  /// Every sampling, restarts, scans and codes, of noise and of something smooth.
  private static func made() -> [[UInt8]] {
    let factors: [(horizontal: [Int32], vertical: [Int32])] = [
      ([1], [1]), ([2], [2]), ([1, 1, 1], [1, 1, 1]), ([2, 1, 1], [2, 1, 1]),
      ([2, 1, 1], [1, 1, 1]), ([1, 1, 1], [2, 1, 1]), ([4, 1, 1], [1, 1, 1]),
      ([1, 2, 1], [1, 1, 1]), ([2, 2, 2], [1, 1, 1]),
    ]
    var seeds: [[UInt8]] = []
    for (index, factors) in factors.enumerated() {
      for variant in 0..<8 {
        var recipe = cjpeg_oracle_recipe()
        recipe.width = Int32(9 + 5 * variant)
        recipe.height = Int32(31 - 3 * variant)
        recipe.components = Int32(factors.horizontal.count)
        unsafe withUnsafeMutableBytes(of: &recipe.horizontal) { bytes in
          unsafe factors.horizontal.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
        }
        unsafe withUnsafeMutableBytes(of: &recipe.vertical) { bytes in
          unsafe factors.vertical.withUnsafeBytes { unsafe bytes.copyMemory(from: $0) }
        }
        recipe.quality = [95, 50, 100, 5][variant % 4]
        recipe.restart_interval = [0, 1, 2, -1][(variant + index) % 4]
        recipe.optimized = variant % 3 == 1
        recipe.one_scan_per_component = variant % 4 == 2
        recipe.progressive = variant % 4 == 3
        let count = Int(recipe.width * recipe.height * recipe.components)
        let pixels = (0..<count).map { place in
          UInt8(truncatingIfNeeded: variant % 2 == 0 ? place &* place &* 2_654_435_761 >> 7 : place)
        }
        if let seed = unsafe encode(&recipe, pixels) { seeds.append(seed) }
      }
    }
    return seeds
  }

  private static func encode(
    _ recipe: UnsafePointer<cjpeg_oracle_recipe>, _ pixels: [UInt8]
  ) -> [UInt8]? {
    var count = 0
    let bytes = unsafe pixels.withUnsafeBufferPointer { pixels in
      unsafe pixels.baseAddress.flatMap { unsafe cjpeg_oracle_encode(recipe, $0, &count) }
    }
    guard let bytes = unsafe bytes else { return nil }
    defer { unsafe free(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// FNV-1a: the name of a seed, so that equal ones are one file.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
