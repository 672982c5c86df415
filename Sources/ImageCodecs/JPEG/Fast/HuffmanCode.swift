/// A Huffman code as a DHT segment gives it (ITU-T T.81 B.2.4.2): how many codes there are of each
/// length, and the symbols in the order of their codes.
struct HuffmanCode: Hashable {
  /// The numbers of codes of 1 to 16 bits.
  let counts: [UInt8]
  /// The symbols, shortest codes first.
  let symbols: [UInt8]

  /// Returns nil where the counts promise more codes than their lengths can tell apart, or other
  /// than `symbols` holds: no decoder can use such a table.
  init?(counts: [UInt8], symbols: [UInt8]) {
    guard counts.count == 16, symbols.count <= 256,
      counts.reduce(0, { $0 + Int($1) }) == symbols.count
    else { return nil }
    var next = 0
    for (index, count) in counts.enumerated() {
      next += Int(count)
      // The code of all ones is not used (C.2), and libjpeg refuses it.
      guard next < 1 << (index + 1) else { return nil }
      next <<= 1
    }
    self.counts = counts
    self.symbols = symbols
  }

  /// Calls `body` with each code, its length in bits and its symbol (T.81 C.2), in order.
  func forEachCode(_ body: (_ code: Int, _ length: Int, _ symbol: UInt8) -> Void) {
    var code = 0
    var index = 0
    for length in 1...16 {
      for _ in 0..<Int(counts[length - 1]) {
        body(code, length, symbols[index])
        code += 1
        index += 1
      }
      code <<= 1
    }
  }

  /// For each value of the next `window` bits what `word` makes of the code that they begin with, or
  /// `other` where they show no whole code.
  func words<Word>(
    window: Int, other: Word, _ word: (_ length: Int, _ symbol: UInt8) -> Word
  ) -> [Word] {
    var words = [Word](repeating: other, count: 1 << window)
    forEachCode { code, length, symbol in
      guard length <= window else { return }
      let start = code << (window - length)
      for index in start..<start + 1 << (window - length) where index < words.count {
        words[index] = word(length, symbol)
      }
    }
    return words
  }
}
