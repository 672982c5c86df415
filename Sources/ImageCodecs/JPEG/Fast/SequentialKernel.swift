/// The place of one block in the units (MCUs) of a scan: what its next one needs.
@unsafe
struct BlockSlot {
  /// Where its samples go.
  var output: UnsafeMutablePointer<UInt16>
  /// From its output in one unit to that in the next.
  var step: Int
  /// From a row of samples to the next.
  var stride: Int
  /// The last DC of its component (ITU-T T.81 F.1.1.5.1).
  var prediction: UnsafeMutablePointer<Int>
  /// Its component's quantiser, in zigzag order, as far as any reduction needs it.
  var quantiser: UnsafePointer<Int32>
}

/// The tables of some blocks of a scan, ready for the inner loops.
@unsafe
struct BlockTables {
  let dc: UnsafePointer<UInt16>
  let skip: UnsafePointer<UInt16>
  let single: UnsafePointer<UInt16>
  let lowest: UnsafePointer<UInt32>
  let dcTable: DCTable
  let acTable: ACTable
  /// Where in the reduction's coefficients each one in zigzag order belongs.
  let places: UnsafePointer<UInt8>

  init(dc: DCTable, ac: ACTable, places: UnsafePointer<UInt8>) {
    unsafe self.dc = unsafe dc.fast.base
    unsafe skip = unsafe ac.skip.base
    unsafe single = unsafe ac.single.base
    unsafe lowest = unsafe ac.lowest.base
    unsafe dcTable = dc
    unsafe acTable = ac
    unsafe self.places = unsafe places
  }
}

/// Decodes units of a sequential scan, of which only the coefficients that a reduction needs become
/// numbers; the others are stepped over, several symbols at a time.
///
/// That is nearly all of the work for a thumbnail, so everything here is arranged around one chain of
/// dependent steps, which decides the time: look a window of bits up, shift by what the table says, look
/// the next one up. What a step adds up to, bits in its low 6 bits and coefficients above them, is kept
/// in one number, so that a single comparison tells that a block ended, whatever the reason; which it was
/// is found out behind the loop. 56 bits are enough for a DC and two steps, or for three steps, so the
/// reader is filled up only that often.
///
/// The blocks of the first component have tables of another size than the others; each group has loops of
/// its own, in which the sizes are constants.
@unsafe
enum SequentialKernel<Primary: BlockReduction, Secondary: BlockReduction> {
  /// Advances through `units` units.
  ///
  /// `slots` holds `count` slots, of which the first `primaryCount` use the tables `primary`.
  /// `scratch` has room for 17 coefficients.
  ///
  /// - Returns: false where a code is met that the tables do not have.
  @inline(never)
  static func decode(
    _ reader: inout EntropyReader, _ units: Int, _ slots: UnsafeMutablePointer<BlockSlot>,
    _ primaryCount: Int, _ count: Int, _ primary: BlockTables, _ secondary: BlockTables,
    _ scratch: UnsafeMutablePointer<Int32>
  ) -> Bool {
    var cursor = unsafe EntropyCursor(reader)
    var isGood = true
    for _ in 0..<units {
      var slot = unsafe slots
      let change = unsafe slots + primaryCount
      let last = unsafe slots + count
      while unsafe slot < change {
        isGood =
          unsafe block(&cursor, primary, UInt64(64 - 13), slot, scratch, Primary.self) && isGood
        unsafe slot += 1
      }
      while unsafe slot < last {
        isGood =
          unsafe block(&cursor, secondary, UInt64(64 - 11), slot, scratch, Secondary.self) && isGood
        unsafe slot += 1
      }
      if !isGood { break }
    }
    unsafe cursor.store(&reader)
    return isGood
  }

