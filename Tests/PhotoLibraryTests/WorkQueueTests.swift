import Dispatch
import Synchronization
import Testing

@testable import PhotoLibrary

@Suite("The work queue")
struct WorkQueueTests {
  /// Counts jobs that run at the same time.
  private final class Running: Sendable {
    private let counts = Mutex((now: 0, most: 0))
    var now: Int { counts.withLock { $0.now } }
    var most: Int { counts.withLock { $0.most } }

    func begin() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func end() { counts.withLock { $0.now -= 1 } }
  }

  /// A queue of one whose only place is taken until `open` is called.
  private func blockedQueue() -> (WorkQueue, open: @Sendable () -> Void) {
    let queue = WorkQueue(width: 1)
    let gate = DispatchSemaphore(value: 0)
    queue.enqueue(.interactive, WorkQueue.Job(run: { gate.wait() }, abandon: {}))
    return (queue, { gate.signal() })
  }

  private func drained(_ queue: WorkQueue) async {
    _ = await queue.perform(.batch) { _ in Result<Int, LibraryError>.success(0) }
  }

  @Test("Interactive work overtakes a batch; each kind keeps its order", .timeLimit(.minutes(5)))
  func priorities() async {
    let (queue, open) = blockedQueue()
    let order = Mutex<[Int]>([])
    func add(_ number: Int, _ priority: WorkQueue.Priority) {
      queue.enqueue(
        priority,
        WorkQueue.Job(run: { order.withLock { $0.append(number) } }, abandon: {}))
    }
    add(1, .batch)
    add(2, .batch)
    add(3, .interactive)
    add(4, .batch)
    add(5, .interactive)
    open()
    await drained(queue)
    #expect(order.withLock { $0 } == [3, 5, 1, 2, 4])
  }

  @Test(
    "A job moved up stands behind the urgent ones; moved back it has its old place",
    .timeLimit(.minutes(5)))
  func moving() async {
    let (queue, open) = blockedQueue()
    let order = Mutex<[Int]>([])
    func add(_ number: Int, _ priority: WorkQueue.Priority) -> WorkQueue.Ticket {
      queue.enqueue(
        priority,
        WorkQueue.Job(run: { order.withLock { $0.append(number) } }, abandon: {}))
    }
    _ = add(1, .batch)
    let moved = add(2, .batch)
    let back = add(3, .batch)
    _ = add(4, .batch)
    _ = add(5, .interactive)
    queue.move(moved, to: .interactive)
    queue.move(back, to: .interactive)
    _ = add(6, .interactive)
    queue.move(back, to: .batch)
    open()
    await drained(queue)
    #expect(order.withLock { $0 } == [5, 2, 6, 1, 3, 4])
  }

  @Test(
    "What is next is prepared before its turn: a few jobs, of so many bytes, each once",
    .timeLimit(.minutes(5)))
  func preparing() async {
    let queue = WorkQueue(width: 1, prepares: 3, preparedBytes: 100)
    let gate = DispatchSemaphore(value: 0)
    let events = Mutex<[String]>([])
    @Sendable func note(_ event: String) { events.withLock { $0.append(event) } }
    func add(_ name: String, _ priority: WorkQueue.Priority, bytes: Int) -> WorkQueue.Ticket {
      queue.enqueue(
        priority,
        WorkQueue.Job(
          run: {
            note("run \(name)")
            gate.wait()
          }, abandon: { note("abandon \(name)") },
          preparation: WorkQueue.Preparation(bytes: bytes) { note("prepare \(name)") }))
    }
    func begun(_ name: String) async {
      while !events.withLock({ $0.contains("run \(name)") }) {
        try? await Task.sleep(for: .milliseconds(2))
      }
    }
    _ = add("a", .batch, bytes: 10)
    await begun("a")
    _ = add("b", .batch, bytes: 10)
    _ = add("c", .batch, bytes: 20)
    let d = add("d", .batch, bytes: 30)
    _ = add("e", .batch, bytes: 30)
    _ = add("f", .prefetch, bytes: 60)
    gate.signal()
    await begun("b")
    // It is next now, and no longer wanted: the place is free for another.
    queue.cancel(d)
    // Urgent, and so it runs before those that were prepared.
    _ = add("g", .interactive, bytes: 99)
    for name in ["g", "c", "e", "f"] {
      gate.signal()
      await begun(name)
    }
    gate.signal()
    await drained(queue)
    #expect(
      events.withLock { $0 } == [
        "run a", "prepare c", "prepare d", "prepare e", "run b", "abandon d",
        // 20 and 30 bytes are ahead; 60 more would be too many.
        "run g", "prepare f", "run c", "run e", "run f",
      ])
  }

  @Test("No more jobs run at a time than the width says", .timeLimit(.minutes(5)))
  func width() async {
    let queue = WorkQueue(width: 3)
    let running = Running()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2_000 {
        group.addTask {
          _ = await queue.perform(.batch) { _ in
            running.begin()
            defer { running.end() }
            return Result<Int, LibraryError>.success(1)
          }
        }
      }
    }
    #expect(running.now == 0)
    #expect((1...3).contains(running.most))
  }

  @Test("A cancelled job that waits never runs and ends at once", .timeLimit(.minutes(5)))
  func cancelWaiting() async {
    let (queue, open) = blockedQueue()
    let ran = Mutex(false)
    let task = Task {
      await queue.perform(.batch) { _ in
        ran.withLock { $0 = true }
        return Result<Int, LibraryError>.success(1)
      }
    }
    try? await Task.sleep(for: .milliseconds(20))
    task.cancel()
    // The only place is still taken, so this returns because the job was taken back.
    #expect(await task.value == .failure(.cancelled))
    open()
    await drained(queue)
    #expect(!ran.withLock { $0 })
  }

  @Test("A running job sees that it was cancelled", .timeLimit(.minutes(5)))
  func cancelRunning() async {
    let queue = WorkQueue(width: 1)
    let started = DispatchSemaphore(value: 0)
    let task = Task {
      await queue.perform(.batch) { flag -> Result<Int, LibraryError> in
        started.signal()
        while !flag.isCancelled {}
        return .failure(.cancelled)
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        started.wait()
        continuation.resume()
      }
    }
    task.cancel()
    #expect(await task.value == .failure(.cancelled))
  }

  @Test(
    "Row 128: Random adding and cancelling: every job ends exactly once", .timeLimit(.minutes(5)))
  func everyJobEnds() async {
    let queue = WorkQueue(width: 2)
    let ended = Mutex<[Int: Int]>([:])
    var tickets: [WorkQueue.Ticket] = []
    for number in 0..<5_000 {
      let end: @Sendable () -> Void = { ended.withLock { $0[number, default: 0] += 1 } }
      tickets.append(
        queue.enqueue(
          Bool.random() ? .batch : .interactive, WorkQueue.Job(run: end, abandon: end)))
      if number % 3 == 0, let ticket = tickets.randomElement() { queue.cancel(ticket) }
    }
    while ended.withLock({ $0.count }) < 5_000 { try? await Task.sleep(for: .milliseconds(2)) }
    #expect(ended.withLock { $0.values.allSatisfy { $0 == 1 } })
  }
}
