import Synchronization

/// Buffers of 256 KiB for reading files, used again and again.
final class BufferPool: Sendable {
  static let bufferSize = 256 * 1024
  private static let keptBuffers = 8
  private let idle = Mutex<[[UInt8]]>([])

  /// Lends a buffer, whose contents are whatever they were.
  func withBuffer<Result>(
    _ body: (inout [UInt8]) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    var buffer =
      idle.withLock { $0.popLast() } ?? [UInt8](repeating: 0, count: Self.bufferSize)
    defer {
      let returned = buffer
      idle.withLock { if $0.count < Self.keptBuffers { $0.append(returned) } }
    }
    return try body(&buffer)
  }
}

extension Descriptor {
  /// The SHA-256 of a file's bytes from its start to its end, and how many they are.
  func hash(
    _ buffers: BufferPool, isCancelled: () -> Bool = { false }
  ) throws(StoreError) -> (sha256: [UInt8], byteSize: Int64) {
    try buffers.withBuffer { (buffer) throws(StoreError) in
      let hash = try ContentHash()
      var offset: Int64 = 0
      while true {
        let count = try read(into: &buffer, at: offset)
        try hash.update(buffer.span.extracting(0..<count))
        offset += Int64(count)
        if count < buffer.count { return (try hash.finish(), offset) }
        if isCancelled() { throw .cancelled }
      }
    }
  }
}
