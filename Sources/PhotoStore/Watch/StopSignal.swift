import Glibc
import Synchronization

/// Wakes a thread that waits in `poll`, once and for good.
final class StopSignal: Sendable {
  private let isSet = Atomic(false)
  private let readEnd: Descriptor
  private let writeEnd: Descriptor

  init() throws(StoreError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw StoreError.reading(errorNumber: errno, "changes cannot be watched")
    }
    readEnd = Descriptor(ends[0])
    writeEnd = Descriptor(ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  /// Becomes readable when the signal is given.
  var descriptor: Int32 { readEnd.raw }
  var isSignalled: Bool { isSet.load(ordering: .acquiring) }

  func signal() {
    guard !isSet.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let byte: [UInt8] = [0]
    _ = unsafe Glibc.write(writeEnd.raw, byte, 1)
  }
}

/// A thread that belongs to a watch: it waits for the kernel most of the time, which would keep a
/// thread of Dispatch's pool from its work.
enum WatchThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  static func start(_ run: @escaping @Sendable () -> Void) throws(StoreError) {
    let body = unsafe Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let error = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, body.toOpaque())
    guard error == 0 else {
      unsafe body.release()
      throw StoreError.reading(errorNumber: error, "changes cannot be watched")
    }
    pthread_detach(thread)
  }
}
