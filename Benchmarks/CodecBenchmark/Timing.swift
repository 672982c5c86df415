import Glibc

/// Medians of alternating runs.
enum Timing {
  /// The median of so many runs of each work in milliseconds of this thread's CPU time, after one to warm
  /// up: how long others keep the processor is not in it.
  static func medians(rounds: Int, _ works: [() -> Void]) -> [Double] {
    var times = works.map { _ in [Double]() }
    for round in 0...rounds {
      for (index, work) in works.enumerated() {
        let start = milliseconds()
        work()
        if round > 0 { times[index].append(milliseconds() - start) }
      }
    }
    return times.map { $0.sorted()[$0.count / 2] }
  }

  private static func milliseconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}
