import Dispatch
import ImageCodecs
import PhotoModel
import Synchronization
import Testing

@Suite("Decode budget", .timeLimit(.minutes(5)))
struct DecodeBudgetTests {
  private func budget(_ memory: Int) -> DecodeBudget {
    var limits = DecodeLimits()
    limits.memory = memory
    return DecodeBudget(limits: limits)
  }

  @Test("A decode that could never fit is refused at once, with both numbers")
  func refused() {
    let error = #expect(throws: CodecError.self) {
      try budget(1000).withReservation(of: 801) { () throws(CodecError) in }
    }
    #expect(error == .overLimit("needs 801 bytes of memory; a picture may use 800"))
  }

  @Test("Bytes are given back, also after an error")
  func givenBack() throws {
    let budget = budget(1000)
    try budget.withReservation(of: 800) { () throws(CodecError) in
      #expect(budget.bytesInUse == 800)
    }
    #expect(throws: CodecError.cancelled) {
      try budget.withReservation(of: 10) { () throws(CodecError) in throw .cancelled }
    }
    #expect(budget.bytesInUse == 0)
  }

  @Test("The sum never passes the limit, and everyone gets a turn")
  func bounded() {
    let budget = budget(1000)
    let peak = Mutex((now: 0, most: 0, done: 0))
    DispatchQueue.concurrentPerform(iterations: 200) { index in
      let need = [10, 150, 400, 800][index % 4]
      try? budget.withReservation(of: need) { () throws(CodecError) in
        peak.withLock {
          $0.now += need
          $0.most = max($0.most, $0.now)
        }
        peak.withLock {
          $0.now -= need
          $0.done += 1
        }
      }
    }
    #expect(peak.withLock { $0.most } <= 1000)
    #expect(peak.withLock { $0.done } == 200)
    #expect(budget.bytesInUse == 0)
  }

  /// Runs `body` on a thread of its own, since it may block.
  private func start(_ group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(group: group, execute: body)
  }

  private final class Order: Sendable {
    private let list = Mutex<[String]>([])
    var names: [String] { list.withLock { $0 } }
    func add(_ name: String) { list.withLock { $0.append(name) } }
  }

  @Test("First come, first served: a small one does not overtake a big one")
  func fifo() throws {
    let budget = budget(1000)
    let order = Order()
    let group = DispatchGroup()
    try budget.withReservation(of: 500) { () throws(CodecError) in
      let bigAsks = DispatchSemaphore(value: 0)
      start(group) {
        // Being asked whether it is cancelled tells that it waits.
        try? budget.withReservation(
          of: 800,
          isCancelled: {
            bigAsks.signal(); return false
          }
        ) { () throws(CodecError) in order.add("big") }
      }
      bigAsks.wait()
      let smallAsks = DispatchSemaphore(value: 0)
      start(group) {
        try? budget.withReservation(
          of: 300,
          isCancelled: {
            smallAsks.signal(); return false
          }
        ) { () throws(CodecError) in order.add("small") }
      }
      smallAsks.wait()
      #expect(order.names.isEmpty)
    }
    group.wait()
    #expect(order.names == ["big", "small"])
    #expect(budget.bytesInUse == 0)
  }

  /// What the threads of a test tell each other.
  private final class Signals: Sendable {
    let isCancelled = Atomic(false)
    let outcome = Mutex<CodecError?>(nil)
    let asks = DispatchSemaphore(value: 0)
    let ran = DispatchSemaphore(value: 0)
  }

  @Test("Who is cancelled while waiting leaves the queue, and the next goes on")
  func cancelledWaiting() throws {
    let budget = budget(1000)
    let group = DispatchGroup()
    let signals = Signals()
    try budget.withReservation(of: 500) { () throws(CodecError) in
      start(group) {
        do throws(CodecError) {
          try budget.withReservation(
            of: 800,
            isCancelled: {
              signals.asks.signal()
              return signals.isCancelled.load(ordering: .relaxed)
            }
          ) { () throws(CodecError) in }
        } catch {
          signals.outcome.withLock { $0 = error }
        }
      }
      signals.asks.wait()
      start(group) {
        try? budget.withReservation(of: 300) { () throws(CodecError) in _ = signals.ran.signal() }
      }
      signals.isCancelled.store(true, ordering: .relaxed)
      signals.ran.wait()
    }
    group.wait()
    #expect(signals.outcome.withLock { $0 } == .cancelled)
    #expect(budget.bytesInUse == 0)
  }
}
