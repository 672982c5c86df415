/// The cyclic redundancy check of PNG (ISO/IEC 15948 annex D: polynomial 0xEDB88320, reflected),
/// eight bytes a step by eight tables ("slicing-by-8", Kounavis and Berry, 2005).
package struct CRC32: Sendable {
  private var state: UInt32 = 0xFFFF_FFFF

  package init() {}

  /// The check value of all bytes so far.
  package var value: UInt32 { ~state }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe update($0) }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var crc = state
    unsafe Self.tables.withUnsafeBufferPointer { table in
      var index = 0
      let count = bytes.count
      while count - index >= 8 {
        let word = unsafe UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let mixed = word ^ UInt64(crc)
        var next: UInt32 = 0
        for slice in 0..<8 {
          let byte = Int(truncatingIfNeeded: mixed >> UInt64(8 * slice)) & 0xFF
          unsafe next ^= table[(7 - slice) << 8 | byte]
        }
        crc = next
        index += 8
      }
      while index < count {
        unsafe crc = table[Int((crc ^ UInt32(bytes[index])) & 0xFF)] ^ (crc >> 8)
        index += 1
      }
    }
    state = crc
  }

  /// Table k, entry b at `k << 8 | b`: the remainder of byte b followed by k zero bytes.
  private static let tables: [UInt32] = {
    var tables: [UInt32] = []
    tables.reserveCapacity(8 * 256)
    for byte in 0..<256 {
      var remainder = UInt32(byte)
      for _ in 0..<8 {
        remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1
      }
      tables.append(remainder)
    }
    for index in 256..<(8 * 256) {
      let before = tables[index - 256]
      tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
    }
    return tables
  }()
}
