import CInflate

/// Inflates the compressed texts of one file within one budget, so that a ratio bomb costs no more than
/// a text of the largest size.
struct Inflate {
  /// One text.
  static let maximumText = 1 << 20
  /// All texts of a file.
  private(set) var bytesLeft = 8 << 20

  /// What a zlib stream holds (RFC 1950).
  enum Outcome: Hashable {
    case text([UInt8])
    /// No zlib stream, cut short, or the Adler-32 is wrong.
    case damaged
    case tooLong
  }

  /// Inflates a whole stream; bytes behind it are passed over.
  ///
  /// What was inflated counts against the budget whatever the outcome is.
  mutating func text(of stream: ArraySlice<UInt8>) -> Outcome {
    guard let handle = unsafe cinflate_open() else { return .tooLong }
    defer { unsafe cinflate_close(handle) }
    let limit = min(Self.maximumText, bytesLeft)
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 << 10)
    var position = stream.startIndex
    while true {
      var used = 0
      var filled = 0
      let code = unsafe stream[position...].withUnsafeBufferPointer { input in
        unsafe chunk.withUnsafeMutableBufferPointer { buffer in
          // An empty slice may have no address.
          guard let from = input.baseAddress, let to = buffer.baseAddress else {
            return Int32(CINFLATE_DAMAGED)
          }
          return unsafe cinflate_next(
            handle, from, input.count, &used, to, buffer.count, &filled)
        }
      }
      position += used
      bytesLeft -= min(filled, bytesLeft)
      guard output.count + filled <= limit else { return .tooLong }
      output += chunk[..<filled]
      if code == Int32(CINFLATE_END) { return .text(output) }
      // Neither read nor written: the stream is cut short.
      guard code == Int32(CINFLATE_MORE), used > 0 || filled > 0 else { return .damaged }
    }
  }
}
