import Dispatch
import PhotoModel
import Synchronization

/// Runs blocking work on Dispatch threads: a bounded number at a time, the most urgent first.
///
/// Work of one priority starts in the order in which it came. What is next is told beforehand, so that its
/// file can be on its way from the disk while others are decoded. Nothing here runs on Swift's
/// cooperative threads, which must not block.
final class WorkQueue: Sendable {
  typealias Priority = ThumbnailRequest.Priority

  /// One piece of work, which exactly one of `run` and `abandon` is called for, once.
  struct Job: Sendable {
    /// Does the work; called on a Dispatch thread.
    let run: @Sendable () -> Void
    /// Called in place of `run` when the job is cancelled before it starts.
    let abandon: @Sendable () -> Void
    /// What can be done for it before its turn; nil where there is nothing.
    var preparation: Preparation?
  }

  /// Brings a file on its way; called at most once, on a Dispatch thread, and without holding it up.
  struct Preparation: Sendable {
    /// Of the file.
    let bytes: Int
    let run: @Sendable () -> Void
  }

  struct Ticket: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// How many jobs run at a time.
  let width: Int
  // A serial queue each: those have threads of their own. A concurrent one would share the few threads
  // that also run Swift's tasks, and work that blocks would hold these up.
  private let lanes: [DispatchQueue]
  private let state: Mutex<State>

  /// `prepares` jobs that are next are prepared at a time, if their files have no more than
  /// `preparedBytes` together.
  init(width: Int, prepares: Int = 0, preparedBytes: Int = 0) {
    precondition(width > 0, "a queue runs at least one job at a time")
    self.width = width
    lanes = (0..<width).map {
      DispatchQueue(label: "photolib.work.\($0)", qos: .userInitiated)
    }
    state = Mutex(
      State(
        freeLanes: Array((0..<width).reversed()), prepares: prepares,
        preparedBytes: preparedBytes))
  }

  /// How many jobs have not started.
  var waiting: Int { state.withLock { $0.jobs.count } }

  /// Adds a job behind those of its priority.
  @discardableResult
  func enqueue(_ priority: Priority, _ job: Job) -> Ticket {
    let (ticket, lane) = state.withLock { state in
      (state.add(priority, job), state.freeLanes.popLast())
    }
    if let lane { lanes[lane].async { self.work(on: lane) } }
    return ticket
  }

  /// Gives a job that has not started another priority.
  ///
  /// It stands behind those that had it before; taken back to a lower one that it had, it is again
  /// where it was.
  func move(_ ticket: Ticket, to priority: Priority) {
    state.withLock { $0.move(ticket, to: priority) }
  }

  /// Takes back a job that has not started; one that runs is left to its own cancellation flag.
  func cancel(_ ticket: Ticket) {
    let job = state.withLock { $0.remove(ticket) }
    job?.abandon()
  }

  private func work(on lane: Int) {
    while true {
      let (job, preparations) = state.withLock { state -> (Job?, [Preparation]) in
        guard let job = state.next() else {
          state.freeLanes.append(lane)
          return (nil, [])
        }
        return (job, state.prepareNext())
      }
      guard let job else { return }
      for preparation in preparations { preparation.run() }
      job.run()
    }
  }
}

// MARK: - Who is next

extension WorkQueue {
  /// The priority, and when the job came to have it.
  private struct Urgency: Comparable {
    let priority: Priority
    let place: UInt64

    static func < (one: Urgency, other: Urgency) -> Bool {
      one.priority == other.priority
        ? one.place > other.place : one.priority < other.priority
    }
  }

  private struct Entry {
    let job: Job
    var priority: Priority
    /// When it came to have each priority, or one above; 0 for those that it never had.
    var places = [UInt64](repeating: 0, count: Priority.allCases.count)
    var isPrepared = false

    var urgency: Urgency { Urgency(priority: priority, place: places[priority.rawValue]) }

    mutating func reach(_ priority: Priority, at place: UInt64) {
      self.priority = priority
      for index in 0...priority.rawValue where places[index] == 0 { places[index] = place }
    }
  }

  private struct State {
    /// The jobs that have not started.
    var jobs: [Ticket: Entry] = [:]
    /// Every job that is not prepared, and some that have gone or moved since.
    private var line = UrgencyHeap()
    /// The jobs that are prepared: few.
    private var prepared: [Ticket] = []
    /// Serial queues on which nothing runs.
    var freeLanes: [Int]
    private var lastNumber: UInt64 = 0
    private let prepares: Int
    private let preparedBytes: Int

