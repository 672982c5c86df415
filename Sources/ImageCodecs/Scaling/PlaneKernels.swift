/// The loops in which scaling of planes spends its time, on pointers so that they become SIMD; all their
/// bounds are checked first.
enum PlaneKernels {
  /// Columns that `combine` takes at a time; rows of numbers are padded to whole ones.
  static let block = 16

  /// Turns `count` samples from `start` on, which are eighths, into levels, at `base` of the output.
  static func levels(
    _ samples: [UInt16], from start: Int, count: Int, into output: inout [Float], at base: Int
  ) {
    precondition(start >= 0 && count >= 0 && start <= samples.count - count)
    precondition(base >= 0 && base <= output.count - count)
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe output.withUnsafeMutableBufferPointer { output in
        guard let first = samples.baseAddress, let target = output.baseAddress else { return }
        let from = unsafe first + start
        let to = unsafe target + base
        for index in 0..<count {
          unsafe to[index] = Float(from[index]) * 0.125
        }
      }
    }
  }

  /// Adds up the rows of a ring that make output row `index`.
  ///
  /// Row `n` of the plane lies in slot `n % slots`; rows are `output.count` numbers long.
  static func combine(
    _ ring: [Float], slots: Int, weights: PlaneWeights, output index: Int,
    into output: inout [Float]
  ) {
    let (length, taps) = (output.count, weights.taps)
    precondition(length % block == 0 && taps <= slots && ring.count == slots * length)
    precondition(taps <= weights.stride && (index + 1) * weights.stride <= weights.weights.count)
    let slot = weights.starts[index] % slots
    let untilWrap = min(taps, slots - slot)
    unsafe ring.withUnsafeBufferPointer { ring in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe weights.weights.withUnsafeBufferPointer { all in
          guard let top = ring.baseAddress, let target = output.baseAddress,
            let base = all.baseAddress
          else { return }
          let weight = unsafe base + index * weights.stride
          for column in stride(from: 0, to: length, by: block) {
            var sum = SIMD16<Float>.zero
            var row = unsafe UnsafeRawPointer(top + slot * length + column)
            for tap in 0..<untilWrap {
              sum += unsafe row.loadUnaligned(as: SIMD16<Float>.self) * weight[tap]
              unsafe row += length * 4
            }
            unsafe row = unsafe UnsafeRawPointer(top + column)
            for tap in untilWrap..<taps {
              sum += unsafe row.loadUnaligned(as: SIMD16<Float>.self) * weight[tap]
              unsafe row += length * 4
            }
            unsafe UnsafeMutableRawPointer(target + column).storeBytes(
              of: sum, as: SIMD16<Float>.self)
          }
        }
      }
    }
  }

  /// Scales a row along itself.
  ///
  /// The row is padded so that a whole stride of weights can be taken from each start.
  static func scale(_ row: [Float], weights: PlaneWeights, into output: inout [Float]) {
    let (count, stride) = (weights.starts.count, weights.stride)
    precondition(stride % PlaneWeights.unit == 0 && weights.weights.count == count * stride)
    precondition(weights.reach <= row.count && output.count >= count)
    unsafe row.withUnsafeBufferPointer { row in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe weights.starts.withUnsafeBufferPointer { starts in
          unsafe weights.weights.withUnsafeBufferPointer { weights in
            guard let first = row.baseAddress,
              var weight = unsafe UnsafeRawPointer(weights.baseAddress)
            else { return }
            for index in 0..<count {
              var from = unsafe UnsafeRawPointer(first + starts[index])
              var sum = SIMD4<Float>.zero
              for _ in 0..<stride / PlaneWeights.unit {
                sum +=
                  unsafe from.loadUnaligned(as: SIMD4<Float>.self)
                  * weight.loadUnaligned(as: SIMD4<Float>.self)
                unsafe from += 16
                unsafe weight += 16
              }
              let halves = sum.lowHalf + sum.highHalf
              unsafe output[index] = halves.x + halves.y
            }
          }
        }
      }
    }
  }

  /// Rounds a row of grey levels into `output` at `base`.
  static func store(_ levels: [Float], count: Int, into output: inout [UInt8], at base: Int) {
    precondition(count <= levels.count && base >= 0 && base <= output.count - count)
    let levels = levels.span
    var output = output.mutableSpan
    for index in 0..<count { output[base + index] = byte(levels[index]) }
  }

  /// Rounds a row of red, green and blue into `output` at `base`; with `isRGB` false they are luma and
  /// the two colour differences of JFIF (ITU-R BT.601, full range), which are converted before they are
  /// rounded.
  static func store(
    _ first: [Float], _ second: [Float], _ third: [Float], isRGB: Bool, count: Int,
    into output: inout [UInt8], at base: Int
  ) {
    precondition(count <= first.count && count <= second.count && count <= third.count)
    precondition(count >= 0 && base >= 0 && base <= output.count - count * 3)
    unsafe first.withUnsafeBufferPointer { first in
      unsafe second.withUnsafeBufferPointer { second in
        unsafe third.withUnsafeBufferPointer { third in
          unsafe output.withUnsafeMutableBufferPointer { output in
            guard let one = unsafe UnsafeRawPointer(first.baseAddress),
              let two = unsafe UnsafeRawPointer(second.baseAddress),
              let three = unsafe UnsafeRawPointer(third.baseAddress),
              let target = UnsafeMutableRawPointer(output.baseAddress)
            else { return }
            var to = unsafe target + base
            // Each pixel is stored as four bytes, of which the next one overwrites the last; so the end of
            // a row is stored byte by byte.
            let whole = max(0, count - 1) / 4 * 4
            for x in stride(from: 0, to: whole, by: 4) {
              let pixels = unsafe words(
                (one + x * 4).loadUnaligned(as: SIMD4<Float>.self),
                (two + x * 4).loadUnaligned(as: SIMD4<Float>.self),
                (three + x * 4).loadUnaligned(as: SIMD4<Float>.self), isRGB: isRGB)
              unsafe to.storeBytes(of: pixels.x.littleEndian, as: UInt32.self)
              unsafe (to + 3).storeBytes(of: pixels.y.littleEndian, as: UInt32.self)
              unsafe (to + 6).storeBytes(of: pixels.z.littleEndian, as: UInt32.self)
              unsafe (to + 9).storeBytes(of: pixels.w.littleEndian, as: UInt32.self)
              unsafe to += 12
            }
            for x in whole..<count {
              let pixel = unsafe words(
                SIMD4(repeating: first[x]), SIMD4(repeating: second[x]),
                SIMD4(repeating: third[x]), isRGB: isRGB
              ).x
              unsafe output[base + x * 3] = UInt8(truncatingIfNeeded: pixel)
              unsafe output[base + x * 3 + 1] = UInt8(truncatingIfNeeded: pixel &>> 8)
              unsafe output[base + x * 3 + 2] = UInt8(truncatingIfNeeded: pixel &>> 16)
            }
          }
        }
      }
    }
  }

  /// Four pixels, red in the lowest byte.
  @inline(__always)
  private static func words(
    _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ third: SIMD4<Float>, isRGB: Bool
  ) -> SIMD4<UInt32> {
    if isRGB { return bits(first) | bits(second) &<< 8 | bits(third) &<< 16 }
    let blue = second - 128
    let red = third - 128
    // ITU-T T.871, section 7.
    return bits(first + red * 1.402)
      | bits(first - blue * 0.344_136_3 - red * 0.714_136_3) &<< 8
      | bits(first + blue * 1.772) &<< 16
  }

  /// The nearest of 0 to 255.
  @inline(__always)
  private static func bits(_ levels: SIMD4<Float>) -> SIMD4<UInt32> {
    var levels = levels
    levels.replace(with: 0, where: levels .< 0)
    levels.replace(with: 255, where: levels .> 255)
    // Added to 2 to the 23rd, a number's fraction is rounded away and its units are the lowest bits.
    return unsafe unsafeBitCast(levels + 8_388_608, to: SIMD4<UInt32>.self) & 0xFF
  }

  @inline(__always)
  private static func byte(_ level: Float) -> UInt8 {
    UInt8(truncatingIfNeeded: (min(max(level, 0), 255) + 8_388_608).bitPattern)
  }
}
