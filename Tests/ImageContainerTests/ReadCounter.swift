import Synchronization

/// How many bytes were read, in all and at once.
final class ReadCounter: Sendable {
  private let state = Mutex((bytes: 0, largest: 0))

  var bytes: Int { state.withLock { $0.bytes } }
  var largest: Int { state.withLock { $0.largest } }

  func add(_ count: Int) {
    state.withLock {
      $0.bytes += count
      $0.largest = max($0.largest, count)
    }
  }
}
