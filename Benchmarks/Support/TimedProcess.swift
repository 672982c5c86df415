import Glibc

/// A program that is run to its end and timed.
package enum TimedProcess {
  /// One run, from the start of the process to its end, its output thrown away.
  ///
  /// By the system's own calls: Foundation's `Process` looks only twenty times a second whether one
  /// has ended.
  ///
  /// - Parameters:
  ///   - program: its path.
  ///   - arguments: what stands behind its name.
  /// - Returns: the seconds, and the exit status (-1 after a signal); nil where it did not start.
  package static func run(
    _ program: String, _ arguments: [String]
  ) -> (seconds: Double, status: Int32)? {
    let words = [program] + arguments
    var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe pointers.forEach { unsafe free($0) } }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
    }
    var child: pid_t = 0
    var status: Int32 = 0
    let clock = ContinuousClock()
    let start = clock.now
    guard
      unsafe posix_spawn(&child, program, &actions, nil, &pointers, environ) == 0,
      unsafe waitpid(child, &status, 0) == child
    else { return nil }
    let hasExited = status & 0x7f == 0
    return ((clock.now - start) / .seconds(1), hasExited ? status >> 8 & 0xff : -1)
  }
}
