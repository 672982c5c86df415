import Glibc

/// Locks by `flock` on descriptors of their own; the kernel frees them when a process dies.
///
/// They are never taken on SQLite's files: closing any descriptor of those drops SQLite's own
/// locks.
enum FileLock {
  enum Kind { case shared, exclusive }

  /// Takes a lock at once, or returns false.
  static func take(_ kind: Kind, on descriptor: Descriptor) -> Bool {
    let operation = kind == .shared ? LOCK_SH : LOCK_EX
    while true {
      if flock(descriptor.raw, operation | LOCK_NB) == 0 { return true }
      guard errno == EINTR else { return false }
    }
  }

  /// Takes a lock, waiting for at most so many milliseconds.
  static func wait(
    _ kind: Kind, on descriptor: Descriptor, milliseconds: Int
  ) throws(StoreError) {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while !take(kind, on: descriptor) {
      guard ContinuousClock.now < deadline else {
        throw StoreError(code: .busy, message: "another process has the library locked")
      }
      usleep(2_000)
    }
  }

  static func release(_ descriptor: Descriptor) { flock(descriptor.raw, LOCK_UN) }
}
