/// A place in the repeating order of a scan's blocks: which tables they need.
///
/// The kernel picks from the pairs with a number, 0 inside of a block and 1 behind it, where it would
/// else have to branch.
@unsafe
struct WalkPhase {
  /// The table of this block's AC codes, and that of the next one's DC codes.
  var tables: (UnsafePointer<UInt16>, UnsafePointer<UInt16>)
  /// This place and the next.
  var phases: (UnsafePointer<WalkPhase>, UnsafePointer<WalkPhase>)
  /// What stays of a walk's sum.
  let masks: (UInt64, UInt64) = (~0, 63)
  let ac: Unmanaged<ACTable>
  let dc: Unmanaged<DCTable>
}

/// A walk over the symbols of a scan that notes where each block begins, and looks at nothing else.
///
/// Finding where the next code begins is a chain of steps of which each needs the one before; most of a
/// processor waits meanwhile. So three walks go on side by side (`together`), which takes little more
/// time than one. For that there must be no branch that depends on the data: where each walk's blocks
/// end is unforeseeable, and a wrong guess would cost all three. A step costs the same whether a block
/// ends in it or not: the next table and the next place are picked by number, and each step writes where
/// it is, though only behind a block does the output advance.
@unsafe
struct BlockWalk {
  /// The bits that come next, at the top.
  private var bits: UInt64
  /// Low 6 bits: how many bits behind `place` the next one is, 1 at least; the 6 above them: how many
  /// coefficients of the block are behind it.
  ///
  /// It is never 0, so that adding `WalkTable.unknown` always carries.
  private var sum: UInt64
  /// A byte of the window, times 64: with `sum` of a block's beginning added it is a `BlockStart`.
  private(set) var place: UInt64
  private var table: UnsafePointer<UInt16>
  private var phase: UnsafePointer<WalkPhase>
  /// Where the beginning of the next block goes.
  var output: UnsafeMutablePointer<UInt32>

  /// At the beginning of a block at `start`, which is the first in `phases`; writes that down.
  init(
    _ start: UInt32, _ phases: WalkPhases, _ base: UnsafePointer<UInt8>,
    to output: UnsafeMutablePointer<UInt32>
  ) {
    let start = BlockStart.at(bit: BlockStart.bit(start))
    unsafe place = UInt64(start) & ~63
    unsafe sum = UInt64(start) & 63
    unsafe bits = unsafe BlockStart.bits(start, base)
    unsafe table = unsafe phases.firstTable
    unsafe phase = unsafe phases.first
    unsafe output.pointee = start
    unsafe self.output = unsafe output + 1
  }

  /// Steps on until `place` is at or behind `end`, or `limit` blocks more were found.
  ///
  /// It goes up to 12 bytes behind `end`, and at most two blocks behind `limit`.
  @inline(never)
  static func alone(
    _ walk: inout BlockWalk, until end: UInt64, limit: Int, _ base: UnsafePointer<UInt8>
  ) {
    let last = unsafe walk.output + limit
    while unsafe walk.place < end && walk.output < last {
      var one = unsafe walk
      var isStuck = false
      while unsafe one.place < end && one.output < last {
        unsafe one.refill(base)
        guard unsafe one.step(), unsafe one.step(), unsafe one.step() else {
          isStuck = true
          break
        }
      }
      unsafe walk = unsafe one
      if isStuck { unsafe walk.stepSlowly(base) }
    }
  }

  /// Steps three walks on until one of them is at or behind its end, or may have found `limit` blocks.
  @inline(never)
  static func together(
    _ walks: UnsafeMutablePointer<BlockWalk>, until ends: (UInt64, UInt64, UInt64), limit: Int,
    _ base: UnsafePointer<UInt8>
  ) {
    // Each time around a walk finds three blocks at most.
    var left = limit / 3
    while left > 0 {
      var (one, two, three) = unsafe (walks[0], walks[1], walks[2])
      // Which walk met what the tables do not tell. It is helped out there, not here: with a call in
      // it, the loop's variables would be moved to and fro at every step.
      var stuck = 3
      while unsafe left > 0 && one.place < ends.0 && two.place < ends.1 && three.place < ends.2 {
        left &-= 1
        unsafe one.refill(base)
        unsafe two.refill(base)
        unsafe three.refill(base)
        stuck = 0
        guard unsafe one.step() else { break }
        stuck = 1
        guard unsafe two.step() else { break }
        stuck = 2
        guard unsafe three.step() else { break }
        stuck = 0
        guard unsafe one.step() else { break }
        stuck = 1
        guard unsafe two.step() else { break }
        stuck = 2
        guard unsafe three.step() else { break }
        stuck = 0
        guard unsafe one.step() else { break }
        stuck = 1
        guard unsafe two.step() else { break }
        stuck = 2
        guard unsafe three.step() else { break }
        stuck = 3
      }
      unsafe walks[0] = unsafe one
      unsafe walks[1] = unsafe two
      unsafe walks[2] = unsafe three
      guard stuck < 3 else { return }
      unsafe walks[stuck].stepSlowly(base)
    }
  }

  /// Makes at least 56 bits valid: enough for three steps of the tables.
  @_transparent
  private mutating func refill(_ base: UnsafePointer<UInt8>) {
    let whole = unsafe (sum &- 1) & 56
    unsafe place &+= whole &<< 3
    unsafe sum &-= whole
    let word = unsafe UInt64(
      bigEndian: UnsafeRawPointer(base + Int(truncatingIfNeeded: place &>> 6)).loadUnaligned(
        as: UInt64.self))
    unsafe bits = unsafe word &<< sum
  }

