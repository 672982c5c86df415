/// What scales one axis of a plane: Lanczos with three lobes, together with what makes up for the droop of
/// samples that are means.
struct PlaneWeights: Hashable, Sendable {
  /// What the weights depend on.
  struct Axis: Hashable, Sendable {
    /// Samples of the plane.
    var inputs: Int
    /// Where the part that is shown begins, and how long it is, in samples; ends are the samples' edges.
    var origin, length: Double
    var outputs: Int
    var samplesPerBlock: Int
  }

  /// Weights are padded with zeros to a multiple of it.
  static let unit = 4

  /// The first input of each output.
  let starts: [Int]
  /// Inputs of one output that have a weight; at most `inputs`.
  let taps: Int
  /// Weights of one output: `taps`, rounded up to whole units.
  let stride: Int
  /// `stride` for each output, which add up to 1.
  let weights: [Float]
  /// How many inputs are read where a whole stride is taken from each start.
  let reach: Int

  init(_ axis: Axis) {
    let plain = ResampleWeights(
      inputs: axis.inputs, origin: axis.origin, length: axis.length, outputs: axis.outputs)
    let droop = Self.droop(samplesPerBlock: axis.samplesPerBlock)
    let margin = droop == 0 ? 0 : 1
    let span = min(axis.inputs, plain.taps + 2 * margin)
    var starts: [Int] = []
    var rows: [[Float]] = []
    var taps = 1
    for output in 0..<axis.outputs {
      let start = min(max(0, plain.starts[output] - margin), axis.inputs - span)
      var row = [Float](repeating: 0, count: span)
      // A sample beyond the edge is as the one at the edge.
      func add(_ weight: Float, at input: Int) {
        row[min(max(0, input), axis.inputs - 1) - start] += weight
      }
      for tap in 0..<plain.taps {
        let input = plain.starts[output] + tap
        let weight = plain.weights[output * plain.taps + tap]
        add(weight * (1 + 2 * droop), at: input)
        guard droop != 0 else { continue }
        add(-weight * droop, at: input - 1)
        add(-weight * droop, at: input + 1)
      }
      let kept = Self.trimmed(&row)
      starts.append(start + kept.lowerBound)
      rows.append(Array(row[kept]))
      taps = max(taps, kept.count)
    }
    let stride = (taps + Self.unit - 1) / Self.unit * Self.unit
    var weights = [Float](repeating: 0, count: stride * axis.outputs)
    for output in 0..<axis.outputs {
      // All outputs take `taps` inputs, which lie inside the plane.
      let start = min(starts[output], axis.inputs - taps)
      let base = output * stride + starts[output] - start
      for (index, weight) in rows[output].enumerated() { weights[base + index] = weight }
      starts[output] = start
    }
    self.starts = starts
    self.taps = taps
    self.stride = stride
    self.weights = weights
    reach = (starts.max() ?? 0) + stride
  }

  /// Lanczos ends flat: what its ends weigh together changes no pixel by a tenth of a level, and costs a
  /// sixth of the time.
  private static let leastWeight: Float = 1 / 2048

  /// Takes the light ends off a row of weights that add up to 1, and makes up for them.
  ///
  /// - Returns: which of the weights are left.
  private static func trimmed(_ row: inout [Float]) -> Range<Int> {
    guard let first = row.firstIndex(where: { abs($0) >= leastWeight }),
      let last = row.lastIndex(where: { abs($0) >= leastWeight })
    else { return 0..<row.count }
    let sum = row[first...last].reduce(0, +)
    for index in first...last { row[index] /= sum }
    return first..<last + 1
  }

  /// How much [-c, 1 + 2c, -c] takes of the neighbours.
  ///
  /// A mean over a sample weakens a frequency f by sinc f = 1 - (pi f)^2 / 6 ..., the kernel strengthens it
  /// by 1 + c (2 pi f)^2 ...: c = 1/24. The 2x2 inverse DCT of low frequencies nearly keeps them as they are:
  /// 1/80 is what measuring gave (512 pixels of 4032; 1/100 and 1/67 are as good, 0 and 1/50 worse). The
  /// 4x4 one keeps them.
  private static func droop(samplesPerBlock: Int) -> Float {
    switch samplesPerBlock {
    case 1: 1 / 24
    case 2: 1 / 80
    default: 0
    }
  }

  /// How many inputs one output may need where an output is `scale` samples long.
  static func taps(scale: Double) -> Int { ResampleWeights.taps(scale: scale) + 2 + unit }
}
