import Synchronization

/// Tells running work that nobody waits for it any longer.
final class CancellationFlag: Sendable {
  private let cancelled = Atomic(false)
  private let handlers = Mutex<[@Sendable () -> Void]>([])

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() {
    let handlers = handlers.withLock { handlers in
      cancelled.store(true, ordering: .relaxed)
      defer { handlers = [] }
      return handlers
    }
    for handler in handlers { handler() }
  }

  /// Calls `action` once on cancellation, at once where that has happened already.
  ///
  /// Each of several is called, in the order in which they came.
  func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isLate = handlers.withLock { handlers in
      if isCancelled { return true }
      handlers.append(action)
      return false
    }
    if isLate { action() }
  }
}
