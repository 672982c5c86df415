/// The two loops in which scaling spends its time.
extension ResampleWeights {
  /// Scales one row along itself: `output[base...]` gets as many pixels as there are outputs.
  func apply(_ row: [Float], channels: Int, to output: inout [Float], at base: Int) {
    let starts = self.starts.span
    let weights = self.weights.span
    let taps = self.taps
    let row = row.span
    var out = output.mutableSpan
    for x in 0..<starts.count {
      var input = starts[x] * channels
      let first = x * taps
      switch channels {
      case 1:
        var sum: Float = 0
        for tap in 0..<taps {
          sum += row[input] * weights[first + tap]
          input += 1
        }
        out[base + x] = sum
      case 3:
        var (red, green, blue): (Float, Float, Float) = (0, 0, 0)
        for tap in 0..<taps {
          let weight = weights[first + tap]
          red += row[input] * weight
          green += row[input + 1] * weight
          blue += row[input + 2] * weight
          input += 3
        }
        out[base + x * 3] = red
        out[base + x * 3 + 1] = green
        out[base + x * 3 + 2] = blue
      default:
        var sum = SIMD4<Float>.zero
        for tap in 0..<taps {
          sum +=
            SIMD4(row[input], row[input + 1], row[input + 2], row[input + 3])
            * weights[first + tap]
          input += 4
        }
        for channel in 0..<4 { out[base + x * 4 + channel] = sum[channel] }
      }
    }
  }

  /// Adds up the rows that make output row `output`.
  ///
  /// Row `n` lies in slot `n % slots` of `ring`.
  func combine(
    _ ring: [Float], slots: Int, output: Int, into sums: inout [Float]
  ) {
    let rowLength = sums.count
    let ring = ring.span
    let start = starts[output]
    var sums = sums.mutableSpan
    for index in 0..<rowLength { sums[index] = 0 }
    for tap in 0..<taps {
      let weight = weights[output * taps + tap]
      if weight == 0 { continue }
      let base = (start + tap) % slots * rowLength
      for index in 0..<rowLength { sums[index] += ring[base + index] * weight }
    }
  }
}
