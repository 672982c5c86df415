import PhotoLibrary
import PhotoLibraryTesting
import Testing

@Suite("Requests", .timeLimit(.minutes(5)))
struct RequestTests {
  private let temporary: TemporaryLibrary
  private let name: ClientID
  private var library: Library { temporary.library }
  private var client: LibraryClient { library.client(name) }

  init() throws {
    temporary = try TemporaryLibrary()
    name = try #require(ClientID("org.example.app"))
  }

  /// Waits until so many requests wait for an answer.
  @discardableResult
  private func pending(_ count: Int) async throws -> [AccessRequest] {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      let requests = try library.pendingRequests()
      if requests.count == count { return requests }
      try await Task.sleep(for: .milliseconds(2))
    }
    Issue.record("never \(count) requests")
    return []
  }

  /// A library of six, of which a limited client sees the first two.
  private func limited() async throws -> [AssetID] {
    let ids = try await temporary.add(
      (1...6).map { TestPicture(date: "2024-06-0\($0) 12:00:00Z") })
    _ = try temporary.client(.limited, selecting: Array(ids[0...1]))
    return ids
  }

  private func askForMore() -> Task<[AssetID], any Error> {
    let client = client
    return Task { try await client.requestMoreAssets(purpose: "more, please") }
  }

  @Test("Row 34: Asked for more photos, the client is told just those that were added")
  func more() async throws {
    let ids = try await limited()
    let asking = askForMore()
    let request = try #require(try await pending(1).first)
    #expect(request.kind == .moreAssets)
    #expect(request.purpose == "more, please")
    // What it adds itself meanwhile is no answer.
    var picture = TestPicture(date: "2024-06-09 12:00:00Z")
    picture.number = 9
    let own = try await client.add([try temporary.write(picture.data, named: "own.jpg")])
    #expect(own.added == 1)
    try library.select(.add([ids[5], ids[0], ids[3]]), for: name)
    #expect(try await asking.value == [ids[3], ids[5]])
    #expect(try library.pendingRequests().isEmpty)

    // Replacing tells what is new too, from another handle.
    let again = askForMore()
    try await pending(1)
    try temporary.reopened().select(.replace([ids[0], ids[4]]), for: name)
    #expect(try await again.value == [ids[4]])
  }

  @Test("Row 35: The owner only takes some away: none are told")
  func less() async throws {
    let ids = try await limited()
    let asking = askForMore()
    try await pending(1)
    try library.select(.remove([ids[0]]), for: name)
    #expect(try await asking.value == [])
    #expect(try client.fetchAssets().ids == [ids[1]])
  }

  @Test("Row 36: The owner changes nothing, or refuses: none are told, and there is no event")
  func unchanged() async throws {
    let ids = try await limited()
    let recorder = try ChangeRecorder(client)
    let asking = askForMore()
    try await pending(1)
    try library.select(.add([ids[0]]), for: name)
    #expect(try await asking.value == [])
    let again = askForMore()
    let request = try #require(try await pending(1).first)
    let error = #expect(throws: LibraryError.self) { try library.answer(request.id, .full) }
    #expect(error?.code == .invalidArgument)
    try library.answer(request.id, .denied)
    #expect(try await again.value == [])
    #expect(await recorder.waitUntilQuiet() == [])
    #expect(try client.fetchAssets().ids == [ids[0], ids[1]])
  }

  @Test(
    "Row 37: Asking for more does nothing unless the client is limited",
    arguments: [AuthorizationStatus.notDetermined, .restricted, .denied, .authorized])
  func notLimited(_ status: AuthorizationStatus) async throws {
    let client = try temporary.client(status)
    #expect(try await client.requestMoreAssets(purpose: "more") == [])
    #expect(try library.pendingRequests().isEmpty)
    #expect(try library.access(of: name)?.requestedAt == nil)
  }

  @Test("A client that is no longer limited no longer waits for more", arguments: [false, true])
  func levelEnds(denied: Bool) async throws {
    _ = try await limited()
    let asking = askForMore()
    try await pending(1)
    try library.setAccess(of: name, denied ? .deny : .full)
    #expect(try await asking.value == [])
    #expect(try library.pendingRequests().isEmpty)
  }

  @Test("Cancelling withdraws the request, and the next who asks is put to the owner")
  func cancelled() async throws {
    let client = client
    let asking = Task { try await client.requestAuthorization(for: .readWrite, purpose: "first") }
    let request = try #require(try await pending(1).first)
    asking.cancel()
    let error = await #expect(throws: LibraryError.self) { try await asking.value }
    #expect(error?.code == .cancelled)
    #expect(try library.pendingRequests().isEmpty)
    let late = #expect(throws: LibraryError.self) { try library.answer(request.id, .full) }
    #expect(late?.code == .identifierNotFound)
    #expect(try client.authorizationStatus(for: .readWrite) == .notDetermined)
    async let status = client.requestAuthorization(for: .readWrite, purpose: "second")
    #expect(try await temporary.answerNextRequest(.full).purpose == "second")
    #expect(try await status == .authorized)
  }

  @Test("One of two that wait for the same request gives up: the other still gets the answer")
  func oneGivesUp() async throws {
    let (first, second) = (client, try temporary.reopened().client(name))
    let leaving = Task { try await first.requestAuthorization(for: .addOnly, purpose: "one") }
    let before = try #require(try await pending(1).first)
    let staying = Task { try await second.requestAuthorization(for: .addOnly, purpose: "two") }
    // Joining leaves no trace, so it gets a moment.
    try await Task.sleep(for: .milliseconds(100))
    leaving.cancel()
    await #expect(throws: LibraryError.self) { try await leaving.value }
    let deadline = ContinuousClock.now + .seconds(20)
    var after = try library.pendingRequests()
    while after.first?.id == nil || after.first?.id == before.id, .now < deadline {
      try await Task.sleep(for: .milliseconds(2))
      after = try library.pendingRequests()
    }
    try library.answer(try #require(after.first).id, .full)
    #expect(try await staying.value == .authorized)
  }

  @Test("What the owner decides otherwise answers what waits")
  func decidedOtherwise() async throws {
    let ids = try await temporary.add(TestPicture(date: "2024-06-01 12:00:00Z"))
    let decide: [(@Sendable () throws -> Void, AuthorizationStatus, AuthorizationStatus)] = [
      ({ [library, name] in try library.setAccess(of: name, .full) }, .authorized, .authorized),
      ({ [library, name] in try library.setAccess(of: name, .limited) }, .limited, .authorized),
      ({ [library, name] in try library.setAccess(of: name, .deny) }, .denied, .denied),
      ({ [library, name] in try library.setAccess(of: name, .restrict) }, .restricted, .restricted),
      (
        { [library, name] in try library.select(.replace(ids), for: name) }, .limited, .authorized
      ),
      (
        { [library, name] in try library.setAccess(of: name, .reset) }, .notDetermined,
        .notDetermined
      ),
    ]
    for (decision, reading, adding) in decide {
      try library.setAccess(of: name, .reset)
      let client = client
      let first = Task { try await client.requestAuthorization(for: .readWrite, purpose: "a") }
      let second = Task { try await client.requestAuthorization(for: .addOnly, purpose: "b") }
      try await pending(2)
      try decision()
      #expect(try await first.value == reading)
      #expect(try await second.value == adding)
      #expect(try library.pendingRequests().isEmpty)
    }
  }

  @Test("A level that was not decided goes on waiting, unless reading brings adding")
  func otherLevelWaits() async throws {
    let client = client
    let reading = Task { try await client.requestAuthorization(for: .readWrite, purpose: "a") }
    try await pending(1)
    let adding = Task { try await client.requestAuthorization(for: .addOnly, purpose: "b") }
    let requests = try await pending(2)
    #expect(requests.map(\.kind) == [.access(.readWrite), .access(.addOnly)])
    try library.answer(requests[1].id, .denied)
    #expect(try await adding.value == .denied)
    #expect(try library.pendingRequests().map(\.id) == [requests[0].id])
    try library.answer(requests[0].id, .full)
    #expect(try await reading.value == .authorized)
  }

  @Test("Adding cannot be limited, an answer counts once, and clients do not withdraw for others")
  func wrongAnswers() async throws {
    let client = client
    let asking = Task { try await client.requestAuthorization(for: .addOnly, purpose: "a") }
    let request = try #require(try await pending(1).first)
    for answer in [RequestAnswer.limited, .withdrawn] {
      let error = #expect(throws: LibraryError.self) { try library.answer(request.id, answer) }
      #expect(error?.code == .invalidArgument)
    }
    // Another client that knows the identifier.
    let other = try temporary.client(.authorized, id: "org.example.other")
    try other.service.withdraw(request.id)
    #expect(try other.service.answer(to: request.id) == .withdrawn)
    #expect(try client.service.answer(to: request.id) == nil)
    #expect(try library.pendingRequests().map(\.id) == [request.id])
    try library.answer(request.id, .full)
    #expect(try await asking.value == .authorized)
    #expect(try other.service.answer(to: request.id) == .withdrawn)
    let again = #expect(throws: LibraryError.self) { try library.answer(request.id, .denied) }
    #expect(again?.code == .identifierNotFound)
    #expect(try client.authorizationStatus(for: .addOnly) == .authorized)
  }

  @Test("A purpose has 1 to 500 bytes", arguments: [0, 1, 500, 501])
  func purpose(_ length: Int) async throws {
    let client = client
    let purpose = length == 0 ? "" : "\u{E9}" + String(repeating: "a", count: max(0, length - 2))
    let text = length == 1 ? "a" : purpose
    #expect(text.utf8.count == length)
    let asking = Task { try await client.requestAuthorization(for: .readWrite, purpose: text) }
    if (1...500).contains(length) {
      #expect(try await temporary.answerNextRequest(.denied).purpose == text)
      #expect(try await asking.value == .denied)
    } else {
      let error = await #expect(throws: LibraryError.self) { try await asking.value }
      #expect(error?.code == .invalidArgument)
      #expect(try library.clients().map(\.client) == [.localDefault])
    }
  }

  @Test("Many names cannot fill the library with requests")
  func limit() async throws {
    for number in 0..<64 {
      let id = try #require(ClientID("org.example.n\(number)"))
      #expect(
        try library.client(id).service.requestAccess(.readWrite, purpose: "please") != nil)
    }
    let error = await #expect(throws: LibraryError.self) {
      try await client.requestAuthorization(for: .readWrite, purpose: "one more")
    }
    #expect(error?.code == .busy)
    // Nobody is left behind by it.
    #expect(try library.access(of: name) == nil)
    // Who waits already still joins.
    let first = try #require(ClientID("org.example.n0"))
    #expect(
      try library.client(first).service.requestAccess(.readWrite, purpose: "again")
        == library.pendingRequests().first?.id)
  }

  @Test("What is said of a client does not depend on how many others there are")
  func accessOfOne() async throws {
    let ids = try await limited()
    let access = try #require(try library.access(of: name))
    #expect(try library.clients().contains(access))
    #expect((access.readWrite, access.visible) == (.limited, 2))
    try library.setAccess(of: name, .deny)
    #expect(try library.access(of: name)?.visible == 0)
    #expect(try library.selectionCount(of: name) == 2)
    try library.setAccess(of: name, .full)
    #expect(try library.access(of: name)?.visible == ids.count)
    #expect(try library.access(of: try #require(ClientID("a.b"))) == nil)
  }
}
