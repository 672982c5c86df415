import Dispatch
import Glibc
import Synchronization

/// Ends a run when SIGINT or SIGTERM comes: softly the first time, at once the second.
///
/// Use once, from the main thread, before any other thread is made.
final class Interruption: Sendable {
  /// How long a command may take to leave things in order.
  ///
  /// What it leaves undone after that is nothing worse than after a power cut: the next command that
  /// writes clears it away.
  private static let grace = DispatchTimeInterval.seconds(5)

  private let signal = Atomic<Int32>(0)
  private let action = Mutex<(@Sendable () -> Void)?>(nil)

  /// The status of a run that was interrupted; nil where none was.
  var status: ExitStatus? {
    switch signal.load(ordering: .acquiring) {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    default: nil
    }
  }

  init() {
    // Blocked in every thread, they reach the sources below and nothing else.
    var signals = sigset_t()
    _ = unsafe sigemptyset(&signals)
    _ = unsafe sigaddset(&signals, SIGINT)
    _ = unsafe sigaddset(&signals, SIGTERM)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Watches for signals as long as the result is kept; at the first one `stop` is called, on a queue
  /// of Dispatch.
  func watch(_ stop: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
    action.withLock { $0 = stop }
    return [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in receive(number) }
      source.resume()
      return source
    }
  }

  private func receive(_ number: Int32) {
    let (isFirst, _) = signal.compareExchange(
      expected: 0, desired: number, ordering: .acquiringAndReleasing)
    if !isFirst { end() }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.grace) { [self] in end() }
    action.withLock { $0 }?()
  }

  /// Ends the process with the status of the first signal.
  func end() {
    _exit(status?.rawValue ?? ExitStatus.interrupted.rawValue)
  }
}
