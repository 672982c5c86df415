import Synchronization

/// Work that is done once for all who want its result at the same time.
///
/// Who comes while equal work is under way waits for its result. The work has the highest priority of those
/// who wait, and is cancelled when none of them is left.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, LibraryError>
  typealias Priority = WorkQueue.Priority

  /// Somebody who waits.
  struct Waiter: Sendable {
    let priority: Priority
    /// Whether the value is to be kept for later.
    let keeps: Bool
    /// Called once, on any thread.
    let deliver: @Sendable (Outcome) -> Void
  }

  /// A waiter's place, to leave it.
  struct Membership: Sendable {
    fileprivate let key: Key
    fileprivate let flight: UInt64
    fileprivate let waiter: UInt64
  }

  /// One piece of work under way, and who waits for it.
  private struct Flight {
    let number: UInt64
    let flag: CancellationFlag
    let ticket: WorkQueue.Ticket
    var waiters: [UInt64: Waiter] = [:]
    /// How many waiters there are of each priority.
    var counts = [Int](repeating: 0, count: Priority.allCases.count)
    var keeps = false

    var priority: Priority? {
      counts.lastIndex { $0 > 0 }.flatMap { Priority(rawValue: $0) }
    }

    mutating func add(_ waiter: Waiter, as number: UInt64) {
      waiters[number] = waiter
      counts[waiter.priority.rawValue] += 1
      if waiter.keeps { keeps = true }
    }

    mutating func remove(_ number: UInt64) -> Waiter? {
      guard let waiter = waiters.removeValue(forKey: number) else { return nil }
      counts[waiter.priority.rawValue] -= 1
      return waiter
    }
  }

  private struct State {
    var flights: [Key: Flight] = [:]
    /// The waiters of all of them.
    var waiting = 0
    var lastNumber: UInt64 = 0

    mutating func nextNumber() -> UInt64 {
      lastNumber += 1
      return lastNumber
    }
  }

  private let queue: WorkQueue
  private let kept: @Sendable (Key) -> Value?
  private let keep: @Sendable (Key, Value) -> Void
  // Where both are held, this is locked before what the queue locks; the queue calls nothing here while it
  // holds its own.
  private let state = Mutex(State())

  /// `keep` takes a value that a waiter wants kept before the work counts as done, and `kept` gives it at
  /// once: so that nobody who comes between begins it again.
  init(
    queue: WorkQueue, kept: @escaping @Sendable (Key) -> Value?,
    keep: @escaping @Sendable (Key, Value) -> Void
  ) {
    self.queue = queue
    self.kept = kept
    self.keep = keep
  }

  /// How many wait for work under way.
  var waiting: Int { state.withLock { $0.waiting } }

  /// Waits for the work of this key, which begins if it is not under way.
  ///
  /// - Returns: the place, or nil where the value was kept meanwhile and has been delivered.
  func join(
    _ key: Key, _ waiter: Waiter, preparation: WorkQueue.Preparation?,
    work: @escaping @Sendable (CancellationFlag) -> Outcome
  ) -> Membership? {
    let (membership, value) = state.withLock { state -> (Membership?, Value?) in
      let number = state.nextNumber()
      if var flight = state.flights.removeValue(forKey: key) {
        flight.add(waiter, as: number)
        state.waiting += 1
        if let priority = flight.priority { queue.move(flight.ticket, to: priority) }
        state.flights[key] = flight
        return (Membership(key: key, flight: flight.number, waiter: number), nil)
      }
      if waiter.keeps, let value = kept(key) { return (nil, value) }
      let flag = CancellationFlag()
      // The job cannot end before the flight is entered: to end it needs the state.
      let ticket = queue.enqueue(
        waiter.priority,
        WorkQueue.Job(
          run: { self.end(key, number, work(flag)) },
          // Only the last waiter that leaves takes the job back, and then nobody is left to be told.
          abandon: {}, preparation: preparation))
      var flight = Flight(number: number, flag: flag, ticket: ticket)
      flight.add(waiter, as: number)
      state.waiting += 1
      state.flights[key] = flight
      return (Membership(key: key, flight: number, waiter: number), nil)
    }
    if let value { waiter.deliver(.success(value)) }
    return membership
  }

  /// Gives up a place: its waiter gets `cancelled` at once, unless it has been served.
  func leave(_ membership: Membership) {
    let (waiter, last) = state.withLock { state -> (Waiter?, Flight?) in
      guard state.flights[membership.key]?.number == membership.flight,
        var flight = state.flights.removeValue(forKey: membership.key)
      else { return (nil, nil) }
      let waiter = flight.remove(membership.waiter)
      if waiter != nil { state.waiting -= 1 }
      guard let priority = flight.priority else { return (waiter, flight) }
      queue.move(flight.ticket, to: priority)
      state.flights[membership.key] = flight
      return (waiter, nil)
    }
    if let last {
      last.flag.cancel()
      queue.cancel(last.ticket)
    }
    waiter?.deliver(.failure(.cancelled))
  }

  private func end(_ key: Key, _ number: UInt64, _ outcome: Outcome) {
    var isKept = false
    while true {
      let waiters = state.withLock { state -> [(key: UInt64, value: Waiter)]? in
        // Gone, if all have left; another one may be under way by now.
        guard let flight = state.flights[key], flight.number == number else { return [] }
        if flight.keeps, !isKept, case .success = outcome { return nil }
        state.flights[key] = nil
        state.waiting -= flight.waiters.count
        return flight.waiters.sorted { $0.key < $1.key }
      }
      guard let waiters else {
        if case .success(let value) = outcome { keep(key, value) }
        isKept = true
        continue
      }
      for waiter in waiters { waiter.value.deliver(outcome) }
      return
    }
  }
}
