#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Bounds the CPU time of one picture: the calling thread's own time, so that a busy machine
/// refuses nothing that an idle one takes.
struct CPUClock {
  private let start: Int64
  private let limitSeconds: Int

  /// Starts now.
  init(limitSeconds: Int) {
    self.limitSeconds = limitSeconds
    start = Self.nanoseconds()
  }

  /// Throws once the time is used up.
  ///
  /// Call it on the thread that made the clock.
  func check() throws(CodecError) {
    let used = (Self.nanoseconds() - start) / 1_000_000_000
    if used >= Int64(limitSeconds) {
      throw .overLimit("took \(used) s of CPU time; a picture may use \(limitSeconds)")
    }
  }

  private static func nanoseconds() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
