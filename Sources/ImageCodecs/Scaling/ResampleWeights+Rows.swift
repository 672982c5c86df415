/// The two loops in which scaling spends its time.
extension ResampleWeights {
  /// Scales one row along itself: `output[base...]` gets as many pixels as there are outputs.
  ///
  /// `row` has at least one number more than its pixels: those of three channels are loaded as four.
  func apply(_ row: [Float], channels: Int, to output: inout [Float], at base: Int) {
    precondition(row.count > inputs * channels && base >= 0, "a whole row and one number more")
    precondition(output.count - base >= starts.count * channels, "an output for each pixel")
    unsafe row.withUnsafeBufferPointer { row in
      unsafe weights.withUnsafeBufferPointer { weights in
        unsafe output.withUnsafeMutableBufferPointer { output in
          guard let row = row.baseAddress, let weights = weights.baseAddress,
            let output = output.baseAddress
          else { return }
          for x in 0..<starts.count {
            let pixels = unsafe row + starts[x] * channels
            let first = unsafe weights + x * taps
            let result = unsafe output + base + x * channels
            switch channels {
            case 1:
              unsafe result[0] = sum(pixels, first)
            case 3:
              let sum = unsafe sum(pixels, first, step: 3)
              unsafe result[0] = sum[0]
              unsafe result[1] = sum[1]
              unsafe result[2] = sum[2]
            default:
              let sum = unsafe sum(pixels, first, step: 4)
              for channel in 0..<4 { unsafe result[channel] = sum[channel] }
            }
          }
        }
      }
    }
  }

  @inline(__always)
  private func sum(_ row: UnsafePointer<Float>, _ weights: UnsafePointer<Float>) -> Float {
    var (even, odd): (Float, Float) = (0, 0)
    var tap = 0
    while tap &+ 2 <= taps {
      unsafe even += row[tap] * weights[tap]
      unsafe odd += row[tap &+ 1] * weights[tap &+ 1]
      tap &+= 2
    }
    if tap < taps { unsafe even += row[tap] * weights[tap] }
    return even + odd
  }

  /// Four channels at once, the even and the odd inputs on their own: each chain of additions is half
  /// as long.
  @inline(__always)
  private func sum(
    _ row: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, step: Int
  ) -> SIMD4<Float> {
    var (even, odd) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
    var place = unsafe UnsafeRawPointer(row)
    let pixel = step &* MemoryLayout<Float>.size
    var tap = 0
    while tap &+ 2 <= taps {
      unsafe even += place.loadUnaligned(as: SIMD4<Float>.self) * weights[tap]
      unsafe odd += (place + pixel).loadUnaligned(as: SIMD4<Float>.self) * weights[tap &+ 1]
      unsafe place += 2 &* pixel
      tap &+= 2
    }
    if tap < taps { unsafe even += place.loadUnaligned(as: SIMD4<Float>.self) * weights[tap] }
    return even + odd
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
