import CJPEGPeer
import Foundation
import ImageCodecs
import ImageContainer
import PhotoModel

/// From a JPEG file in memory to planes at a reduced scale, against libjpeg-turbo, which has the same to
/// do: no scaling to a target, no colour conversion on either side.
enum JPEGBenchmark {
  private static let scales: [(side: Int, coarse: Int, denominator: Int)] = [
    (1, 1, 8), (1, 2, 8), (2, 2, 4), (4, 4, 2),
  ]

  /// Prints a table; false where a file could not be measured.
  static func run(_ paths: [String]) -> Bool {
    print(
      "| file | MB | 1/8, ms | libjpeg-turbo | ratio | 1/8, coarse colour 1/4, ms | ratio "
        + "| 1/4, ms | ratio | 1/2, ms | ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    var isGood = true
    var sums = [Double](repeating: 0, count: 2 * scales.count)
    for path in paths {
      guard let data = try? Data(contentsOf: URL(filePath: path)),
        case let bytes = Array(data),
        let structure = try? ImageStructure.scanHeaders(MemoryByteSource(bytes)),
        structure.format == .jpeg
      else {
        print("CodecBenchmark: not a JPEG file: \(path)")
        isGood = false
        continue
      }
      let decoder = FastJPEGDecoder(limits: DecodeLimits())
      var works: [() -> Void] = []
      for scale in scales where scale.coarse == 1 || !structure.isProgressive {
        works.append {
          let planes = try? decoder.planes(
            bytes, size: structure.codedSize, samplesPerBlock: scale.side, coarse: scale.coarse)
          if planes == nil { isGood = false }
        }
        works.append {
          let rows = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe buffer.baseAddress.map { base in
              unsafe cjpeg_peer_decode(base, buffer.count, Int32(scale.denominator))
            }
          }
          if (rows ?? 0) == 0 { isGood = false }
        }
      }
      let times = Timing.medians(rounds: 7, works)
      for (index, time) in times.enumerated() { sums[index] += time }
      var columns = [text(Double(bytes.count) / 1e6), text(times[0]), text(times[1])]
      columns.append(text(times[1] / times[0]))
      for index in stride(from: 2, to: times.count, by: 2) {
        columns += [text(times[index]), text(times[index + 1] / times[index])]
      }
      let name = URL(filePath: path).lastPathComponent
      print("| \(name) | " + columns.joined(separator: " | ") + " |")
    }
    for (index, scale) in scales.enumerated() where sums[2 * index] > 0 {
      let ratio = text(sums[2 * index + 1] / sums[2 * index])
      let colour = scale.coarse > scale.side ? " with coarse colour at 1/\(8 / scale.coarse)" : ""
      print(
        "all files at 1/\(scale.denominator)\(colour): libjpeg-turbo takes \(ratio) times as long")
    }
    return isGood
  }

  private static func text(_ value: Double) -> String { String(format: "%.2f", value) }
}
