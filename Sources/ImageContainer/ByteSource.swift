/// Random access to the bytes of a file, by pread or from memory.
package protocol ByteSource: Sendable {
  /// The number of bytes.
  var count: Int { get }
  /// Returns up to `count` bytes at `offset`; fewer only where the source ends, never more.
  ///
  /// Both numbers may come from a file: out of range gives fewer bytes or none. Nothing is allocated
  /// for bytes that are not there.
  func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8]
  /// Appends what `read(at:count:)` would return: into the room that an array has already, if it has
  /// enough.
  func read(
    at offset: Int, count: Int, appendingTo bytes: inout [UInt8]
  ) throws(ByteSourceError)
}

extension ByteSource {
  package func read(
    at offset: Int, count: Int, appendingTo bytes: inout [UInt8]
  ) throws(ByteSourceError) {
    bytes += try read(at: offset, count: count)
  }
}

/// Why bytes could not be read.
package struct ByteSourceError: Error, Hashable {
  /// What failed, and the system's word for it.
  package let message: String

  package init(message: String) { self.message = message }
}

/// Bytes in memory.
package struct MemoryByteSource: ByteSource {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var count: Int { bytes.count }

  package func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    let range = clampedRange(offset: offset, count: count, within: bytes.count)
    return range.count == bytes.count ? bytes : Array(bytes[range])
  }
}

/// The part of `offset ..< offset + count` that lies inside `0 ..< limit`.
func clampedRange(offset: Int, count: Int, within limit: Int) -> Range<Int> {
  guard offset >= 0, offset < limit, count > 0 else { return 0..<0 }
  return offset..<(offset + min(count, limit - offset))
}
