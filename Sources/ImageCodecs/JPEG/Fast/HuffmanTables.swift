/// Words that kernels read through a pointer; they do not change once they are made.
///
/// `@unchecked Sendable`: nothing is written after `init`.
@safe
final class TableStorage<Word: FixedWidthInteger & Sendable>: @unchecked Sendable {
  let base: UnsafePointer<Word>
  let count: Int
  private let memory: UnsafeMutablePointer<Word>

  init(_ words: [Word]) {
    count = words.count
    unsafe memory = .allocate(capacity: max(1, words.count))
    for (index, word) in words.enumerated() {
      unsafe (memory + index).initialize(to: word)
    }
    unsafe base = unsafe UnsafePointer(memory)
  }

  deinit { unsafe memory.deallocate() }
}

/// What a walk over symbols looks up by the next `window` bits: how far to go on.
///
/// A word holds in its low 6 bits how many bits to step over, values included, of which the last need not
/// be inside the window; in the 6 above how many coefficients they stand for; at the top whether the block
/// ends.
enum WalkTable {
  /// 8 KB: the four tables of a picture fill a first-level cache, though most of a DC table is never
  /// touched.
  static let window = 12
  static let endOfBlock: UInt16 = 1 << 15
  /// Where sums of coefficients that are no block's carry to.
  static let overflow: UInt16 = 1 << 12
  /// The look-up does not say.
  ///
  /// The sum of it and anything but 0 overflows.
  static let unknown: UInt16 = overflow - 1
  /// Three steps fit in 56 bits.
  static let longest = 18
}

/// What the kernels look up for a DC code: by the next 11 bits, and the slow way for longer codes.
///
/// A word holds in its low 6 bits how many bits code and value take, above them how many bits the
/// value has (T.81 F.1.2.1); 0 sends to the slow way.
final class DCTable: Sendable {
  static let window = 11
  static let valueWindow = 10

  let fast: TableStorage<UInt16>
  /// By `valueWindow` bits, where they show code and value whole: the value, and in the low 16 bits how
  /// many bits both take; else 0.
  let values: TableStorage<Int32>
  /// Words of `WalkTable`: one coefficient each.
  let walk: TableStorage<UInt16>
  private let canonical: CanonicalCode

  /// Returns nil where a symbol is no category of a DC difference.
  init?(_ code: HuffmanCode) {
    guard code.symbols.allSatisfy({ $0 <= 15 }) else { return nil }
    fast = TableStorage(
      code.words(window: Self.window, other: 0) { length, symbol in
        symbol <= 11 ? UInt16(length) + UInt16(symbol) | UInt16(symbol) << 6 : 0
      })
    walk = TableStorage(
      code.words(window: WalkTable.window, other: WalkTable.unknown) { length, symbol in
        let bits = length + Int(symbol)
        return bits <= WalkTable.longest ? UInt16(bits) | 1 << 6 : WalkTable.unknown
      })
    let window = Self.valueWindow
    let codes = code.words(window: window, other: (length: 0, size: 0)) {
      (length: $0, size: Int($1))
    }
    values = TableStorage(
      codes.enumerated().map { index, code in
        let bits = code.length + code.size
        guard code.length > 0, bits <= window else { return 0 }
        return Int32(signed(index >> (window - bits), size: code.size)) << 16 | Int32(bits)
      })
    canonical = CanonicalCode(code)
  }

  /// The code that `bits` begins with, as a word of the table; 0 where no code is like that.
  @inline(never)
  func slowWord(_ bits: UInt16) -> UInt16 {
    guard let found = canonical.symbol(bits) else { return 0 }
    return UInt16(found.length) + UInt16(found.symbol) | UInt16(found.symbol) << 6
  }

  /// What one step over the code that `bits` begins with takes; nil where no code is like that.
  func symbol(_ bits: UInt16) -> (bits: Int, coefficients: Int)? {
    canonical.symbol(bits).map { ($0.length + Int($0.symbol), 1) }
  }
}

