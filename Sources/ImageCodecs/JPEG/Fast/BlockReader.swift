/// The place of one block in the units (MCUs) of a scan: what its next one needs.
@unsafe
struct BlockSlot {
  /// Where its samples go.
  var output: UnsafeMutablePointer<UInt16>
  /// From its output in one unit to that in the next.
  let step: Int
}

/// What reading the blocks of one component takes, ready for the inner loops.
@unsafe
struct BlockSource {
  /// The base of the window that the starts are in.
  let base: UnsafePointer<UInt8>
  let dc: DCTable
  let ac: ACTable
  /// In zigzag order, as far as any reduction needs it.
  let quantiser: UnsafePointer<Int32>
  /// Where in the reduction's coefficients each one in zigzag order belongs.
  let places: UnsafePointer<UInt8>
  /// From a row of samples to the next.
  let stride: Int
  /// Room for 17 coefficients.
  let scratch: UnsafeMutablePointer<Int32>
}

/// Turns blocks into samples, with their beginnings known: so a processor can work on several at a time,
/// and coefficients that the reduction does not need are never looked at.
@unsafe
enum BlockReader<Reduction: BlockReduction> {
  /// Reads `units` units of a component with `slotCount` blocks in each.
  ///
  /// Where a block becomes one sample, its DC is written, for `Reduction1x1.finish`. `starts` has those of
  /// the component's first blocks, and of those of the next unit `stride` places
  /// behind. `prediction` is the last DC (ITU-T T.81 F.1.1.5.1).
  ///
  /// - Returns: false where a code is met that the tables do not have.
  @inline(never)
  static func read(
    _ source: BlockSource, _ starts: UnsafePointer<UInt32>, stride: Int, units: Int,
    _ slots: UnsafeMutablePointer<BlockSlot>, slotCount: Int, prediction: inout Int
  ) -> Bool {
    let base = unsafe source.base
    let values = unsafe source.dc.values.base
    let factor = unsafe source.quantiser.pointee
    var last = prediction
    var faults: UInt32 = 0
    var starts = unsafe starts
    for _ in 0..<units {
      for index in 0..<slotCount {
        let start = unsafe starts[index]
        faults |= start
        let bits = unsafe BlockStart.bits(start, base)
        let word = unsafe values[Int(truncatingIfNeeded: bits &>> 54)]
        var length = Int(word & 0xFFFF)
        if word != 0 {
          last &+= Int(word &>> 16)
        } else {
          let slow = unsafe source.dc.slowWord(UInt16(truncatingIfNeeded: bits &>> 48))
          if slow == 0 { return false }
          let size = UInt64(slow &>> 6)
          last &+= EntropyCursor.extend(bits &<< (UInt64(slow) &- size), size)
          length = Int(slow & 63)
        }
        let output = unsafe slots[index].output
        unsafe slots[index].output = unsafe output + slots[index].step
        if Reduction.side == 1 {
          unsafe output.pointee = UInt16(truncatingIfNeeded: last)
          continue
        }
        // libjpeg keeps coefficients in 16 bits, which only a broken file notices.
        let level = Int32(Int16(truncatingIfNeeded: last)) &* factor
        let bit = BlockStart.bit(start) &+ length
        if Reduction.side == 2 {
          let rest = bits &<< UInt64(truncatingIfNeeded: length)
          guard unsafe readLowest(source, rest, bit, level, output) else { return false }
        } else {
          for place in 1..<Reduction.side &* Reduction.side { unsafe source.scratch[place] = 0 }
          unsafe source.scratch.pointee = level
          guard unsafe readOthers(source, bit, from: 1) else { return false }
          unsafe Reduction.write(source.scratch, to: output, stride: source.stride)
        }
      }
      unsafe starts += stride
    }
    prediction = last
    return faults & BlockStart.fault == 0
  }

  /// The rest of a block of which the lowest 2x2 coefficients are wanted.
  ///
  /// One look at 12 bits mostly shows all of them. At least 12 of `bits` are valid, which are those from
  /// `bit` on.
  @inline(__always)
  private static func readLowest(
    _ source: BlockSource, _ bits: UInt64, _ bit: Int, _ level: Int32,
    _ output: UnsafeMutablePointer<UInt16>
  ) -> Bool {
    let word = unsafe source.ac.lowest.base[
      Int(truncatingIfNeeded: bits &>> UInt64(64 - ACTable.lowestWindow))]
    let place = Int(word &>> 4) & 127
    let quantiser = unsafe source.quantiser
    let across = unsafe (Int32(bitPattern: word &<< 13) &>> 24) &* quantiser[1]
    let down = unsafe (Int32(bitPattern: word &<< 6) &>> 25) &* quantiser[2]
    let both = unsafe (Int32(bitPattern: word) &>> 26) &* quantiser[4]
    if place > Reduction.lastCoefficient {
      unsafe Reduction2x2.write(
        Int(level), Int(across), Int(down), Int(both), to: output, stride: source.stride)
      return true
    }
    unsafe source.scratch[0] = level
    unsafe source.scratch[1] = across
    unsafe source.scratch[2] = down
    unsafe source.scratch[3] = both
    guard unsafe readOthers(source, bit &+ Int(word & 15), from: place) else { return false }
    unsafe Reduction.write(source.scratch, to: output, stride: source.stride)
    return true
  }

  /// Reads coefficients from the `place`-th on, whose code is at `bit`, into the scratch.
  ///
  /// Those that no reduction wants, an end of block among them, go to a place that nobody reads, so the
  /// only branch is the loop's.
  @inline(__always)
  private static func readOthers(_ source: BlockSource, _ bit: Int, from place: Int) -> Bool {
    var bit = bit
    var place = place
    while true {
      // Two symbols for each time that bits are read.
      var bits = unsafe BlockStart.bits(BlockStart.at(bit: bit), source.base)
      guard unsafe read(source, &bits, &bit, &place) else { return false }
      if place > Reduction.lastCoefficient { return true }
      guard unsafe read(source, &bits, &bit, &place) else { return false }
      if place > Reduction.lastCoefficient { return true }
    }
  }

  /// Reads one coefficient; of `bits`, which are those from `bit` on, 26 must be valid.
  ///
  /// Returns false where a code is met that the table does not have.
  @inline(__always)
  private static func read(
    _ source: BlockSource, _ bits: inout UInt64, _ bit: inout Int, _ place: inout Int
  ) -> Bool {
    let word = unsafe source.ac.values.base[
      Int(truncatingIfNeeded: bits &>> UInt64(64 - ACTable.valueWindow))]
    var length = Int(word & 63)
    var value = word &>> 16
    if word != 0 {
      place &+= Int(word &>> 6) & 63
    } else {
      unsafe bits = BlockStart.bits(BlockStart.at(bit: bit), source.base)
      let code = unsafe source.ac.word(UInt16(truncatingIfNeeded: bits &>> 48))
      if code == 0 { return false }
      let size = UInt64(code &>> 6) & 15
      length = Int(code & 63)
      value = Int32(
        truncatingIfNeeded: EntropyCursor.extend(
          bits &<< (UInt64(truncatingIfNeeded: length) &- size), size))
      place &+= Int(code &>> 10)
    }
    bits &<<= UInt64(truncatingIfNeeded: length)
    bit &+= length
    let index = unsafe min(place, ScanMemory.places - 1)
    unsafe source.scratch[Int(source.places[index])] = value &* source.quantiser[index]
    place &+= 1
    return true
  }
}
