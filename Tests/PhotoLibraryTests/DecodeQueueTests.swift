import Dispatch
import Synchronization
import Testing

@testable import PhotoLibrary

@Suite("The decode queue")
struct DecodeQueueTests {
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
  private func blockedQueue() -> (DecodeQueue, open: @Sendable () -> Void) {
    let queue = DecodeQueue(width: 1)
    let gate = DispatchSemaphore(value: 0)
    queue.enqueue(.interactive, DecodeQueue.Job(run: { gate.wait() }, abandon: {}))
    return (queue, { gate.signal() })
  }

  private func drained(_ queue: DecodeQueue) async {
    _ = await queue.perform(.batch) { _ in Result<Int, LibraryError>.success(0) }
  }

  @Test("Interactive work overtakes a batch; each kind keeps its order", .timeLimit(.minutes(5)))
  func priorities() async {
    let (queue, open) = blockedQueue()
    let order = Mutex<[Int]>([])
    func add(_ number: Int, _ priority: DecodeQueue.Priority) {
      queue.enqueue(
        priority,
        DecodeQueue.Job(run: { order.withLock { $0.append(number) } }, abandon: {}))
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

  @Test("No more jobs run at a time than the width says", .timeLimit(.minutes(5)))
  func width() async {
    let queue = DecodeQueue(width: 3)
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
    let queue = DecodeQueue(width: 1)
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

  @Test("Random adding and cancelling: every job ends exactly once", .timeLimit(.minutes(5)))
  func everyJobEnds() async {
    let queue = DecodeQueue(width: 2)
    let ended = Mutex<[Int: Int]>([:])
    var tickets: [DecodeQueue.Ticket] = []
    for number in 0..<5_000 {
      let end: @Sendable () -> Void = { ended.withLock { $0[number, default: 0] += 1 } }
      tickets.append(
        queue.enqueue(
          Bool.random() ? .batch : .interactive, DecodeQueue.Job(run: end, abandon: end)))
      if number % 3 == 0, let ticket = tickets.randomElement() { queue.cancel(ticket) }
    }
    while ended.withLock({ $0.count }) < 5_000 { try? await Task.sleep(for: .milliseconds(2)) }
    #expect(ended.withLock { $0.values.allSatisfy { $0 == 1 } })
  }
}
