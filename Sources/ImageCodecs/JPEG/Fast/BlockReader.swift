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
  let batch: BlockBatch
}

/// Blocks that are read at the same time: 10 KB.
@unsafe
struct BlockBatch {
  static let capacity = 128
  /// Numbers of a block: the bit where its next code is, the place of the coefficient that it stands for,
  /// and the coefficients, with one for those that are not wanted.
  static let words = 20
  static let firstCoefficient = 2

  let blocks: UnsafeMutablePointer<Int32>
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<UInt16>>
  /// The blocks of which something is still to be read, by where they begin in `blocks`.
  let unfinished: UnsafeMutablePointer<Int32>

  init() {
    unsafe blocks = .allocate(capacity: Self.capacity * Self.words)
    unsafe blocks.initialize(repeating: 0, count: Self.capacity * Self.words)
    unsafe outputs = .allocate(capacity: Self.capacity)
    unsafe unfinished = .allocate(capacity: Self.capacity)
  }

  func deallocate() {
    unsafe blocks.deallocate()
    unsafe outputs.deallocate()
    unsafe unfinished.deallocate()
  }
}

/// Turns blocks into samples, with their beginnings known, so coefficients that the reduction does not need
/// are never looked at.
///
/// How many symbols of a block have to be read cannot be foreseen, and a branch on it would be guessed wrong
/// for nearly every block. So blocks are read side by side: each round takes one symbol of every block that
/// is not finished, and which those are is noted without a branch.
@unsafe
enum BlockReader<Reduction: BlockReduction> {
  /// Reads `units` units of a component with `slotCount` blocks in each.
  ///
  /// `starts` has those of the component's first blocks, and of those of the next unit `stride` places
  /// behind. `prediction` is the last DC (ITU-T T.81 F.1.1.5.1). Where a block becomes one sample, its DC is
  /// written, for `Reduction1x1.finish`.
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
    var count = 0
    var unfinished = 0
    for _ in 0..<units {
      for index in 0..<slotCount {
        let start = unsafe starts[index]
        faults |= start
        let bits = unsafe BlockStart.bits(start, base)
        let word = unsafe values[
          Int(truncatingIfNeeded: bits &>> UInt64(64 - DCTable.valueWindow))]
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
        unsafe source.batch.outputs[count] = unsafe output
        let offset = unsafe count &* BlockBatch.words
        let place = unsafe begin(
          source, source.batch.blocks + offset, bits &<< UInt64(truncatingIfNeeded: length),
          BlockStart.bit(start) &+ length, level)
        unsafe source.batch.unfinished[unfinished] = Int32(truncatingIfNeeded: offset)
        unsafe unfinished &+= isMissing(place)
        count &+= 1
      }
      unsafe starts += stride
      if Reduction.side > 1, unsafe count > BlockBatch.capacity - ScanMemory.mostSlots {
        guard unsafe finish(source, count, unfinished) else { return false }
        count = 0
        unfinished = 0
      }
    }
    prediction = last
    return unsafe finish(source, count, unfinished) && faults & BlockStart.fault == 0
  }

  /// 1 where `place`, behind what was read of a block, is one of those wanted, else 0.
  ///
  /// By subtraction, for the compiler makes a branch of a comparison.
  @inline(__always)
  private static func isMissing(_ place: Int32) -> Int {
    let difference = place &- Int32(truncatingIfNeeded: Reduction.lastCoefficient &+ 1)
    return Int(truncatingIfNeeded: UInt32(bitPattern: difference) &>> 31)
  }

  /// Starts a block whose code behind the DC is at `bit`, where `bits` begin; returns the place behind what
  /// was read.
  ///
  /// For the lowest 2x2 coefficients one look at 12 bits often shows all of them.
  @inline(__always)
  private static func begin(
    _ source: BlockSource, _ block: UnsafeMutablePointer<Int32>, _ bits: UInt64, _ bit: Int,
    _ level: Int32
  ) -> Int32 {
    let coefficients = unsafe block + BlockBatch.firstCoefficient
    unsafe coefficients[0] = level
    if Reduction.side == 2 {
      let word = unsafe source.ac.lowest.base[
        Int(truncatingIfNeeded: bits &>> UInt64(64 - ACTable.lowestWindow))]
      let quantiser = unsafe source.quantiser
      unsafe coefficients[1] = (Int32(bitPattern: word &<< 13) &>> 24) &* quantiser[1]
      unsafe coefficients[2] = (Int32(bitPattern: word &<< 6) &>> 25) &* quantiser[2]
      unsafe coefficients[3] = (Int32(bitPattern: word) &>> 26) &* quantiser[4]
      let place = Int32(truncatingIfNeeded: (word &>> 4) & 127)
      unsafe block[0] = Int32(truncatingIfNeeded: bit &+ Int(word & 15))
      unsafe block[1] = place
      return place
    }
    for place in 1..<Reduction.side &* Reduction.side { unsafe coefficients[place] = 0 }
    unsafe block[0] = Int32(truncatingIfNeeded: bit)
    unsafe block[1] = 1
    return 1
  }

  /// Reads what is missing of the first `count` blocks of the batch, of which `unfinished` are not finished,
  /// and writes their samples.
  @inline(__always)
  private static func finish(_ source: BlockSource, _ count: Int, _ unfinished: Int) -> Bool {
    if Reduction.side == 1 { return true }
    let batch = unsafe source.batch
    let (base, values) = unsafe (source.base, source.ac.values.base)
    let (places, quantiser) = unsafe (source.places, source.quantiser)
    var left = unfinished
    while left > 0 {
      var next = 0
      for index in 0..<left {
        let offset = unsafe batch.unfinished[index]
        let place = unsafe readSymbol(
          batch.blocks + Int(offset), base, values, source.ac, places, quantiser)
        if place == 0 { return false }
        unsafe batch.unfinished[next] = offset
        unsafe next &+= isMissing(place)
      }
      left = next
    }
    for index in 0..<count {
      let block = unsafe batch.blocks + index &* BlockBatch.words
      unsafe Reduction.write(
        block + BlockBatch.firstCoefficient, to: batch.outputs[index], stride: source.stride)
    }
    return true
  }

  /// Reads one symbol of a block, and its value; returns the place behind it, or 0 where a code is met that
  /// the table does not have.
  ///
  /// A value that no reduction wants, as that of an end of block, goes to a place that nobody reads.
  @inline(__always)
  private static func readSymbol(
    _ block: UnsafeMutablePointer<Int32>, _ base: UnsafePointer<UInt8>,
    _ values: UnsafePointer<Int32>, _ table: ACTable, _ places: UnsafePointer<UInt8>,
    _ quantiser: UnsafePointer<Int32>
  ) -> Int32 {
    let bit = unsafe Int(block[0])
    let bits = unsafe BlockStart.bits(atBit: bit, base)
    let word = unsafe values[Int(truncatingIfNeeded: bits &>> UInt64(64 - ACTable.valueWindow))]
    var length = Int(word & 63)
    var run = (word &>> 6) & 63
    var value = word &>> 16
    if word == 0 {
      let code = table.word(UInt16(truncatingIfNeeded: bits &>> 48))
      if code == 0 { return 0 }
      let size = UInt64(code &>> 6) & 15
      length = Int(code & 63)
      run = Int32(code &>> 10)
      value = Int32(
        truncatingIfNeeded: EntropyCursor.extend(
          bits &<< (UInt64(truncatingIfNeeded: length) &- size), size))
    }
    let place = unsafe Int(block[1] &+ run)
    unsafe block[0] = Int32(truncatingIfNeeded: bit &+ length)
    unsafe block[1] = Int32(truncatingIfNeeded: place &+ 1)
    unsafe block[BlockBatch.firstCoefficient + Int(places[place])] =
      value &* quantiser[place]
    return Int32(truncatingIfNeeded: place &+ 1)
  }
}
