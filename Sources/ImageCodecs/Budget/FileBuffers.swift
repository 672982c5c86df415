import Synchronization

/// Arrays for the bytes of files, used again and again.
///
/// A new one of some megabytes may cost a page fault for every 4 KiB: it depends on what the C library
/// did with the one before, and where threads come and go it gives memory back. What is lent is charged to the budget by who borrows it; what is idle is bounded. Safe from any
/// thread.
final class FileBuffers: Sendable {
  /// Bytes of what is idle, all together, and how many.
  static let keptBytes = 16 << 20
  static let keptBuffers = 8
  /// Sizes go by these steps, so that a buffer serves files about as large too.
  private static let step = 1 << 20

  private let idle = Mutex<[[UInt8]]>([])

  /// Bytes of what is idle.
  var idleBytes: Int { idle.withLock { Self.bytes(of: $0) } }

  /// Lends an empty array with room for `count` bytes.
  func take(_ count: Int) -> [UInt8] {
    // Moved, never copied: a second reference, however short, would make the array copy itself when it
    // is written.
    var bytes: [UInt8] = []
    idle.withLock { idle in
      let fitting = idle.indices.filter { idle[$0].capacity >= count }
      if let best = fitting.min(by: { idle[$0].capacity < idle[$1].capacity }) {
        swap(&bytes, &idle[best])
        idle.remove(at: best)
      } else if let largest = idle.indices.max(by: { idle[$0].capacity < idle[$1].capacity }) {
        // None is large enough: the one that comes takes the place of the largest.
        idle.remove(at: largest)
      }
    }
    bytes.removeAll(keepingCapacity: true)
    if bytes.capacity < count {
      let isKept = count <= Self.keptBytes
      bytes.reserveCapacity(isKept ? (count + Self.step - 1) / Self.step * Self.step : count)
    }
    return bytes
  }

  /// Takes a lent array back, unless there are enough, and leaves an empty one in its place.
  func give(_ bytes: inout [UInt8]) {
    idle.withLock { idle in
      guard bytes.capacity > 0, idle.count < Self.keptBuffers,
        Self.bytes(of: idle) + bytes.capacity <= Self.keptBytes
      else { return }
      idle.append([])
      swap(&bytes, &idle[idle.count - 1])
    }
    bytes = []
  }

  private static func bytes(of buffers: [[UInt8]]) -> Int {
    buffers.reduce(0) { $0 + $1.capacity }
  }
}
