#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A part of a scan's entropy-coded data with the stuffed zeros taken out (ITU-T T.81 F.1.2.3), so that
/// a reader can start at any of its bits.
///
/// The pointers are good for as long as the caller keeps the file's bytes.
@unsafe
final class EntropyWindow {
  /// Zeros behind the data: no step of a reader that began before them leads behind their end.
  static let padding = 64
  /// Bytes before the data, so that every bit of it has one before.
  static let lead = 8
  static let largestCapacity = 1 << 18
  /// Bytes between two stuffed zeros, below which they count as close.
  private static let closeDistance = 16

  /// `lead` bytes that nobody reads, `count` bytes of data, and `padding` zeros.
  let base: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  /// Whether nothing follows: a marker does, or the end of the file.
  private(set) var isLast = false
  private let capacity: Int
  /// The next byte of the file that was not taken yet.
  private(set) var next: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>

  /// Starts at `offset` of the file; holds up to `capacity` bytes.
  init(_ file: UnsafePointer<UInt8>, count: Int, from offset: Int, capacity: Int) {
    unsafe next = unsafe file + min(max(0, offset), count)
    unsafe end = unsafe file + count
    unsafe self.capacity = max(4096, min(capacity, Self.largestCapacity))
    let size = unsafe Self.lead + self.capacity + Self.padding
    unsafe base = .allocate(capacity: size)
    unsafe base.initialize(repeating: 0, count: Self.lead)
  }

  deinit { unsafe base.deallocate() }

  /// Bits of `base` up to the end of the data.
  var endBit: Int { unsafe (Self.lead + count) * 8 }

  /// Drops `dropped` bytes of the data, and fills up behind the others.
  func advance(by dropped: Int) {
    let data = unsafe base + Self.lead
    if dropped > 0, unsafe dropped < count {
      unsafe memmove(data, data + dropped, count - dropped)
    }
    unsafe count = unsafe max(0, count - dropped)
    while unsafe count < capacity, unsafe !isLast {
      let room = unsafe min(capacity - count, end - next)
      guard room > 0 else {
        unsafe isLast = true
        break
      }
      let stop = unsafe memchr(next, 0xFF, room)
      let found = unsafe UnsafePointer(stop?.assumingMemoryBound(to: UInt8.self)) ?? next + room
      let length = unsafe found - next
      unsafe memcpy(data + count, next, length)
      unsafe next = unsafe found
      unsafe count += length
      guard length < room else { continue }
      if unsafe end - next > 1, unsafe next[1] == 0 {
        unsafe data[count] = 0xFF
        unsafe count += 1
        unsafe next += 2
        if unsafe length < Self.closeDistance { unsafe takeClosely() }
      } else {
        unsafe isLast = true
      }
    }
    unsafe memset(data + count, 0, Self.padding)
  }

  /// Takes up to 256 bytes one by one, up to a marker: where stuffed zeros stand so close, two calls for
  /// the few bytes between them would cost more.
  private func takeClosely() {
    // In variables of its own: each access to a property of a class would be checked.
    var (source, target) = unsafe (next, base + Self.lead + count)
    let stop = unsafe target + min(256, capacity - count)
    let last = unsafe end - 1
    while unsafe target < stop, unsafe source < last {
      let byte = unsafe source.pointee
      let isStuffed = byte == 0xFF
      if isStuffed, unsafe source[1] != 0 { break }
      unsafe target.pointee = byte
      unsafe target += 1
      unsafe source += isStuffed ? 2 : 1
    }
    unsafe next = unsafe source
    unsafe count = unsafe target - base - Self.lead
  }

  /// Where the marker stands that the data ended at, any number of 0xFF before it (B.1.1.2); nil where
  /// the data goes on, or the file ended.
  var marker: UnsafePointer<UInt8>? {
    guard unsafe isLast, unsafe next < end else { return nil }
    var marker = unsafe next
    while unsafe marker + 1 < end, unsafe marker[1] == 0xFF { unsafe marker += 1 }
    // libjpeg takes a zero behind several 0xFF as it does behind one: that is data.
    return unsafe marker + 1 < end && marker[1] != 0 ? marker : nil
  }

  /// Steps over the restart marker `number` (0 to 7) and starts anew behind it; false where another
  /// thing stands there.
  func restart(_ number: Int) -> Bool {
    guard let marker = unsafe marker, unsafe marker[1] == 0xD0 + UInt8(number & 7) else {
      return false
    }
    unsafe next = unsafe marker + 2
    unsafe isLast = false
    unsafe advance(by: count)
    return true
  }
}
