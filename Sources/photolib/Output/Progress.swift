import Synchronization

/// A progress line with rate and time left, on standard error if that is a terminal.
///
/// Safe from any thread; draws at most ten times a second.
final class Progress: Sendable {
  private struct State {
    var done = 0
    var total = 0
    var lastDrawn: ContinuousClock.Instant?
  }

  private let terminal: Terminal
  private let verb: String
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let state = Mutex(State())

  /// Begins a line that starts with what is going on: `adding`.
  init(_ verb: String, total: Int = 0, on terminal: Terminal) {
    self.terminal = terminal
    self.verb = verb
    start = clock.now
    state.withLock { $0.total = total }
  }

  /// One more is done.
  func advance() { change { $0.done += 1 } }

  /// So many are to be done.
  func setTotal(_ total: Int) { change { $0.total = total } }

  /// Both at once.
  func set(done: Int, total: Int) {
    change {
      $0.done = done
      $0.total = total
    }
  }

  /// Takes the line away.
  func finish() { terminal.eraseProgress() }

  private func change(_ body: (inout State) -> Void) {
    guard terminal.showsProgress else { return }
    let now = clock.now
    let line: String? = state.withLock { state in
      body(&state)
      if let last = state.lastDrawn, now - last < .milliseconds(100) { return nil }
      state.lastDrawn = now
      return Self.line(
        verb: verb, done: state.done, total: state.total, elapsed: now - start,
        columns: Terminal.columns(of: 2))
    }
    if let line { terminal.drawProgress(line) }
  }

  /// The line: `adding [#####     ] 120/240  41.3/s  0:03 left`, one column short of the width.
  static func line(verb: String, done: Int, total: Int, elapsed: Duration, columns: Int) -> String {
    let total = max(done, total)
    let seconds =
      Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
    let rate = seconds > 0 ? Double(done) / seconds : 0
    var text = " \(done)/\(total)"
    if rate > 0 {
      text += "  \(oneDecimal(rate))/s"
      if done < total { text += "  \(clockTime(Double(total - done) / rate)) left" }
    }
    let width = min(30, columns - 1 - displayWidth(verb) - 3 - displayWidth(text))
    guard width >= 5, total > 0 else { return cut(verb + text, toColumns: columns - 1) }
    let (filled, _) = width.multipliedReportingOverflow(by: done)
    let marks = filled / total
    let bar =
      String(repeating: "#", count: max(0, min(width, marks)))
      + String(repeating: " ", count: max(0, width - marks))
    return "\(verb) [\(bar)]\(text)"
  }

  private static func oneDecimal(_ value: Double) -> String {
    let tenths = Int(min(value, 1e9) * 10)
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// Minutes and seconds, with hours where there are any.
  private static func clockTime(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(.up), 359_999))
    func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
    let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
    return hours > 0
      ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
  }
}
