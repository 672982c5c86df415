#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Looks at single bytes and runs of a source through one window, so that walking takes few reads.
struct WindowReader<Source: ByteSource> {
  let source: Source
  private var window: [UInt8] = []
  private var start = 0

  /// Headers: with this first window three quarters of camera files need no second read.
  static var headerWindow: Int { 16 << 10 }
  /// Image data, read through once from front to back.
  static var dataWindow: Int { 256 << 10 }

  init(_ source: Source) { self.source = source }

  var count: Int { source.count }

  /// The byte at `offset`, or nil past the end; on a miss `ahead` bytes are read.
  mutating func byte(
    at offset: Int, ahead: Int = headerWindow
  ) throws(ContainerError) -> UInt8? {
    let index = offset &- start
    if index >= 0, index < window.count { return window[index] }
    try fill(at: offset, count: ahead)
    return window.first
  }

  /// The big-endian number of two bytes at `offset`, or nil where the source ends before.
  mutating func uint16(at offset: Int) throws(ContainerError) -> Int? {
    guard let high = try byte(at: offset), let low = try byte(at: offset + 1) else { return nil }
    return Int(high) << 8 | Int(low)
  }

  /// The bytes at `offset`, `count` of them or as many as there are; on a miss `ahead` bytes are read.
  mutating func bytes(
    at offset: Int, count: Int, ahead: Int = headerWindow
  ) throws(ContainerError) -> ArraySlice<UInt8> {
    if offset < start || offset - start + count > window.count {
      try fill(at: offset, count: max(count, ahead))
    }
    let index = min(max(0, offset - start), window.count)
    return window[index..<min(window.count, index + count)]
  }

  /// The offset of the first `value` at or behind `offset`, or nil if there is none.
  mutating func firstOffset(
    of value: UInt8, from offset: Int, ahead: Int
  ) throws(ContainerError) -> Int? {
    var position = offset
    while position < count {
      if try byte(at: position, ahead: ahead) == nil { return nil }
      let skip = position - start
      let found: Int? = unsafe window.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress,
          let hit = unsafe memchr(base + skip, Int32(value), bytes.count - skip)
        else { return nil }
        return unsafe UnsafeRawPointer(hit) - base
      }
      if let found { return start + found }
      position = start + window.count
    }
    return nil
  }

  /// The CRC-32 of a range of the source, or nil where the source ends before it.
  mutating func crc32(of range: Range<Int>) throws(ContainerError) -> UInt32? {
    var crc = CRC32()
    var position = range.lowerBound
    while position < range.upperBound {
      if try byte(at: position, ahead: Self.dataWindow) == nil { return nil }
      let index = position - start
      let end = min(window.count, index + range.upperBound - position)
      unsafe window.withUnsafeBytes { bytes in
        unsafe crc.update(UnsafeRawBufferPointer(rebasing: bytes[index..<end]))
      }
      position = start + end
    }
    return crc.value
  }

  private mutating func fill(at offset: Int, count: Int) throws(ContainerError) {
    do throws(ByteSourceError) {
      window = []  // Freed first: one window at a time.
      window = try source.read(at: offset, count: count)
      start = offset
    } catch {
      start = 0
      throw ContainerError(message: "cannot be read: " + error.message)
    }
  }
}
