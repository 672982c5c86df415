import Dispatch
import Synchronization

/// Runs blocking work on Dispatch threads: a bounded number at a time, the most urgent first.
///
/// Work of one priority starts in the order in which it came. Nothing here runs on Swift's cooperative
/// threads, which must not block.
final class DecodeQueue: Sendable {
  enum Priority: Int, CaseIterable {
    case batch
    case interactive
  }

  /// One piece of work, which exactly one of `run` and `abandon` is called for, once.
  struct Job: Sendable {
    /// Does the work; called on a Dispatch thread.
    let run: @Sendable () -> Void
    /// Called in place of `run` when the job is cancelled before it starts.
    let abandon: @Sendable () -> Void
  }

  struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private struct State {
    /// The jobs that have not started; a cancelled one is gone from here and skipped in its line.
    var jobs: [Ticket: Job] = [:]
    var lines = Priority.allCases.map { _ in Line() }
    var running = 0
    var lastTicket: UInt64 = 0

    mutating func next() -> Job? {
      for index in lines.indices.reversed() {
        while let ticket = lines[index].popFirst() {
          if let job = jobs.removeValue(forKey: ticket) { return job }
        }
      }
      return nil
    }
  }

  /// Tickets of one priority, first come, first served.
  private struct Line {
    private var tickets: [Ticket] = []
    private var head = 0

    mutating func append(_ ticket: Ticket) { tickets.append(ticket) }

    mutating func popFirst() -> Ticket? {
      guard head < tickets.count else { return nil }
      defer {
        head += 1
        // Moved up now and then instead of at each job: the cost of that stays in proportion.
        if head > 1024 && head > tickets.count / 2 {
          tickets.removeFirst(head)
          head = 0
        }
      }
      return tickets[head]
    }
  }

  /// How many jobs run at a time.
  let width: Int
  private let state = Mutex(State())
  private let queue = DispatchQueue(
    label: "photolib.decode", qos: .userInitiated, attributes: .concurrent)

  init(width: Int) {
    precondition(width > 0, "a queue runs at least one job at a time")
    self.width = width
  }

  /// Adds a job behind those of its priority.
  @discardableResult
  func enqueue(_ priority: Priority, _ job: Job) -> Ticket {
    let (ticket, startsWorker) = state.withLock { state in
      state.lastTicket += 1
      let ticket = Ticket(number: state.lastTicket)
      state.jobs[ticket] = job
      state.lines[priority.rawValue].append(ticket)
      let startsWorker = state.running < width
      if startsWorker { state.running += 1 }
      return (ticket, startsWorker)
    }
    if startsWorker { queue.async { self.work() } }
    return ticket
  }

  /// Takes back a job that has not started; one that runs is left to its own cancellation flag.
  func cancel(_ ticket: Ticket) {
    let job = state.withLock { $0.jobs.removeValue(forKey: ticket) }
    job?.abandon()
  }

  private func work() {
    while true {
      let job = state.withLock { state -> Job? in
        let job = state.next()
        if job == nil { state.running -= 1 }
        return job
      }
      guard let job else { return }
      job.run()
    }
  }
}

extension DecodeQueue {
  /// Runs work on the queue and waits for it without blocking a thread; a cancelled task's work is
  /// taken back if it has not started, and sees its flag set if it has.
  func perform<R: Sendable>(
    _ priority: Priority,
    _ work: @escaping @Sendable (CancellationFlag) -> Result<R, LibraryError>
  ) async -> Result<R, LibraryError> {
    let flag = CancellationFlag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ticket = enqueue(
          priority,
          Job(
            run: {
              continuation.resume(
                returning: flag.isCancelled ? .failure(.cancelled) : work(flag))
            },
            abandon: { continuation.resume(returning: .failure(.cancelled)) }))
        flag.onCancel { [weak self] in self?.cancel(ticket) }
      }
    } onCancel: {
      flag.cancel()
    }
  }
}

/// Tells running work that nobody waits for it any longer.
final class CancellationFlag: Sendable {
  private let cancelled = Atomic(false)
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  func cancel() {
    let handler = handler.withLock { handler in
      cancelled.store(true, ordering: .relaxed)
      defer { handler = nil }
      return handler
    }
    handler?()
  }

  /// Calls `action` once on cancellation, at once where that has happened already.
  func onCancel(_ action: @escaping @Sendable () -> Void) {
    let isLate = handler.withLock { handler in
      if isCancelled { return true }
      handler = action
      return false
    }
    if isLate { action() }
  }
}
