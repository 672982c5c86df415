import CInflate
import Synchronization

/// Inflates the data of a file's IDAT chunks, which are one zlib stream (ISO/IEC 15948 clause 10).
///
/// The bytes must outlive it; one thread at a time.
@safe
struct PNGInflater: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let stream: PooledStream
  /// What of the present chunk's data has not been taken yet.
  private var input: Range<Int>
  private var isEnded = false

  /// `firstData`: where the first IDAT chunk stands.
  ///
  /// Nil where memory is short.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, firstData: Int) {
    guard let stream = StreamPool.take() else { return nil }
    unsafe self.bytes = unsafe bytes
    self.stream = stream
    // As if a chunk had ended there, so that the next one is the first.
    input = firstData - 4..<firstData - 4
  }

  deinit { StreamPool.give(stream) }

  /// Writes the next `count` bytes; false where the data is damaged or ends before them.
  mutating func read(_ output: UnsafeMutablePointer<UInt8>, count: Int) -> Bool {
    var done = 0
    while done < count {
      guard let written = unsafe step(output + done, count - done) else { return false }
      done += written
    }
    return true
  }

  /// Whether the stream ends here, with a right Adler-32, and its chunks with it.
  mutating func isAtEnd() -> Bool {
    var spare: UInt8 = 0
    while !isEnded {
      guard unsafe step(&spare, 1) == 0 else { return false }
    }
    return unsafe cinflate_excess(stream.handle) == 0 && !hasInput()
  }

  /// How many bytes came (none where only input was taken), or nil where none can come.
  private mutating func step(_ output: UnsafeMutablePointer<UInt8>, _ capacity: Int) -> Int? {
    // Without input too, output may be left that did not fit the last time.
    guard !isEnded, let base = unsafe bytes.baseAddress else { return nil }
    let isLast = !hasInput()
    var (used, written) = (0, 0)
    let state = unsafe cinflate_next(
      stream.handle, base + input.lowerBound, input.count, &used, output, capacity, &written)
    input = input.lowerBound + used..<input.upperBound
    switch Int(state) {
    case CINFLATE_MORE:
      if used == 0 && written == 0 && (isLast || capacity > 0 && !input.isEmpty) { return nil }
    case CINFLATE_END:
      isEnded = true
    default:
      return nil
    }
    return written
  }

  /// Goes on to the next chunk with data where this one's is used up.
  private mutating func hasInput() -> Bool {
    while input.isEmpty {
      guard let base = unsafe bytes.baseAddress,
        let chunk = unsafe PNGChunk(base, at: input.upperBound + 4, end: bytes.count),
        chunk.type == PNGChunk.imageData
      else { return false }
      input = chunk.data
    }
    return true
  }
}

/// An inflating stream of the pool.
///
/// `@unchecked Sendable` since the pool hands each to one owner at a time.
@safe
private final class PooledStream: @unchecked Sendable {
  let handle: OpaquePointer

  init?() {
    guard let handle = unsafe cinflate_open() else { return nil }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe cinflate_close(handle) }
}

/// Streams that wait for the next picture: each is 87 kB, which would be cleared for every icon.
private enum StreamPool {
  /// More than so many decodes at a time are rare, and their streams are freed.
  private static let capacity = 8
  private static let waiting = Mutex<[PooledStream]>([])

  static func take() -> PooledStream? {
    guard let stream = waiting.withLock({ $0.popLast() }) else { return PooledStream() }
    unsafe cinflate_restart(stream.handle)
    return stream
  }

  static func give(_ stream: PooledStream) {
    waiting.withLock { if $0.count < capacity { $0.append(stream) } }
  }
}
