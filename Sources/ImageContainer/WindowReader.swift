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

  /// The offset of the first marker at or behind `offset`, or nil if there is none.
  ///
  /// That is the 0xFF right before the marker's code, which is neither 0 nor 0xFF (T.81 B.1.1.2).
  mutating func firstMarker(from offset: Int, ahead: Int) throws(ContainerError) -> Int? {
    var position = offset
    while position < count - 1 {
      _ = try bytes(at: position, count: 2, ahead: ahead)
      let index = position - start
      guard window.count - index >= 2 else { return nil }
      let found = unsafe window.withUnsafeBytes { unsafe Self.firstMarker(in: $0, from: index) }
      if let found { return start + found }
      // The last byte may be a 0xFF whose code the next window has.
      position = start + window.count - 1
    }
    return nil
  }

  private static func firstMarker(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let last = bytes.count - 1
    var index = start
    while index < last {
      guard let hit = unsafe memchr(base + index, 0xFF, last - index) else { return nil }
      index = unsafe UnsafeRawPointer(hit) - base
      // More may follow closely: a call for each would cost more than to look at the bytes.
      var stop = index
      while index <= stop, index < last {
        if unsafe bytes[index] == 0xFF {
          if unsafe bytes[index + 1] &+ 1 > 1 { return index }
          stop = index + 16
        }
        index += 1
      }
    }
    return nil
  }

  /// Whether every byte of the range is there and is `value`.
  mutating func isFilled(
    _ range: Range<Int>, with value: UInt8, ahead: Int
  ) throws(ContainerError) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      guard try byte(at: position, ahead: ahead) == value else { return false }
      let index = position - start
      let length = min(window.count - index, range.upperBound - position)
      let isRun = unsafe window.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return false }
        // Each byte equals the one before it.
        return unsafe memcmp(base + index, base + index + 1, length - 1) == 0
      }
      guard isRun else { return false }
      position += length
    }
    return true
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
