import Dispatch
import PhotoLibrary
import PhotoLibraryTesting
import Synchronization
import Testing

/// Keeps what it was told, and what it did meanwhile.
private final class Observer: PhotoLibraryChangeObserver {
  let changes = Mutex<[Change]>([])
  let wasOnMainQueue = Mutex(false)
  private let during: @Sendable (Observer) -> Void

  init(during: @escaping @Sendable (Observer) -> Void = { _ in }) { self.during = during }

  func photoLibraryDidChange(_ change: Change) {
    changes.withLock { $0.append(change) }
    during(self)
  }

  var sets: [ChangeSet] { changes.withLock { $0.map(\.changes) } }

  func wait(for count: Int) async -> [ChangeSet] {
    let end = ContinuousClock.now + .seconds(20)
    while sets.count < count, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(5))
    }
    return sets
  }
}

@Suite("Observers", .timeLimit(.minutes(5)))
struct ObserverTests {
  private func picture(_ number: Int) -> TestPicture {
    var picture = TestPicture()
    picture.number = number
    return picture
  }

  @Test("Row 83: An observer that is registered twice is called once a change")
  func twice() async throws {
    let temporary = try TemporaryLibrary()
    let observer = Observer()
    try temporary.library.owner.register(observer)
    try temporary.library.owner.register(observer)
    let last = Observer()
    try temporary.library.owner.register(last)
    let ids = try await temporary.add(picture(1))
    _ = await last.wait(for: 1)
    #expect(await observer.wait(for: 1) == [ChangeSet(inserted: Set(ids))])
    let more = try await temporary.add(picture(2))
    #expect(await last.wait(for: 2).last == ChangeSet(inserted: Set(more)))
    #expect(await observer.wait(for: 2).count == 2)
  }

  @Test("Row 84: No call is under way and none comes when unregister has returned")
  func unregistered() async throws {
    let temporary = try TemporaryLibrary()
    let began = DispatchSemaphore(value: 0)
    let ended = Mutex(false)
    let observer = Observer { _ in
      began.signal()
      // Long enough that a return without waiting would be seen.
      DispatchQueue.global().sync { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.2) }
      ended.withLock { $0 = true }
    }
    let owner = temporary.library.owner
    try owner.register(observer)
    try await temporary.add(picture(1))
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        began.wait()
        owner.unregister(observer)
        continuation.resume()
      }
    }
    #expect(ended.withLock { $0 })
    let other = Observer()
    try owner.register(other)
    try await temporary.add(picture(2))
    #expect(await other.wait(for: 1).count == 1)
    #expect(observer.sets.count == 1)
  }

  @Test("An observer may unregister within its own call")
  func withinCall() async throws {
    let temporary = try TemporaryLibrary()
    let owner = temporary.library.owner
    let observer = Observer { owner.unregister($0) }
    try owner.register(observer)
    try await temporary.add(picture(1))
    _ = await observer.wait(for: 1)
    let other = Observer()
    try owner.register(other)
    try await temporary.add(picture(2))
    #expect(await other.wait(for: 1).count == 1)
    #expect(observer.sets.count == 1)
  }

  @Test("Row 85: An observer is held weakly")
  func weakly() throws {
    let temporary = try TemporaryLibrary()
    weak var gone: Observer?
    do {
      let observer = Observer()
      gone = observer
      try temporary.library.owner.register(observer)
      withExtendedLifetime(observer) {}
    }
    #expect(gone == nil)
  }

  @Test("What an observer was registered with goes with the last client, and its watch too")
  func released() async throws {
    weak var hub: ObserverHub?
    let observer = Observer()
    do {
      let temporary = try TemporaryLibrary()
      try temporary.library.owner.register(observer)
      hub = temporary.library.owner.hub
    }
    // Its thread or queue may just hold it.
    for _ in 0..<100 where hub != nil { try await Task.sleep(for: .milliseconds(20)) }
    #expect(hub == nil)
    withExtendedLifetime(observer) {}
  }

  @Test("Row 86: Observers are called one at a time, and not on the main queue")
  func serial() async throws {
    let temporary = try TemporaryLibrary()
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let running = Atomic(0)
    let faults = Atomic(0)
    let during: @Sendable (Observer) -> Void = { _ in
      if running.add(1, ordering: .relaxed).newValue != 1 { faults.add(1, ordering: .relaxed) }
      if DispatchQueue.getSpecific(key: key) == true { faults.add(1, ordering: .relaxed) }
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.02)
      running.subtract(1, ordering: .relaxed)
    }
    let observers = (0..<4).map { _ in Observer(during: during) }
    for observer in observers { try temporary.library.owner.register(observer) }
    for number in 1...3 { try await temporary.add(picture(number)) }
    for observer in observers { #expect(await observer.wait(for: 3).count == 3) }
    #expect(faults.load(ordering: .relaxed) == 0)
  }

  @Test("Row 97: Commits through another handle come one by one and in order, since a token too")
  func otherHandle() async throws {
    let temporary = try TemporaryLibrary()
    let reader = try temporary.reopened(mode: .readOnly)
    let start = try reader.owner.currentChangeToken()
    var expected: [ChangeSet] = []
    for number in 1...3 {
      expected.append(ChangeSet(inserted: Set(try await temporary.add(picture(number)))))
    }
    let observer = Observer()
    try reader.owner.register(observer, since: start)
    for number in 4...20 {
      expected.append(ChangeSet(inserted: Set(try await temporary.add(picture(number)))))
    }
    #expect(await observer.wait(for: 20) == expected)
    let tokens = try observer.changes.withLock { $0 }.map { (change) in try change.token() }
    #expect(Set(tokens).count == 20)
    #expect(tokens.last == (try reader.owner.currentChangeToken()))
  }
}
