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

/// What the kernels look up for a DC code: by the next 11 bits, and the slow way for longer codes.
///
/// A word holds in its low 6 bits how many bits code and value take, above them how many bits the
/// value has (T.81 F.1.2.1); 0 sends to the slow way.
final class DCTable: Sendable {
  static let window = 11
  /// Code and value together, so that two steps over coefficients fit behind them in 56 bits.
  static let longest = 20

  let fast: TableStorage<UInt16>
  private let canonical: CanonicalCode

  /// Returns nil where a symbol is no category of a DC difference.
  init?(_ code: HuffmanCode) {
    guard code.symbols.allSatisfy({ $0 <= 15 }) else { return nil }
    var words = [UInt16](repeating: 0, count: 1 << Self.window)
    code.forEachCode { value, length, symbol in
      let total = length + Int(symbol)
      guard length <= Self.window, symbol <= 11, total <= Self.longest else { return }
      let first = value << (Self.window - length)
      for index in first..<first + 1 << (Self.window - length) where index < words.count {
        words[index] = UInt16(total) | UInt16(symbol) << 6
      }
    }
    fast = TableStorage(words)
    canonical = CanonicalCode(code)
  }

  /// The code that `bits` begins with, as a word of the table; 0 where no code is like that.
  @inline(never)
  func slowWord(_ bits: UInt16) -> UInt16 {
    guard let found = canonical.symbol(bits) else { return 0 }
    return UInt16(found.length) + UInt16(found.symbol) | UInt16(found.symbol) << 6
  }
}

/// What the kernels look up for AC codes.
///
/// `skip` steps over whole symbols, as many as its window shows: how many bits they take, values
/// included, how many coefficients they stand for, and whether the block ended. The bits of the last
/// value need not be inside the window.
///
/// `single` tells of one symbol what is needed to take its value.
final class ACTable: Sendable {
  /// Bits, in the layout of a skip word: low 6 bits the length, above it the coefficients.
  static let endOfBlock: UInt16 = 64 << 6
  /// The look-up does not say; larger than what any number of coefficients can add up to.
  static let unknown: UInt16 = 512 << 6
  /// Three steps fit in 56 bits.
  static let longestSkip = 18
  static let singleWindow = 9
  /// The run of an end of block in `single`: from any place it leads beyond the last.
  static let endRun: UInt16 = 63

  /// The bits that index `skip`: more for luma, whose table then fills half of a first-level cache.
  let window: Int
  let skip: TableStorage<UInt16>
  /// By `singleWindow` bits: low 6 bits of length (code and value), 4 of the value's size, 6 of the
  /// run; 0 sends to the slow way.
  let single: TableStorage<UInt16>
  /// By `lowestWindow` bits: the coefficients that a 2x2 reduction takes, as many as the window shows
  /// whole.
  let lowest: TableStorage<UInt32>
  /// Codes longer than `longCodeStart`'s, by their 16 bits less `firstLongCode`, as skip words.
  let long: TableStorage<UInt16>
  let firstLongCode: Int
  private let canonical: CanonicalCode

  static let lowestWindow = 10

  static let lumaWindow = 13
  static let chromaWindow = 11

  init(_ code: HuffmanCode, window: Int) {
    self.window = window
    canonical = CanonicalCode(code)
    // Of each window of bits the first code that it shows whole: its length and symbol.
    var first = [(length: UInt8, symbol: UInt8)](repeating: (0, 0), count: 1 << window)
    var single = [UInt16](repeating: 0, count: 1 << Self.singleWindow)
    code.forEachCode { value, length, symbol in
      if length <= window {
        let start = value << (window - length)
        for index in start..<start + 1 << (window - length) where index < first.count {
          first[index] = (UInt8(length), symbol)
        }
      }
      if length <= Self.singleWindow {
        let start = value << (Self.singleWindow - length)
        let word = Self.singleWord(length: length, symbol: symbol)
        for index in start..<start + 1 << (Self.singleWindow - length) where index < single.count {
          single[index] = word
        }
      }
    }
    self.single = TableStorage(single)
    lowest = TableStorage(
      (0..<1 << Self.lowestWindow).map { Self.lowestWord(index: $0, window: window, first: first) })
    skip = TableStorage(
      (0..<1 << window).map { Self.skipWord(index: $0, window: window, first: first) })

    firstLongCode = canonical.limit(afterLength: window)
    var long = [UInt16](repeating: Self.unknown, count: max(0, 0x1_0000 - firstLongCode))
    let start = firstLongCode
    code.forEachCode { value, length, symbol in
      guard length > window else { return }
      let word = Self.word(length: length, symbol: symbol)
      let base = value << (16 - length) - start
      for index in base..<base + 1 << (16 - length) where long.indices.contains(index) {
        long[index] = word
      }
    }
    self.long = TableStorage(long)
  }