/// What the kernels look up for AC codes.
///
/// `single` tells of one symbol what is needed to take its value.
final class ACTable: Sendable {
  static let singleWindow = 9
  static let lowestWindow = 12
  static let valueWindow = 11
  /// The run of an end of block in `single`: from any place it leads beyond the last.
  static let endRun: UInt16 = 63

  /// Words of `WalkTable`: as many symbols as the window shows.
  let walk: TableStorage<UInt16>
  /// By `singleWindow` bits: low 6 bits of length (code and value), 4 of the value's size, 6 of the
  /// run; 0 sends to the slow way.
  let single: TableStorage<UInt16>
  /// By `lowestWindow` bits: the coefficients that a 2x2 reduction takes, as many as the window shows
  /// whole.
  let lowest: TableStorage<UInt32>
  /// By `valueWindow` bits, where they show code and value whole: the value, and below it, as in `single`, a
  /// run and a length, of 6 bits each; else 0.
  let values: TableStorage<Int32>
  private let canonical: CanonicalCode

  init(_ code: HuffmanCode) {
    canonical = CanonicalCode(code)
    // Of each window of bits the first code that it shows whole.
    let first = code.words(window: WalkTable.window, other: FirstCode(length: 0, symbol: 0)) {
      FirstCode(length: UInt8($0), symbol: $1)
    }
    single = TableStorage(
      code.words(window: Self.singleWindow, other: 0) {
        Self.singleWord(length: $0, symbol: $1)
      })
    let window = Self.valueWindow
    let words = code.words(window: window, other: UInt16(0)) {
      Self.singleWord(length: $0, symbol: $1)
    }
    values = TableStorage(
      words.enumerated().map { index, word in
        let (bits, size) = (Int(word & 63), Int(word >> 6 & 15))
        guard word != 0, bits <= window else { return 0 }
        let value = signed(index >> (window - bits), size: size)
        return Int32(value) << 16 | Int32(word >> 10) << 6 | Int32(bits)
      })
    lowest = TableStorage(
      (0..<1 << Self.lowestWindow).map { Self.lowestWord(index: $0, first: first) })
    walk = TableStorage(first.indices.map { Self.walkWord(index: $0, first: first) })
  }

  /// The code that `bits` begins with, as a word of `single`; 0 where no code is like that.
  @inline(never)
  func word(_ bits: UInt16) -> UInt16 {
    let word = unsafe single.base[Int(bits >> (16 - UInt16(Self.singleWindow)))]
    if word != 0 { return word }
    guard let found = canonical.symbol(bits, longerThan: Self.singleWindow) else { return 0 }
    return Self.singleWord(length: found.length, symbol: found.symbol)
  }

  /// What one step over the symbol that `bits` begins with takes, 64 coefficients if it ends the block;
  /// nil where no code is like that.
  func symbol(_ bits: UInt16) -> (bits: Int, coefficients: Int)? {
    let word = word(bits)
    return word == 0 ? nil : (Int(word & 63), Int(word >> 10) + 1)
  }

  private struct FirstCode {
    let length: UInt8
    let symbol: UInt8
  }

  private static func singleWord(length: Int, symbol: UInt8) -> UInt16 {
    let size = UInt16(symbol & 15)
    // A run of 15 without a value is 16 zeros, of which the last takes the place of the value. Any other
    // without a value ends the block (T.81 F.2.2.2): it runs beyond the last coefficient.
    let run = size == 0 && symbol >> 4 != 15 ? endRun : UInt16(symbol >> 4)
    return (UInt16(length) + size) | size << 6 | run << 10
  }

  /// The coefficients that a symbol stands for; 0 ends the block (T.81 F.1.2.2).
  private static func step(_ symbol: UInt8) -> Int {
    if symbol & 15 != 0 { return Int(symbol >> 4) + 1 }
    return symbol >> 4 == 15 ? 16 : 0
  }