    init(freeLanes: [Int], prepares: Int, preparedBytes: Int) {
      self.freeLanes = freeLanes
      self.prepares = prepares
      self.preparedBytes = preparedBytes
    }

    mutating func add(_ priority: Priority, _ job: Job) -> Ticket {
      lastNumber += 1
      let ticket = Ticket(number: lastNumber)
      var entry = Entry(job: job, priority: priority)
      entry.reach(priority, at: lastNumber)
      jobs[ticket] = entry
      line.push(UrgencyHeap.Item(urgency: entry.urgency, ticket: ticket))
      return ticket
    }

    mutating func move(_ ticket: Ticket, to priority: Priority) {
      guard var entry = jobs[ticket], entry.priority != priority else { return }
      lastNumber += 1
      entry.reach(priority, at: lastNumber)
      jobs[ticket] = entry
      if !entry.isPrepared {
        line.push(UrgencyHeap.Item(urgency: entry.urgency, ticket: ticket))
        tidy()
      }
    }

    mutating func remove(_ ticket: Ticket) -> Job? {
      guard let entry = jobs.removeValue(forKey: ticket) else { return nil }
      if entry.isPrepared { prepared.removeAll { $0 == ticket } }
      tidy()
      return entry.job
    }

    mutating func next() -> Job? {
      let ready = prepared.max { urgency(of: $0) < urgency(of: $1) }
      guard let waiting = first() else { return ready.flatMap { remove($0) } }
      if let ready, urgency(of: waiting) < urgency(of: ready) { return remove(ready) }
      line.pop()
      return remove(waiting)
    }

    /// Which jobs are to be prepared now, because they are next.
    mutating func prepareNext() -> [Preparation] {
      var preparations: [Preparation] = []
      var bytes = prepared.reduce(0) { $0 + (jobs[$1]?.job.preparation?.bytes ?? 0) }
      while prepared.count < prepares, let ticket = first(),
        let preparation = jobs[ticket]?.job.preparation,
        preparation.bytes <= preparedBytes - bytes
      {
        line.pop()
        jobs[ticket]?.isPrepared = true
        prepared.append(ticket)
        bytes += preparation.bytes
        preparations.append(preparation)
      }
      return preparations
    }

    private func urgency(of ticket: Ticket) -> Urgency {
      jobs[ticket]?.urgency ?? Urgency(priority: .prefetch, place: .max)
    }

    /// The most urgent job that is not prepared.
    private mutating func first() -> Ticket? {
      while let item = line.first {
        if isCurrent(item) { return item.ticket }
        line.pop()
      }
      return nil
    }

    private func isCurrent(_ item: UrgencyHeap.Item) -> Bool {
      guard let entry = jobs[item.ticket] else { return false }
      return !entry.isPrepared && entry.urgency == item.urgency
    }

    /// Lets go of what has gone or moved, once it is the greater part: the cost stays in proportion.
    private mutating func tidy() {
      guard line.count > 64, line.count > 2 * jobs.count else { return }
      line = UrgencyHeap(line.items.filter(isCurrent))
    }
  }

  /// A binary heap, the most urgent on top.
  private struct UrgencyHeap {
    struct Item {
      let urgency: Urgency
      let ticket: Ticket
    }

    private(set) var items: [Item] = []

    init(_ items: [Item] = []) {
      for item in items { push(item) }
    }

    var count: Int { items.count }
    var first: Item? { items.first }

    mutating func push(_ item: Item) {
      items.append(item)
      var index = items.count - 1
      while index > 0 {
        let parent = (index - 1) / 2
        guard items[parent].urgency < items[index].urgency else { return }
        items.swapAt(parent, index)
        index = parent
      }
    }

    mutating func pop() {
      guard let last = items.popLast(), !items.isEmpty else { return }
      items[0] = last
      var index = 0
      while true {
        var greatest = index
        for child in [2 * index + 1, 2 * index + 2]
        where child < items.count && items[greatest].urgency < items[child].urgency {
          greatest = child
        }
        if greatest == index { return }
        items.swapAt(greatest, index)
        index = greatest
      }
    }
  }
}

// MARK: - Waiting for work

extension WorkQueue {
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