  /// One look-up further; false, and nothing changed, where the table does not tell: past the 64th
  /// coefficient by counting, or a code that it does not have.
  @_transparent
  private mutating func step() -> Bool {
    let word = unsafe UInt64(
      table[Int(truncatingIfNeeded: bits &>> UInt64(64 - WalkTable.window))])
    let total = unsafe sum &+ word
    if total & UInt64(WalkTable.overflow) != 0 { return false }
    unsafe bits &<<= word
    let isEnd = Int(truncatingIfNeeded: total &>> 15)
    let choice = unsafe UnsafeRawPointer(phase) + isEnd &<< 3
    unsafe table = unsafe choice.load(as: UnsafePointer<UInt16>.self)
    unsafe phase = unsafe choice.load(fromByteOffset: 16, as: UnsafePointer<WalkPhase>.self)
    unsafe sum = unsafe total & choice.load(fromByteOffset: 32, as: UInt64.self)
    unsafe output.pointee = unsafe UInt32(truncatingIfNeeded: place &+ sum)
    unsafe output += isEnd
    return true
  }

  /// One symbol further, whatever its length; where no code is like the next bits, the block ends and the
  /// next one's beginning is marked.
  @inline(never)
  private mutating func stepSlowly(_ base: UnsafePointer<UInt8>) {
    let start = unsafe UInt32(truncatingIfNeeded: place &+ (sum & 63))
    let next = UInt16(truncatingIfNeeded: unsafe BlockStart.bits(start, base) &>> 48)
    let isAC = unsafe table == phase.pointee.tables.0
    let symbol =
      unsafe isAC
      ? phase.pointee.ac._withUnsafeGuaranteedRef { $0.symbol(next) }
      : phase.pointee.dc._withUnsafeGuaranteedRef { $0.symbol(next) }
    let coefficients = unsafe sum &>> 6 &+ UInt64(symbol?.coefficients ?? 64)
    let isEnd = coefficients >= 64
    let after = BlockStart.advance(start, by: symbol?.bits ?? 1)
    unsafe place = UInt64(after) & ~63
    unsafe sum = UInt64(after) & 63 | (isEnd ? 0 : coefficients &<< 6)
    unsafe bits = unsafe BlockStart.bits(after, base)
    unsafe output.pointee = after | (symbol == nil ? BlockStart.fault : 0)
    unsafe output += isEnd ? 1 : 0
    unsafe table = unsafe isEnd ? phase.pointee.tables.1 : phase.pointee.tables.0
    unsafe phase = unsafe isEnd ? phase.pointee.phases.1 : phase.pointee.phases.0
  }
}

/// Where a block begins in a window: a byte times 64, and in the low 6 bits how many bits behind it.
///
/// The same place can be written in several ways: those bits may lead beyond the byte.
enum BlockStart {
  /// Marks a block that began behind a code that is none.
  static let fault: UInt32 = 1 << 31

  /// Bits from the window's base.
  @inline(__always)
  static func bit(_ start: UInt32) -> Int {
    Int((start & ~fault) &>> 6) &* 8 &+ Int(start & 63)
  }

  /// With the lowest number of bits that is not 0; `bit` is 1 at least.
  @inline(__always)
  static func at(bit: Int) -> UInt32 {
    let byte = (bit &- 1) &>> 3
    return UInt32(truncatingIfNeeded: byte &<< 6 | (bit &- byte &* 8))
  }

  static func advance(_ start: UInt32, by bits: Int) -> UInt32 { at(bit: bit(start) &+ bits) }

  /// At least 57 bits from there on, at the top.
  ///
  /// `base` is the window's.
  @inline(__always)
  static func bits(_ start: UInt32, _ base: UnsafePointer<UInt8>) -> UInt64 {
    unsafe bits(atBit: bit(start), base)
  }

  @inline(__always)
  static func bits(atBit bit: Int, _ base: UnsafePointer<UInt8>) -> UInt64 {
    let word = unsafe UInt64(
      bigEndian: UnsafeRawPointer(base + bit &>> 3).loadUnaligned(as: UInt64.self))
    return word &<< UInt64(truncatingIfNeeded: bit & 7)
  }
}

/// The repeating order of the blocks of a scan, for walks.
@unsafe
final class WalkPhases {
  let count: Int
  let firstTable: UnsafePointer<UInt16>
  private let memory: UnsafeMutablePointer<WalkPhase>
  /// Keeps the tables that the phases point into.
  private let tables: [(dc: DCTable, ac: ACTable)]

  var first: UnsafePointer<WalkPhase> { unsafe UnsafePointer(memory) }

  /// `tables` are those of the blocks of one unit, in their order, of which there is one at least.
  init(_ tables: [(dc: DCTable, ac: ACTable)]) {
    unsafe self.tables = tables
    unsafe count = tables.count
    unsafe memory = .allocate(capacity: tables.count)
    unsafe firstTable = unsafe tables[0].dc.walk.base
    for (index, own) in tables.enumerated() {
      let next = (index + 1) % tables.count
      let phase = unsafe WalkPhase(
        tables: (own.ac.walk.base, tables[next].dc.walk.base),
        phases: (UnsafePointer(memory + index), UnsafePointer(memory + next)),
        ac: .passUnretained(own.ac), dc: .passUnretained(own.dc))
      unsafe (memory + index).initialize(to: phase)
    }
  }

  deinit { unsafe memory.deallocate() }
}
