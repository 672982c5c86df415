import PhotoLibrary
import PhotoLibraryTesting
import Synchronization
import Testing

@Suite("Authorization", .timeLimit(.minutes(5)))
struct AuthorizationTests {
  private let temporary: TemporaryLibrary
  private let name: ClientID
  private var library: Library { temporary.library }
  private var client: LibraryClient { library.client(name) }

  init() throws {
    temporary = try TemporaryLibrary()
    name = try #require(ClientID("org.example.app"))
  }

  private func statuses() throws -> [AuthorizationStatus] {
    [
      try client.authorizationStatus(for: .readWrite),
      try client.authorizationStatus(for: .addOnly),
      try client.authorizationStatus(),
    ]
  }

  /// Asks, and answers as the owner does.
  private func ask(
    _ level: AccessLevel, _ answer: RequestAnswer
  ) async throws -> AuthorizationStatus {
    let client = client
    async let status = client.requestAuthorization(for: level, purpose: "to test it")
    let request = try await temporary.answerNextRequest(answer)
    #expect(request.kind == .access(level))
    return try await status
  }

  @Test("Rows 1 and 2: Statuses and levels have PhotoKit's numbers")
  func numbers() {
    let statuses: [AuthorizationStatus] = [
      .notDetermined, .restricted, .denied, .authorized, .limited,
    ]
    #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect([AccessLevel.addOnly, .readWrite].map(\.rawValue) == [1, 2])
  }

  @Test("Row 3: Nobody decided: not determined, for both levels")
  func undetermined() throws {
    #expect(try statuses() == [.notDetermined, .notDetermined, .notDetermined])
    #expect(try library.clients().map(\.client) == [.localDefault])
  }

  @Test("Row 4: The owner is asked once, and the answer is handed back and kept")
  func asked() async throws {
    let client = client
    async let status = client.requestAuthorization(for: .readWrite, purpose: "a frame\u{1B}[2J")
    let request = try await temporary.answerNextRequest(.limited)
    #expect(try await status == .limited)
    #expect(request.client == name)
    #expect(request.kind == .access(.readWrite))
    #expect(request.purpose == "a frame\u{1B}[2J")
    #expect((request.answer, request.answeredAt) == (nil, nil))
    #expect(try library.pendingRequests().isEmpty)
    #expect(try temporary.reopened().client(name).authorizationStatus(for: .readWrite) == .limited)
    let access = try #require(try library.access(of: name))
    #expect(access.requestedAt == request.askedAt)
    #expect(try #require(access.answeredAt) > request.askedAt)
  }

  @Test(
    "Row 5: After a decision it is the answer, and nobody is asked, also where nothing can be written",
    arguments: [RequestAnswer.full, .limited, .denied])
  func decided(_ answer: RequestAnswer) async throws {
    let first = try await ask(.readWrite, answer)
    let requestedAt = try library.access(of: name)?.requestedAt
    let again = try await client.requestAuthorization(for: .readWrite, purpose: "again")
    let elsewhere = try await temporary.reopened(mode: .readOnly).client(name)
      .requestAuthorization(for: .readWrite, purpose: "again")
    #expect([again, elsewhere] == [first, first])
    #expect(try library.pendingRequests().isEmpty)
    #expect(try library.access(of: name)?.requestedAt == requestedAt)
  }

  @Test("Row 6: Of many that ask at a time, through several handles, each gets the one answer once")
  func together() async throws {
    let handles = [library, try temporary.reopened(), try temporary.reopened()]
    let name = name
    let requests = (0..<12).map { number in
      Task {
        try await handles[number % 3].client(name)
          .requestAuthorization(for: .readWrite, purpose: "number \(number)")
      }
    }
    let calls = Mutex<[Result<AuthorizationStatus, LibraryError>]>([])
    for handle in handles {
      handle.client(name).requestAuthorization(for: .readWrite, purpose: "callback") { result in
        calls.withLock { $0.append(result) }
      }
    }
    let request = try await temporary.answerNextRequest(.full)
    for request in requests { #expect(try await request.value == .authorized) }
    let deadline = ContinuousClock.now + .seconds(20)
    while calls.withLock({ $0.count }) < 3, .now < deadline {
      try await Task.sleep(for: .milliseconds(5))
    }
    try await Task.sleep(for: .milliseconds(50))
    #expect(
      calls.withLock { $0 } == [
        .success(.authorized), .success(.authorized), .success(.authorized),
      ])
    #expect(try library.pendingRequests().isEmpty)
    // Nobody asked a second time.
    #expect(try library.access(of: name)?.requestedAt == request.askedAt)
  }

  @Test("Rows 7 and 8: Without a level, limited reads as authorized, and nothing else is changed")
  func withoutLevel() async throws {
    let client = client
    async let status = client.requestAuthorization(purpose: "to test it")
    #expect(try await temporary.answerNextRequest(.limited).kind == .access(.readWrite))
    #expect(try await status == .authorized)
    #expect(try statuses() == [.limited, .authorized, .authorized])
    for (decision, expected) in [
      (AccessDecision.full, AuthorizationStatus.authorized), (.deny, .denied),
      (.restrict, .restricted), (.reset, .notDetermined),
    ] {
      try library.setAccess(of: name, decision)
      #expect(try client.authorizationStatus() == expected)
    }
  }

