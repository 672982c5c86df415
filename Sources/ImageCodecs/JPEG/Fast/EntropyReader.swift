#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where reading entropy-coded data (ITU-T T.81 F.2.2.5) stands; a kernel copies it into local variables
/// and back, which keeps it in registers.
///
/// The pointers are good for as long as the caller of the kernels keeps the file's bytes.
@unsafe
struct EntropyReader {
  /// The next byte to read.
  ///
  /// Behind a marker, which ends the data, it goes on counting bytes of zeros that are not there: so it
  /// tells how far a broken picture has read beyond its end.
  var next: UnsafePointer<UInt8>
  /// Unread bits, the next one at the top.
  ///
  /// Below the lowest of `count` bits are zeros, or the bits that come next.
  var bits: UInt64 = 0
  /// How many of `bits` are valid, 0 to 63.
  var count = 0
  /// Up to here 8 bytes can be read at once: none of them is 0xFF, nor behind the end.
  ///
  /// It is 8 bytes before the next 0xFF, or before the end.
  var safe: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>

  init(_ base: UnsafePointer<UInt8>, count: Int, from offset: Int) {
    unsafe next = unsafe base + min(max(0, offset), count)
    unsafe end = unsafe base + count
    unsafe safe = unsafe next
    unsafe safe = unsafe Self.lastSafe(next, end)
  }