  /// One block; false where a code is met that the tables do not have.
  @_transparent
  private static func block<Reduction: BlockReduction>(
    _ cursor: inout EntropyCursor, _ tables: BlockTables, _ shift: UInt64,
    _ slot: UnsafeMutablePointer<BlockSlot>, _ scratch: UnsafeMutablePointer<Int32>,
    _: Reduction.Type
  ) -> Bool {
    cursor.refill()
    // Low 6 bits: bits used up since the reader was filled; above: the next coefficient.
    var sum: UInt64
    let word = unsafe UInt64(tables.dc[Int(truncatingIfNeeded: cursor.bits &>> 53)])
    let difference: Int
    if word != 0 {
      let size = word &>> 6
      difference = EntropyCursor.extend(cursor.bits &<< (word &- size), size)
      cursor.bits &<<= word
      sum = word & 63 | 64
    } else {
      let word = UInt64(
        unsafe tables.dcTable.slowWord(UInt16(truncatingIfNeeded: cursor.bits &>> 48)))
      if word == 0 { return false }
      let size = word &>> 6
      difference = EntropyCursor.extend(cursor.bits &<< (word &- size), size)
      cursor.bits &<<= word
      cursor.valid &-= Int(truncatingIfNeeded: word & 63)
      cursor.refill()
      sum = 64
    }
    let dc = unsafe slot.pointee.prediction.pointee &+ difference
    unsafe slot.pointee.prediction.pointee = dc
    let output = unsafe slot.pointee.output
    unsafe slot.pointee.output = unsafe output + slot.pointee.step
    // libjpeg keeps coefficients in 16 bits, which only a broken file notices.
    let level = unsafe Int32(Int16(truncatingIfNeeded: dc)) &* slot.pointee.quantiser.pointee
    if Reduction.side == 1 {
      unsafe output.pointee = Reduction1x1.sample(eighths: Int(level))
    } else {
      var place: UInt64 = 1
      var isWritten = false
      if Reduction.side == 2 {
        // One look at 10 bits, which mostly shows all that is wanted, and often the whole block.
        let word = unsafe tables.lowest[Int(truncatingIfNeeded: cursor.bits &>> UInt64(64 - 10))]
        let used = UInt64(word & 15)
        cursor.bits &<<= used
        sum &+= used
        place = UInt64(word &>> 4) & 127
        let quantiser = unsafe slot.pointee.quantiser
        let across = unsafe (Int32(bitPattern: word &<< 13) &>> 24) &* quantiser[1]
        let down = unsafe (Int32(bitPattern: word &<< 6) &>> 25) &* quantiser[2]
        let both = unsafe (Int32(bitPattern: word) &>> 26) &* quantiser[4]
        if place > UInt64(Reduction.lastCoefficient) {
          unsafe Reduction2x2.write(
            Int(level), Int(across), Int(down), Int(both), to: output,
            stride: slot.pointee.stride)
          isWritten = true
        } else {
          unsafe scratch[1] = across
          unsafe scratch[2] = down
          unsafe scratch[3] = both
        }
      } else {
        for index in 1..<Reduction.side &* Reduction.side { unsafe scratch[index] = 0 }
      }
      cursor.valid &-= Int(truncatingIfNeeded: sum & 63)
      if !isWritten {
        unsafe scratch.pointee = level
        while true {
          // Two symbols for each time that the reader is filled up.
          cursor.refill()
          guard unsafe symbol(&cursor, tables, slot, scratch, &place) else { return false }
          if place > UInt64(Reduction.lastCoefficient) { break }
          guard unsafe symbol(&cursor, tables, slot, scratch, &place) else { return false }
          if place > UInt64(Reduction.lastCoefficient) { break }
        }
        unsafe Reduction.write(scratch, to: output, stride: slot.pointee.stride)
      }
      if place > 63 { return true }
      cursor.refill()
      sum = place &<< 6
    }
    var step = unsafe UInt64(tables.skip[Int(truncatingIfNeeded: cursor.bits &>> shift)])
    var before = cursor.bits
    sum &+= step
    cursor.bits &<<= step
    while true {
      if sum < 4096 {
        step = unsafe UInt64(tables.skip[Int(truncatingIfNeeded: cursor.bits &>> shift)])
        before = cursor.bits
        sum &+= step
        cursor.bits &<<= step
      }
      while sum < 4096 {
        cursor.valid &-= Int(truncatingIfNeeded: sum & 63)
        sum &= ~63
        cursor.refill()
        step = unsafe UInt64(tables.skip[Int(truncatingIfNeeded: cursor.bits &>> shift)])
        before = cursor.bits
        sum &+= step
        cursor.bits &<<= step
        if sum >= 4096 { break }
        step = unsafe UInt64(tables.skip[Int(truncatingIfNeeded: cursor.bits &>> shift)])
        before = cursor.bits
        sum &+= step
        cursor.bits &<<= step
        if sum >= 4096 { break }
        step = unsafe UInt64(tables.skip[Int(truncatingIfNeeded: cursor.bits &>> shift)])
        before = cursor.bits
        sum &+= step
        cursor.bits &<<= step
      }
      // The end of the block was coded, and before it coefficients up to the 63rd at most.
      if sum < 8192, step & 4096 != 0 {
        cursor.valid &-= Int(truncatingIfNeeded: sum & 63)
        return true
      }
      // Else this one step is taken back, and a single symbol taken in its place: its code is long,
      // or the block ends with its last coefficient.
      sum &-= step
      cursor.bits = before
      cursor.valid &-= Int(truncatingIfNeeded: sum & 63)
      sum &= ~63
      cursor.refill()
      step = UInt64(unsafe tables.acTable.oneStep(UInt16(truncatingIfNeeded: cursor.bits &>> 48)))
      if step == UInt64(ACTable.unknown) {
        return false
      }
      cursor.bits &<<= step
      cursor.valid &-= Int(truncatingIfNeeded: step & 63)
      sum &+= step & ~63
      if sum >= 4096 { return true }
      cursor.refill()
    }
  }

  /// One symbol with its value, which goes where `places` says.
  ///
  /// Those that no reduction wants, an end of block among them, go to a place that nobody reads, so the
  /// only branch is the caller's.
  ///
  /// At least 28 bits must be valid.
  @inline(__always)
  private static func symbol(
    _ cursor: inout EntropyCursor, _ tables: BlockTables, _ slot: UnsafeMutablePointer<BlockSlot>,
    _ scratch: UnsafeMutablePointer<Int32>, _ place: inout UInt64
  ) -> Bool {
    var code = unsafe UInt64(
      tables.single[Int(truncatingIfNeeded: cursor.bits &>> UInt64(64 - 9))])
    if code == 0 {
      cursor.refill()
      code = UInt64(
        unsafe tables.acTable.slowSingle(UInt16(truncatingIfNeeded: cursor.bits &>> 48)))
      if code == 0 { return false }
    }
    let size = (code &>> 6) & 15
    let value = EntropyCursor.extend(cursor.bits &<< (code &- size), size)
    cursor.bits &<<= code
    cursor.valid &-= Int(truncatingIfNeeded: code & 63)
    place &+= code &>> 10
    let index = Int(truncatingIfNeeded: place)
    unsafe scratch[Int(tables.places[index])] =
      Int32(truncatingIfNeeded: value) &* slot.pointee.quantiser[index]
    place &+= 1
    return true
  }
}
