import Glibc
import Synchronization

/// Standard output and standard error of one run: results, messages and the progress line.
///
/// Standard output carries results only and is buffered; messages and progress go to standard error.
/// Safe from any thread.
final class Terminal: Sendable {
  /// When to use colour.
  enum ColorChoice: String, CaseIterable, Sendable { case auto, always, never }

  /// What the options say about output.
  struct Style: Sendable {
    var json = false
    /// No hints, notes, warnings or progress; errors and results stay.
    var quiet = false
    var progress = true
    var color = ColorChoice.auto
  }

  private struct State {
    var pending: [UInt8] = []
    var progressIsShown = false
  }

  let style: Style
  let outputIsTerminal: Bool
  /// Whether a progress line may be drawn.
  let showsProgress: Bool
  private let colorsOutput: Bool
  private let colorsMessages: Bool
  private let state = Mutex(State())

  init(style: Style) {
    self.style = style
    outputIsTerminal = isatty(1) == 1
    let messagesAreTerminal = isatty(2) == 1
    let isDumb = environmentVariable("TERM") == Array("dumb".utf8)
    showsProgress = messagesAreTerminal && style.progress && !style.quiet && !isDumb
    let isColorful = !isDumb && environmentVariable("NO_COLOR") == nil
    switch style.color {
    case .auto:
      colorsOutput = outputIsTerminal && isColorful
      colorsMessages = messagesAreTerminal && isColorful
    case .always: (colorsOutput, colorsMessages) = (true, true)
    case .never: (colorsOutput, colorsMessages) = (false, false)
    }
  }

  // MARK: Results

  /// Writes results; on a terminal they appear at once.
  ///
  /// - Throws: `Failure.outputClosed` once the reader has gone; an I/O failure for a full disk.
  func write(_ text: String) throws(Failure) {
    let mustFlush = state.withLock { state in
      state.pending.append(contentsOf: text.utf8)
      return outputIsTerminal || state.pending.count >= 1 << 16
    }
    if mustFlush { try flush() }
  }

  /// Writes a line of results.
  func writeLine(_ text: String) throws(Failure) { try write(text + "\n") }

  /// Hands everything over to the reader; called once more at the end.
  func flush() throws(Failure) {
    let problem = state.withLock { state in
      if outputIsTerminal { Self.eraseProgress(&state) }
      let problem = writeAll(state.pending, to: 1)
      state.pending.removeAll(keepingCapacity: true)
      return problem
    }
    if problem == 0 { return }
    if problem == EPIPE { throw .outputClosed }
    throw Failure(.io, "standard output", systemMessage(problem))
  }

  /// A heading on the output.
  func heading(_ text: String) -> String { colorsOutput ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

  // MARK: Messages

  /// Says on standard error why something failed, on one line, and on a second what to run.
  func report(_ failure: Failure) {
    guard let what = failure.what else { return }
    reportFailed(what, failure.why)
    if let hint = failure.hint { self.hint(hint) }
  }

  /// Names one failed input on standard error.
  func reportFailed(_ what: String, _ why: String) { say("\(what): \(why)", color: "31") }

  /// A warning, left out by `--quiet`.
  func warn(_ what: String, _ why: String) {
    if !style.quiet { say("\(what): \(why)", color: "33") }
  }

  /// Says what was done beside the result, left out by `--quiet`.
  func note(_ text: String) {
    if !style.quiet { say(text, color: nil) }
  }

  /// Says what can be done next, left out by `--quiet`.
  func hint(_ text: String) {
    if !style.quiet { writeMessage("hint: \(text)\n") }
  }

  private func say(_ text: String, color: String?) {
    let name = "photolib:"
    let prefix = color.map { colorsMessages ? "\u{1B}[\($0)m\(name)\u{1B}[0m" : name } ?? name
    writeMessage("\(prefix) \(text)\n")
  }

  func writeMessage(_ text: String) {
    state.withLock { state in
      Self.eraseProgress(&state)
      // There is nobody to tell that standard error fails.
      _ = writeAll(Array(text.utf8), to: 2)
    }
  }

  // MARK: Progress

  /// Draws the progress line in place of the one before.
  func drawProgress(_ line: String) {
    guard showsProgress else { return }
    state.withLock { state in
      state.progressIsShown = true
      _ = writeAll(Array("\r\u{1B}[K\(line)".utf8), to: 2)
    }
  }

  /// Takes the progress line away.
  func eraseProgress() { state.withLock { Self.eraseProgress(&$0) } }

  private static func eraseProgress(_ state: inout State) {
    guard state.progressIsShown else { return }
    state.progressIsShown = false
    _ = writeAll(Array("\r\u{1B}[K".utf8), to: 2)
  }

  /// The columns of the terminal that a descriptor stands for; 80 where it does not say.
  static func columns(of descriptor: Int32) -> Int {
    var size = winsize()
    let answer = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
    return answer == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }
}