  /// 8 bytes before the first 0xFF at or behind `next`, or before the end.
  @inline(__always)
  static func lastSafe(
    _ next: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> UnsafePointer<UInt8> {
    let length = unsafe end - next
    guard length > 0, let found = unsafe memchr(next, 0xFF, length) else { return unsafe end - 8 }
    return unsafe UnsafePointer(found.assumingMemoryBound(to: UInt8.self)) - 8
  }

  /// Bits that stand between here and the next marker or the end, or less than 0 where the reader
  /// has gone beyond.
  var bitsLeft: Int { unsafe count + (safe + 8 - next) * 8 }

  /// Whether the data ended here as it should: less than a byte is left before the marker.
  ///
  /// A 0xFF that belongs to the data is no end, nor is the end of the file.
  var isAtMarker: Bool { unsafe marker != nil }

  /// The marker that the data ended at; any number of 0xFF may stand before it (B.1.1.2).
  private var marker: UnsafePointer<UInt8>? {
    guard (0..<8).contains(unsafe bitsLeft) else { return nil }
    var marker = unsafe safe + 8
    while unsafe marker + 1 < end, unsafe marker[1] == 0xFF { unsafe marker += 1 }
    // libjpeg takes a zero behind several 0xFF as it does behind one: that is data.
    return unsafe marker + 1 < end && marker[1] != 0 ? marker : nil
  }

  /// Steps over the restart marker `number` (0 to 7) and starts anew behind it; false where another
  /// thing stands there.
  mutating func restart(_ number: Int) -> Bool {
    guard let marker = unsafe marker, unsafe marker[1] == 0xD0 + UInt8(number & 7) else {
      return false
    }
    unsafe next = unsafe marker + 2
    unsafe bits = 0
    unsafe count = 0
    unsafe safe = unsafe Self.lastSafe(next, end)
    return true
  }

  /// At least 56 bits, where the quick way does not go: near a 0xFF, a marker, the end.
  ///
  /// A stuffed zero behind 0xFF is taken out (F.1.2.3); behind a marker or the end come zeros. Returns
  /// what replaces `next`, `bits`, `count` and `safe`: four values travel in registers, where a
  /// parameter that is changed in place would force the caller's variables into memory.
  @inline(never)
  static func refillSlowly(
    _ start: UnsafePointer<UInt8>, _ oldBits: UInt64, _ oldCount: Int,
    _ oldSafe: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
  ) -> (UnsafePointer<UInt8>, UInt64, Int, UnsafePointer<UInt8>) {
    var next = unsafe start
    var safe = unsafe oldSafe
    var count = oldCount
    var bits = count == 0 ? 0 : oldBits & ~(~0 &>> UInt64(truncatingIfNeeded: count))
    if unsafe next <= safe + 8, unsafe end - next > 8 {
      let word = unsafe UInt64(
        bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
      let mask = unsafe ones(word)
      let taken = (63 &- count) &>> 3
      if mask == 0 {
        bits |= word &>> UInt64(truncatingIfNeeded: count)
        unsafe next += taken
        return unsafe (next, bits, count | 56, lastSafe(next, end))
      }
      let place = mask.leadingZeroBitCount &>> 3
      // One 0xFF with its zero: the bytes behind it move up by one, and 7 are good.
      let upTo = ~(~(0 as UInt64) &>> UInt64(truncatingIfNeeded: 8 &* (place &+ 1)))
      let behind = place == 7 ? 0 : (word &<< 8) & ~upTo
      if place == 7 || (unsafe next[place &+ 1] == 0 && ones(behind) == 0) {
        let joined = place == 7 ? word : (word & upTo) | behind
        bits |= (joined & ~0xFF) &>> UInt64(truncatingIfNeeded: count)
        unsafe next += taken &+ (taken > place ? 1 : 0)
        count |= 56
        if taken > place { unsafe safe = unsafe lastSafe(next, end) }
        return unsafe (next, bits, count, safe)
      }
    }
    while count < 56 {
      var byte: UInt64 = 0
      if unsafe next < safe + 8 {
        byte = unsafe UInt64(next.pointee)
        unsafe next += 1
      } else if unsafe next == safe + 8, unsafe end - next > 1, unsafe next[1] == 0 {
        byte = 0xFF
        unsafe next += 2
        unsafe safe = unsafe lastSafe(next, end)
      } else {
        // The marker or the end, or beyond it.
        unsafe next += 1
      }
      bits |= byte &<< UInt64(truncatingIfNeeded: 56 &- count)
      count &+= 8
    }
    return unsafe (next, bits, count, safe)
  }

  /// The top bit of each byte that is 0xFF.
  @inline(__always)
  private static func ones(_ word: UInt64) -> UInt64 {
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    return ~((((~word) & low) &+ low) | ~word | low)
  }
}

/// The changing part of a reader, for one kernel's local variables, with what is done at each block.
///
/// Everything is inlined, so that the fields live in registers.
@safe
struct EntropyCursor {
  var next: UnsafePointer<UInt8>
  var bits: UInt64
  var valid: Int
  var safe: UnsafePointer<UInt8>
  let end: UnsafePointer<UInt8>

  @inline(__always)
  init(_ reader: EntropyReader) {
    unsafe next = unsafe reader.next
    bits = unsafe reader.bits
    valid = unsafe reader.count
    unsafe safe = unsafe reader.safe
    unsafe end = unsafe reader.end
  }

  @inline(__always)
  func store(_ reader: inout EntropyReader) {
    unsafe reader.next = unsafe next
    unsafe reader.bits = bits
    unsafe reader.count = valid
    unsafe reader.safe = unsafe safe
  }

  /// Makes at least 56 bits valid.
  @inline(__always)
  mutating func refill() {
    if unsafe next <= safe {
      let word = unsafe UInt64(
        bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self))
      bits |= word &>> UInt64(truncatingIfNeeded: valid)
      unsafe next += (63 &- valid) &>> 3
      valid |= 56
    } else {
      unsafe (next, bits, valid, safe) = unsafe EntropyReader.refillSlowly(
        next, bits, valid, safe, end)
    }
  }

  /// The value of `size` bits at the top of `top` (ITU-T T.81 F.2.2.1, EXTEND).
  @inline(__always)
  static func extend(_ top: UInt64, _ size: UInt64) -> Int {
    let magnitude = Int(truncatingIfNeeded: (top &>> 1) &>> ~size)
    let isNegative = ~(Int(truncatingIfNeeded: top) &>> 63)
    return magnitude &+ (isNegative & ((-1 &<< Int(truncatingIfNeeded: size)) &+ 1))
  }
}
