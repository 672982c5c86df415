import Glibc

/// The loop of a watch's thread: waits, looks, calls back.
struct CommitLoop {
  let source: CommitSource
  let stopping: StopSignal

  /// How long after an event that no commit followed yet the index is looked at again, in
  /// milliseconds.
  private static let laterLooks: [Int32] = [2, 5, 10, 25, 100, 1_000]
  private static let pollingInterval: Int32 = 250

  mutating func run(_ wake: () -> Void) {
    var later = Self.laterLooks[...]
    later.removeAll()
    while true {
      let timeout = later.popFirst() ?? (source.inotify == nil ? Self.pollingInterval : -1)
      guard let hasEvents = wait(timeout) else { return }
      if hasEvents, source.drainEvents() { later = Self.laterLooks[...] }
      guard source.hasChanged() else { continue }
      if stopping.isSignalled { return }
      wake()
    }
  }

  /// - Returns: whether inotify has events; nil where the watch is to end.
  private func wait(_ timeout: Int32) -> Bool? {
    var descriptors = [
      pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
      // A negative descriptor is left out by poll.
      pollfd(fd: source.inotify?.raw ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let count = nfds_t(descriptors.count)
    let result = unsafe poll(&descriptors, count, timeout)
    if stopping.isSignalled { return nil }
    return result > 0 && descriptors[1].revents != 0
  }
}
