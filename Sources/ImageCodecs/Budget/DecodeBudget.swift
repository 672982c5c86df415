import Dispatch
import Synchronization

/// The one budget of decoding memory of a process.
///
/// Every decode states its need before it allocates anything; what does not fit waits. First come,
/// first served, so that a big picture is not starved by small ones. Safe from any thread.
package final class DecodeBudget: Sendable {
  package let limits: DecodeLimits
  private let state = Mutex(State())

  package init(limits: DecodeLimits = DecodeLimits()) {
    self.limits = limits
  }

  /// The bytes that are charged at the moment.
  package var bytesInUse: Int { state.withLock { $0.inUse } }

  /// Waits until `bytes` are free, runs `body`, and gives them back.
  ///
  /// Blocks the thread: call it on a Dispatch queue, or where the work blocks its caller anyway, and never
  /// inside another reservation. `isCancelled` is asked while waiting, every 20 ms.
  ///
  /// - Throws: ``CodecError/overLimit(_:)`` at once if one decode may never have that much;
  ///   ``CodecError/cancelled``; what `body` throws.
  package func withReservation<R>(
    of bytes: Int, isCancelled: () -> Bool = { false }, _ body: () throws(CodecError) -> R
  ) throws(CodecError) -> R {
    let need = max(0, bytes)
    guard need <= limits.memoryPerDecode else {
      throw .overLimit("needs \(need) bytes of memory; a picture may use \(limits.memoryPerDecode)")
    }
    if let turn = state.withLock({ $0.take(need, of: limits.memory) }) {
      while turn.semaphore.wait(timeout: .now() + .milliseconds(20)) == .timedOut {
        guard isCancelled() else { continue }
        let (wasWaiting, next) = state.withLock { $0.leave(turn, limit: limits.memory) }
        next.forEach { $0.semaphore.signal() }
        if !wasWaiting { release(need) }
        throw .cancelled
      }
    }
    defer { release(need) }
    return try body()
  }

  private func release(_ bytes: Int) {
    let next = state.withLock { $0.give(bytes, limit: limits.memory) }
    next.forEach { $0.semaphore.signal() }
  }

  /// A place in the queue.
  private final class Turn: Sendable {
    let bytes: Int
    let semaphore = DispatchSemaphore(value: 0)
    init(_ bytes: Int) { self.bytes = bytes }
  }

  private struct State {
    var inUse = 0
    var waiting: [Turn] = []

    /// Charges the bytes and returns nil, or returns the turn to wait for.
    mutating func take(_ bytes: Int, of limit: Int) -> Turn? {
      if waiting.isEmpty, bytes <= limit - inUse {
        inUse += bytes
        return nil
      }
      let turn = Turn(bytes)
      waiting.append(turn)
      return turn
    }

    /// Gives bytes back; the turns that may now go on have been charged.
    mutating func give(_ bytes: Int, limit: Int) -> [Turn] {
      inUse -= bytes
      return admit(limit)
    }

    /// Whether the turn still waited (else it has been charged meanwhile), and whom that lets go
    /// on.
    mutating func leave(_ turn: Turn, limit: Int) -> (Bool, [Turn]) {
      guard let index = waiting.firstIndex(where: { $0 === turn }) else { return (false, []) }
      waiting.remove(at: index)
      return (true, admit(limit))
    }

    private mutating func admit(_ limit: Int) -> [Turn] {
      var admitted: [Turn] = []
      while let first = waiting.first, first.bytes <= limit - inUse {
        inUse += first.bytes
        admitted.append(waiting.removeFirst())
      }
      return admitted
    }
  }
}
