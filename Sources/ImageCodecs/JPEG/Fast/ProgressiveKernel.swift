/// Decodes the DC scans of a progressive picture (ITU-T T.81 G.1.2.1); the others are not looked at.
@unsafe
enum ProgressiveKernel {
  /// Advances through `units` units of the first DC scan.
  ///
  /// Of each slot `output` and `stride` mean nothing; its coefficients go to `coefficients`, each the
  /// DC shifted left by `shift`.
  ///
  /// - Returns: false where a code is met that the tables do not have.
  @inline(never)
  static func decodeFirst(
    _ reader: inout EntropyReader, units: Int, slots: UnsafeMutablePointer<CoefficientSlot>,
    count: Int, shift: Int
  ) -> Bool {
    var next = unsafe reader.next
    var bits = unsafe reader.bits
    var valid = unsafe reader.count
    var safe = unsafe reader.safe
    let end = unsafe reader.end
    var isGood = true
    for _ in 0..<units {
      for index in 0..<count {
        let slot = unsafe slots + index
        // A DC takes 31 bits at most.
        if valid < 32 {
          if unsafe next <= safe {
            let word = unsafe UInt64(
              bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
            bits |= word &>> UInt64(truncatingIfNeeded: valid)
            unsafe next += (63 &- valid) &>> 3
            valid |= 56
          } else {
            unsafe (next, bits, valid, safe) = unsafe EntropyReader.refillSlowly(
              next, bits, valid, safe, end)
          }
        }
        guard let table = unsafe slot.pointee.table else { return false }
        var word = unsafe UInt64(table.fast.base[Int(truncatingIfNeeded: bits &>> 53)])
        if word == 0 {
          word = UInt64(table.slowWord(UInt16(truncatingIfNeeded: bits &>> 48)))
          if word == 0 {
            isGood = false
            break
          }
        }
        let size = word &>> 6
        let top = bits &<< (word &- size)
        let magnitude = Int(truncatingIfNeeded: (top &>> 1) &>> ~size)
        let isNegative = ~(Int(truncatingIfNeeded: top) &>> 63)
        let difference =
          magnitude &+ (isNegative & ((-1 &<< Int(truncatingIfNeeded: size)) &+ 1))
        bits &<<= word
        valid &-= Int(truncatingIfNeeded: word & 63)
        let dc = unsafe slot.pointee.prediction.pointee &+ difference
        unsafe slot.pointee.prediction.pointee = dc
        unsafe slot.pointee.coefficient.pointee = Int16(truncatingIfNeeded: dc &<< shift)
        unsafe slot.pointee.coefficient += slot.pointee.step
      }
      if !isGood { break }
    }
    unsafe reader.next = unsafe next
    unsafe reader.bits = bits
    unsafe reader.count = valid
    unsafe reader.safe = unsafe safe
    return isGood
  }

  /// Advances through `units` units of a later DC scan, which gives each DC its bit `shift`.
  @inline(never)
  static func decodeRefinement(
    _ reader: inout EntropyReader, units: Int, slots: UnsafeMutablePointer<CoefficientSlot>,
    count: Int, shift: Int
  ) {
    var next = unsafe reader.next
    var bits = unsafe reader.bits
    var valid = unsafe reader.count
    var safe = unsafe reader.safe
    let end = unsafe reader.end
    for _ in 0..<units {
      for index in 0..<count {
        let slot = unsafe slots + index
        if valid == 0 {
          unsafe (next, bits, valid, safe) = unsafe EntropyReader.refillSlowly(
            next, bits, valid, safe, end)
        }
        unsafe slot.pointee.coefficient.pointee |= Int16(
          truncatingIfNeeded: (bits &>> 63) &<< shift)
        bits &<<= 1
        valid &-= 1
        unsafe slot.pointee.coefficient += slot.pointee.step
      }
    }
    unsafe reader.next = unsafe next
    unsafe reader.bits = bits
    unsafe reader.count = valid
    unsafe reader.safe = unsafe safe
  }
}

/// The place of one block in the units of a DC scan.
@unsafe
struct CoefficientSlot {
  /// Where the DC of its next block goes.
  var coefficient: UnsafeMutablePointer<Int16>
  /// From its coefficient in one unit to that in the next.
  var step: Int
  var prediction: UnsafeMutablePointer<Int>
  /// Nil in a refinement, which has no codes.
  let table: DCTable?
}
