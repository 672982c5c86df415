/// Decodes the DC scans of a progressive picture (ITU-T T.81 G.1.2.1); the others are not looked at.
@unsafe
enum ProgressiveKernel {
  /// Advances through `units` units of the first DC scan.
  ///
  /// Each slot's `coefficient` gets its DC, shifted left by `shift`, and moves on.
  ///
  /// - Returns: false where a code is met that the tables do not have.
  @inline(never)
  static func decodeFirst(
    _ reader: inout EntropyReader, units: Int, slots: UnsafeMutablePointer<CoefficientSlot>,
    count: Int, shift: Int
  ) -> Bool {
    var cursor = unsafe EntropyCursor(reader)
    var isGood = true
    for _ in 0..<units {
      for index in 0..<count {
        let slot = unsafe slots + index
        // A DC takes 31 bits at most.
        if cursor.valid < 32 { cursor.refill() }
        guard let table = unsafe slot.pointee.table else { return false }
        var word = unsafe UInt64(table.fast.base[Int(truncatingIfNeeded: cursor.bits &>> 53)])
        if word == 0 {
          word = UInt64(table.slowWord(UInt16(truncatingIfNeeded: cursor.bits &>> 48)))
          if word == 0 {
            isGood = false
            break
          }
        }
        let size = word &>> 6
        let difference = EntropyCursor.extend(cursor.bits &<< (word &- size), size)
        cursor.bits &<<= word
        cursor.valid &-= Int(truncatingIfNeeded: word & 63)
        let dc = unsafe slot.pointee.prediction.pointee &+ difference
        unsafe slot.pointee.prediction.pointee = dc
        unsafe slot.pointee.coefficient.pointee = Int16(truncatingIfNeeded: dc &<< shift)
        unsafe slot.pointee.coefficient += slot.pointee.step
      }
      if !isGood { break }
    }
    unsafe cursor.store(&reader)
    return isGood
  }

  /// Advances through `units` units of a later DC scan, which gives each DC its bit `shift`.
  @inline(never)
  static func decodeRefinement(
    _ reader: inout EntropyReader, units: Int, slots: UnsafeMutablePointer<CoefficientSlot>,
    count: Int, shift: Int
  ) {
    var cursor = unsafe EntropyCursor(reader)
    for _ in 0..<units {
      for index in 0..<count {
        let slot = unsafe slots + index
        if cursor.valid == 0 { cursor.refill() }
        unsafe slot.pointee.coefficient.pointee |= Int16(
          truncatingIfNeeded: (cursor.bits &>> 63) &<< shift)
        cursor.bits &<<= 1
        cursor.valid &-= 1
        unsafe slot.pointee.coefficient += slot.pointee.step
      }
    }
    unsafe cursor.store(&reader)
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
