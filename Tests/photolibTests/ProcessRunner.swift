import Glibc
import PhotoLibrary

/// What a process left behind.
struct ProcessResult {
  /// Its exit status; 128 and the signal's number where it was killed, as shells say it.
  let status: Int32
  let output: [UInt8]
  let errors: [UInt8]
  /// Whether it had to be killed because it took too long.
  let timedOut: Bool

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }
  var outputLines: [Substring] { outputText.split(separator: "\n") }
  var errorLines: [Substring] { errorText.split(separator: "\n") }
}

/// A process that was started.
struct RunningProcess {
  let pid: pid_t
  fileprivate let output: CaptureFile
  fileprivate let errors: CaptureFile

  func send(_ signal: Int32) { _ = kill(pid, signal) }

  /// Waits for its end; kills it after the timeout.
  func result(timeout: Duration = .seconds(60)) async throws -> ProcessResult {
    let deadline = ContinuousClock.now + timeout
    var timedOut = false
    var status: Int32 = 0
    while true {
      let answer = unsafe waitpid(pid, &status, WNOHANG)
      if answer == pid { break }
      if answer < 0, errno != EINTR { throw SystemFailure("waitpid", errno) }
      if ContinuousClock.now > deadline {
        timedOut = true
        _ = kill(pid, SIGKILL)
      }
      try await Task.sleep(for: .milliseconds(3))
    }
    // As sys/wait.h takes the number apart.
    let signal = status & 0x7F
    return ProcessResult(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, output: try output.bytes(),
      errors: try errors.bytes(), timedOut: timedOut)
  }
}

struct SystemFailure: Error, CustomStringConvertible {
  let description: String
  init(_ call: String, _ number: Int32) { description = "\(call): error \(number)" }
}

/// A nameless file that a process writes into, so that no pipe can fill up.
private final class CaptureFile: Sendable {
  let descriptor: Int32

  init() throws {
    var template = Array("/tmp/photolib-capture-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&template)
    if descriptor < 0 { throw SystemFailure("mkstemp", errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = unsafe unlink(template)
  }

  deinit { close(descriptor) }

  func bytes() throws -> [UInt8] {
    var result: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe pread(descriptor, &block, block.count, off_t(result.count))
      if count < 0 { throw SystemFailure("pread", errno) }
      if count == 0 { return result }
      result += block.prefix(count)
    }
  }
}

/// Starts a program with these arguments, as bytes, in an environment with nothing else in it.
func start(
  _ program: String, _ arguments: [[UInt8]], environment: [String: String], in folder: FilePath,
  input: FilePath = "/dev/null"
) throws -> RunningProcess {
  let output = try CaptureFile()
  let errors = try CaptureFile()
  var actions = unsafe posix_spawn_file_actions_t()
  var attributes = posix_spawnattr_t()
  unsafe posix_spawn_file_actions_init(&actions)
  unsafe posix_spawnattr_init(&attributes)
  defer {
    unsafe posix_spawn_file_actions_destroy(&actions)
    unsafe posix_spawnattr_destroy(&attributes)
  }
  // The runner of the tests may block signals; a shell does not.
  var none = sigset_t()
  unsafe sigemptyset(&none)
  unsafe posix_spawnattr_setsigmask(&attributes, &none)
  unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  unsafe posix_spawn_file_actions_addopen(&actions, 0, cString(input.bytes), O_RDONLY, 0)
  unsafe posix_spawn_file_actions_adddup2(&actions, output.descriptor, 1)
  unsafe posix_spawn_file_actions_adddup2(&actions, errors.descriptor, 2)

  // `env` changes the folder and then becomes the program, with the same process id.
  let words = [Array("env".utf8), Array("-C".utf8), folder.bytes, Array(program.utf8)] + arguments
  let variables = environment.map { Array("\($0.key)=\($0.value)".utf8) }
  var argv = unsafe words.map { unsafe strdup(cString($0)) } + [nil]
  var envp = unsafe variables.map { unsafe strdup(cString($0)) } + [nil]
  defer { unsafe (argv + envp).forEach { unsafe free($0) } }
  var pid: pid_t = 0
  let problem = unsafe posix_spawn(&pid, "/usr/bin/env", &actions, &attributes, &argv, &envp)
  if problem != 0 { throw SystemFailure("posix_spawn \(program)", problem) }
  return RunningProcess(pid: pid, output: output, errors: errors)
}

private func cString(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