  /// The one symbol that `bits` begins with, as a skip word, or `unknown` where none does.
  @inline(never)
  func oneStep(_ bits: UInt16) -> UInt16 {
    let place = Int(bits) - firstLongCode
    if place >= 0 { return place < long.count ? unsafe long.base[place] : Self.unknown }
    guard let found = canonical.symbol(bits) else { return Self.unknown }
    return Self.word(length: found.length, symbol: found.symbol)
  }

  /// The code that `bits` begins with, as a word of `single`; 0 where no code is like that.
  @inline(never)
  func slowSingle(_ bits: UInt16) -> UInt16 {
    guard let found = canonical.symbol(bits) else { return 0 }
    return Self.singleWord(length: found.length, symbol: found.symbol)
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

  private static func word(length: Int, symbol: UInt8) -> UInt16 {
    let step = step(symbol)
    return UInt16(length + Int(symbol & 15)) | (step == 0 ? endOfBlock : UInt16(step) << 6)
  }

  /// Low 4 bits: the bits used; 7 bits: the place behind the last symbol, 127 behind the end of the block;
  /// then, as signed numbers of 8, 7 and 6 bits, the first, second and fourth coefficient in zigzag order.
  ///
  /// Of a window without a whole symbol the place is 1.
  private static func lowestWord(
    index: Int, window: Int, first: [(length: UInt8, symbol: UInt8)]
  ) -> UInt32 {
    let bits = lowestWindow
    var (used, place) = (0, 1)
    var values = [0, 0, 0, 0, 0]
    while used < bits, place <= 4 {
      let left = (index << used) & ((1 << bits) - 1)
      // The window of the table of first codes may be longer; what is not there reads as zeros.
      let entry = first[left << (window - bits)]
      let (length, size) = (Int(entry.length), Int(entry.symbol & 15))
      guard length > 0, used + length + size <= bits else { break }
      let run = Int(entry.symbol >> 4)
      if size == 0, run != 15 {
        return word(used: used + length, place: 127, values)
      }
      let target = place + run
      if size > 0, target <= 4 {
        let raw = (left >> (bits - length - size)) & ((1 << size) - 1)
        let value = raw >> (size - 1) == 0 ? raw - (1 << size) + 1 : raw
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

  private static func skipWord(
    index: Int, window: Int, first: [(length: UInt8, symbol: UInt8)]
  ) -> UInt16 {
    var used = 0
    var steps = 0
    var isEnd = false
    while used < window, !isEnd {
      let entry = first[(index << used) & (first.count - 1)]
      let length = Int(entry.length)
      let total = used + length + Int(entry.symbol & 15)
      guard length > 0, used + length <= window, total <= longestSkip else { break }
      let step = step(entry.symbol)
      // Within one look-up a block never ends by its last coefficient: nobody would see where.
      guard steps + step < 63 else { break }
      used = total
      steps += step
      isEnd = step == 0
    }
    guard used > 0 else { return unknown }
    return UInt16(used) | UInt16(steps) << 6 | (isEnd ? endOfBlock : 0)
  }
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

  func limit(afterLength length: Int) -> Int { limits[length] }

  /// The symbol that `bits` begins with, and its code's length; nil where no code is like that.
  func symbol(_ bits: UInt16) -> (length: Int, symbol: UInt8)? {
    for length in 1...16 where Int(bits) < limits[length] {
      let index = Int(bits) >> (16 - length) + offsets[length]
      return symbols.indices.contains(index) ? (length, symbols[index]) : nil
    }
    return nil
  }
}
