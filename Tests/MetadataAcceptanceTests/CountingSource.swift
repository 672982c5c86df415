import ImageContainer
import Synchronization

/// Counts the bytes that are read.
final class CountingSource: ByteSource {
  private let bytes: MemoryByteSource
  private let total = Atomic(0)

  init(_ bytes: [UInt8]) { self.bytes = MemoryByteSource(bytes) }

  var count: Int { bytes.count }
  var bytesRead: Int { total.load(ordering: .relaxed) }

  func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    let result = try bytes.read(at: offset, count: count)
    total.add(result.count, ordering: .relaxed)
    return result
  }
}
