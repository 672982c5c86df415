import PhotoLibrary
import PhotoLibraryTesting
import PhotoStore
import Testing

@Suite("Changes")
struct ChangeTests {
  private func folded(_ changes: [ChangeSet]) -> ChangeSet {
    changes.reduce(into: ChangeSet()) { all, change in
      all.inserted.formUnion(change.inserted)
      all.changed.formUnion(change.changed)
      all.removed.formUnion(change.removed)
    }
  }

  @Test("An observer sees what is added, also through another handle", .timeLimit(.minutes(5)))
  func additions() async throws {
    let temporary = try TemporaryLibrary()
    let recorder = try ChangeRecorder(try temporary.reopened(mode: .readOnly).owner)
    let first = try await temporary.add(TestPicture(date: "2024-01-01 12:00:00Z"))
    let second = try await temporary.add(TestPicture(date: "2024-01-02 12:00:00Z"))
    let expected = ChangeSet(inserted: Set(first + second))
    #expect(folded(await recorder.wait { folded($0) == expected }) == expected)
  }

  @Test(
    "Row 51: A limited observer sees its selection change, and nothing else",
    .timeLimit(.minutes(5)))
  func selection() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<4).map { TestPicture(date: "2024-01-0\($0 + 1) 12:00:00Z") })
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let name = try #require(client.id)
    let recorder = try ChangeRecorder(client)

    _ = try temporary.library.select(.replace([ids[2]]), for: name)
    let expected = ChangeSet(inserted: [ids[2]], removed: [ids[0]])
    #expect(folded(await recorder.wait { folded($0) == expected }) == expected)

    // What happens outside the selection is no event.
    let before = recorder.changes.count
    try await temporary.add(TestPicture(date: "2024-02-01 12:00:00Z"))
    _ = try temporary.client(.limited, id: "org.example.other", selecting: [ids[1]])
    #expect(await recorder.waitUntilQuiet().count == before)
  }

  @Test(
    "Row 18: An observer hears when its client may know places, and when it may no longer",
    .timeLimit(.minutes(5)), arguments: [AccessDecision.limited, .full])
  func location(_ decision: AccessDecision) async throws {
    let temporary = try TemporaryLibrary()
    var pictures = (1...3).map { TestPicture(date: "2024-06-0\($0) 12:00:00Z") }
    pictures[0].location = Location(latitude: 1, longitude: 2)
    let ids = try await temporary.add(pictures)
    let client = try temporary.client(.limited, selecting: [ids[0], ids[2]])
    let name = try #require(client.id)
    try temporary.library.setAccess(of: name, decision)
    let seen = ChangeSet(changed: Set(try client.fetchAssets().ids))
    let other = try ChangeRecorder(
      try temporary.client(.limited, id: "org.example.other", selecting: [ids[0]]))
    let recorder = try ChangeRecorder(client)
    for isPermitted in [true, false] {
      let before = recorder.changes.count
      try temporary.library.setAccess(of: name, decision, location: isPermitted)
      let changes = await recorder.wait { $0.count > before }.dropFirst(before)
      #expect(folded(Array(changes)) == seen)
      #expect(try client.asset(ids[0]).isLocationRedacted == !isPermitted)
    }
    // Decided again, it is no event; to another client it never was.
    try temporary.library.setAccess(of: name, decision, location: false)
    #expect(await recorder.waitUntilQuiet().count == 2)
    #expect(other.changes.isEmpty)
  }

  @Test("Where a limited client stands in its history tells nothing of the rest of the library")
  func position() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<4).map { TestPicture(date: "2024-01-0\($0 + 1) 12:00:00Z") })
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let before = try client.service.historyPosition()
    try await temporary.add(TestPicture(date: "2024-02-01 12:00:00Z"))
    _ = try temporary.client(.limited, id: "org.example.other", selecting: ids)
    #expect(try client.service.historyPosition() == before)
    let after = try client.service.changes(since: before)
    #expect(after.changes.isEmpty && after.position == before)
    #expect(before.sequence == 0)
  }

  @Test(
    "Rows 18 and 53: A client that is denied sees everything go, and come back",
    .timeLimit(.minutes(5)))
  func levelSwitch() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<3).map { TestPicture(date: "2024-01-0\($0 + 1) 12:00:00Z") })
    let client = try temporary.client(.authorized)
    let name = try #require(client.id)
    let recorder = try ChangeRecorder(client)
    try temporary.library.setAccess(of: name, .deny)
    let gone = ChangeSet(removed: Set(ids))
    #expect(folded(await recorder.wait { folded($0) == gone }) == gone)
    let denied = recorder.changes.count
    _ = try temporary.library.select(.replace([ids[1]]), for: name)
    let later = await recorder.wait { $0.count > denied }.dropFirst(denied)
    #expect(folded(Array(later)) == ChangeSet(inserted: [ids[1]]))
  }

  @Test("Nobody asking, changes fold: what came and went is no event", .timeLimit(.minutes(5)))
  func folding() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<3).map { TestPicture(date: "2024-01-0\($0 + 1) 12:00:00Z") })
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let name = try #require(client.id)
    let sequence = try client.changes()
    _ = try temporary.library.select(.add([ids[1]]), for: name)
    _ = try temporary.library.select(.remove([ids[1]]), for: name)
    _ = try temporary.library.select(.add([ids[2]]), for: name)
    var iterator = sequence.makeAsyncIterator()
    #expect(await iterator.next() == ChangeSet(inserted: [ids[2]]))
  }

  @Test("Waiting for changes ends with its task", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let temporary = try TemporaryLibrary()
    let sequence = try temporary.library.owner.changes()
    let task = Task {
      var count = 0
      for await _ in sequence { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    #expect(await task.value == 0)
  }
}