  @Test("Row 10: Adding is granted: reading stays undecided, and so is the status without a level")
  func addingGranted() async throws {
    #expect(try await ask(.addOnly, .full) == .authorized)
    #expect(try statuses() == [.notDetermined, .authorized, .notDetermined])
  }

  @Test("Row 11: Adding is refused: reading stays undecided, and can be asked for")
  func addingRefused() async throws {
    #expect(try await ask(.addOnly, .denied) == .denied)
    #expect(try statuses() == [.notDetermined, .denied, .notDetermined])
    #expect(try await ask(.readWrite, .limited) == .limited)
  }

  @Test("Row 12: Who may read may add, whatever was decided about adding alone")
  func readingBringsAdding() async throws {
    #expect(try await ask(.addOnly, .denied) == .denied)
    #expect(try await ask(.readWrite, .full) == .authorized)
    #expect(try statuses() == [.authorized, .authorized, .authorized])
    let path = try temporary.write(TestPicture(date: "2024-06-01 12:00:00Z").data, named: "a.jpg")
    #expect(try await client.add([path]).added == 1)
  }

  @Test("Row 13: Reading is refused: adding stays undecided, and can be asked for")
  func readingRefused() async throws {
    #expect(try await ask(.readWrite, .denied) == .denied)
    #expect(try statuses() == [.denied, .notDetermined, .denied])
    #expect(try await ask(.addOnly, .full) == .authorized)
    #expect(try statuses() == [.denied, .authorized, .denied])
  }

  @Test("Row 14: A restricted client's request asks nobody", arguments: AccessLevel.allCases)
  func restricted(_ level: AccessLevel) async throws {
    try library.setAccess(of: name, .restrict)
    #expect(try await client.requestAuthorization(for: level, purpose: "please") == .restricted)
    #expect(try library.pendingRequests().isEmpty)
    #expect(try library.access(of: name)?.requestedAt == nil)
  }

  @Test("The owner is authorized, and asks nobody")
  func owner() async throws {
    for level in AccessLevel.allCases {
      #expect(
        try await library.owner.requestAuthorization(for: level, purpose: "mine") == .authorized)
    }
    #expect(try await library.owner.requestMoreAssets(purpose: "mine") == [])
    #expect(try library.pendingRequests().isEmpty)
  }

  @Test(
    "Row 17: A denied client's change fails with denied, a restricted one's with restricted",
    arguments: [
      (AuthorizationStatus.denied, LibraryError.Code.accessDenied, 3311),
      (.restricted, .accessRestricted, 3310), (.notDetermined, .notPermitted, 3311),
    ])
  func changes(_ status: AuthorizationStatus, _ code: LibraryError.Code, _ number: Int) async throws
  {
    let picture = TestPicture(date: "2024-06-01 12:00:00Z")
    let known = try await temporary.add(picture)[0]
    let client = try temporary.client(status)
    var errors: [LibraryError?] = []
    for id in [known, AssetID()] {
      errors.append(
        #expect(throws: LibraryError.self) {
          try client.setCreationDate(
            try #require(WallClock(year: 1998, month: 7, day: 12)), of: [id])
        })
      errors.append(
        #expect(throws: LibraryError.self) { try client.restoreCreationDate(of: [id]) })
      // What is read keeps one answer.
      let reading = #expect(throws: LibraryError.self) { try client.asset(id) }
      #expect(reading?.code == .notPermitted)
    }
    #expect(Set(errors.compactMap(\.self)).count == 1)
    let path = try temporary.write(picture.data, named: "a.jpg")
    errors.append(await #expect(throws: LibraryError.self) { try await client.add([path]) })
    #expect(errors.map { $0?.code } == Array(repeating: code, count: 5))
    #expect(code.phCode == number)
    #expect(try library.owner.countAssets() == 1)
  }

  @Test("Only who is refused is told where that can be changed, and by a command that does it")
  func guidance() async throws {
    #expect(try client.guidance(for: .readWrite) == nil)
    #expect(try library.owner.guidance(for: .readWrite) == nil)
    try library.setAccess(of: name, .limited)
    #expect(try client.guidance(for: .readWrite) == nil)
    #expect(try client.guidance(for: .addOnly) == nil)
    try library.setAccess(of: name, .deny)
    let reading = try #require(try client.guidance(for: .readWrite))
    #expect(reading.contains("photolib access grant --full --client org.example.app"))
    let adding = try #require(try client.guidance(for: .addOnly))
    #expect(adding.contains("photolib access grant --add-only --client org.example.app"))
    try library.setAccess(of: name, .restrict)
    let restricted = try #require(try client.guidance(for: .readWrite))
    #expect(restricted.contains("restricted"))
    #expect(restricted.contains("photolib access reset --client org.example.app"))
  }
}