  /// Low 4 bits: the bits used; 7 bits: the place behind the last symbol, 127 behind the end of the block;
  /// then, as signed numbers of 8, 7 and 6 bits, the first, second and fourth coefficient in zigzag order.
  ///
  /// Of a window without a whole symbol the place is 1.
  private static func lowestWord(index: Int, first: [FirstCode]) -> UInt32 {
    let bits = lowestWindow
    var (used, place) = (0, 1)
    var values = [0, 0, 0, 0, 0]
    while used < bits, place <= 4 {
      let left = (index << used) & ((1 << bits) - 1)
      // The window of the table of first codes is longer; what is not there reads as zeros.
      let entry = first[left << (WalkTable.window - bits)]
      let (length, size) = (Int(entry.length), Int(entry.symbol & 15))
      guard length > 0, used + length + size <= bits else { break }
      let run = Int(entry.symbol >> 4)
      if size == 0, run != 15 {
        return word(used: used + length, place: 127, values)
      }
      let target = place + run
      if size > 0, target <= 4 {
        let value = signed(left >> (bits - length - size), size: size)
        let room = [0, 127, 63, Int.max, 31][target]
        guard abs(value) <= room else { break }
        values[target] = value
      }
      used += length + size
      place = target + 1
    }
    return word(used: used, place: place, values)
  }

  private static func word(used: Int, place: Int, _ values: [Int]) -> UInt32 {
    UInt32(used) | UInt32(place) << 4 | UInt32(values[1] & 0xFF) << 11
      | UInt32(values[2] & 0x7F) << 19 | UInt32(values[4] & 0x3F) << 26
  }

  private static func walkWord(index: Int, first: [FirstCode]) -> UInt16 {
    let window = WalkTable.window
    var used = 0
    var steps = 0
    var isEnd = false
    while used < window, !isEnd {
      let entry = first[(index << used) & (first.count - 1)]
      let length = Int(entry.length)
      let total = used + length + Int(entry.symbol & 15)
      guard length > 0, used + length <= window, total <= WalkTable.longest else { break }
      let step = step(entry.symbol)
      // Within one look-up a block never ends by its last coefficient: nobody would see where.
      guard steps + step < 63 else { break }
      used = total
      steps += step
      isEnd = step == 0
    }
    guard used > 0 else { return WalkTable.unknown }
    return UInt16(used) | UInt16(steps) << 6 | (isEnd ? WalkTable.endOfBlock : 0)
  }
}

/// The value of the lowest `size` bits of `bits` (T.81 F.2.2.1, EXTEND).
private func signed(_ bits: Int, size: Int) -> Int {
  guard size > 0 else { return 0 }
  let raw = bits & ((1 << size) - 1)
  return raw >> (size - 1) == 0 ? raw - (1 << size) + 1 : raw
}

/// Decoding bit by bit, for codes that the tables do not hold (T.81 F.2.2.3, figure F.16).
struct CanonicalCode: Sendable {
  /// By length: the first 16-bit word that no code of up to that length begins.
  private let limits: [Int]
  /// By length: what is added to a code to get its symbol's index.
  private let offsets: [Int]
  private let symbols: [UInt8]

  init(_ code: HuffmanCode) {
    var limits = [0]
    var offsets = [0]
    var next = 0
    var index = 0
    for length in 1...16 {
      offsets.append(index - next)
      next += Int(code.counts[length - 1])
      index += Int(code.counts[length - 1])
      limits.append(next << (16 - length))
      next <<= 1
    }
    self.limits = limits
    self.offsets = offsets
    symbols = code.symbols
  }

  /// The symbol that `bits` begins with, and its code's length; nil where no code is like that.
  ///
  /// `longerThan`: the code is known to have more bits.
  func symbol(_ bits: UInt16, longerThan shortest: Int = 0) -> (length: Int, symbol: UInt8)? {
    for length in shortest + 1...16 where Int(bits) < limits[length] {
      let index = Int(bits) >> (16 - length) + offsets[length]
      return symbols.indices.contains(index) ? (length, symbols[index]) : nil
    }
    return nil
  }
}
