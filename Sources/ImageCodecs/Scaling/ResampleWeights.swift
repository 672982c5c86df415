#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which inputs make each output of one axis, and with what weight: Lanczos with three lobes,
/// widened by the reduction factor so that it also removes what the smaller grid cannot carry.
struct ResampleWeights {
  /// Samples of the axis; no output reaches beyond them.
  let inputs: Int
  /// The first input of each output.
  private(set) var starts: [Int] = []
  /// Inputs of one output; rows of `weights` are padded with zeros to it.
  private(set) var taps = 0
  /// `taps` for each output; they add up to 1.
  private(set) var weights: [Float] = []

  private static let lobes = 3.0

  /// Maps `origin ..< origin + length` of an axis of `inputs` samples to `outputs` samples.
  init(inputs: Int, origin: Double, length: Double, outputs: Int) {
    self.inputs = inputs
    let scale = length / Double(outputs)
    let stretch = max(1, scale)
    taps = min(inputs, Self.taps(scale: scale))
    starts.reserveCapacity(outputs)
    weights.reserveCapacity(outputs * taps)
    for output in 0..<outputs {
      let centre = origin + (Double(output) + 0.5) * scale
      let wanted = Int((centre - Self.lobes * stretch).rounded(.down))
      let start = min(max(0, wanted), inputs - taps)
      starts.append(start)
      var row = (start..<start + taps).map { Self.kernel((Double($0) + 0.5 - centre) / stretch) }
      let sum = row.reduce(0, +)
      // Beyond the edge there is nothing, so the rest is weighted up.
      if sum > 0.01 {
        for index in row.indices { row[index] /= sum }
      } else {
        for index in row.indices { row[index] = 0 }
        row[min(max(0, Int(centre) - start), taps - 1)] = 1
      }
      weights.append(contentsOf: row.lazy.map { Float($0) })
    }
  }

  /// How many inputs one output may need at that reduction.
  static func taps(scale: Double) -> Int {
    Int((2 * lobes * max(1, scale)).rounded(.up)) + 2
  }

  private static func kernel(_ x: Double) -> Double {
    if x == 0 { return 1 }
    if abs(x) >= lobes { return 0 }
    let angle = Double.pi * x
    return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
  }
}
