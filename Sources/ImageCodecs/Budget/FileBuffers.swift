import Synchronization

/// Arrays for the bytes of files, used again and again.
///
/// A new one of some megabytes costs a page fault for every 4 KiB: a sixth of the time of reducing a
/// picture. What is lent is charged to the budget by who borrows it; what is idle is bounded. Safe from any
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
    let found = idle.withLock { idle -> [UInt8]? in
      let fitting = idle.indices.filter { idle[$0].capacity >= count }
      if let best = fitting.min(by: { idle[$0].capacity < idle[$1].capacity }) {
        return idle.remove(at: best)
      }
      // None is large enough: the one that comes takes the place of the largest.
      if let last = idle.indices.max(by: { idle[$0].capacity < idle[$1].capacity }) {
        idle.remove(at: last)
      }
      return nil
    }
    var bytes = found ?? []
    bytes.removeAll(keepingCapacity: true)
    if found == nil {
      let rounded =
        count > Self.keptBytes ? count : (count + Self.step - 1) / Self.step * Self.step
      bytes.reserveCapacity(rounded)
    }
    return bytes
  }

  /// Takes a lent array back, unless there are enough.
  ///
  /// The borrower must not keep another reference to it: then it would be copied when it is next used.
  func give(_ bytes: [UInt8]) {
    guard bytes.capacity > 0 else { return }
    idle.withLock { idle in
      if idle.count < Self.keptBuffers,
        Self.bytes(of: idle) + bytes.capacity <= Self.keptBytes
      {
        idle.append(bytes)
      }
    }
  }

  private static func bytes(of buffers: [[UInt8]]) -> Int {
    buffers.reduce(0) { $0 + $1.capacity }
  }
}
