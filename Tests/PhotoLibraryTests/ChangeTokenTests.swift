import PhotoLibrary
import PhotoLibraryTesting
import Testing

@Suite("Change tokens")
struct ChangeTokenTests {
  private func pictures(_ count: Int) -> [TestPicture] {
    (0..<count).map { number in
      var picture = TestPicture()
      picture.number = number + 1
      return picture
    }
  }

  @Test("Row 134: A token that was kept as text works after the library was opened anew")
  func kept() async throws {
    let temporary = try TemporaryLibrary()
    let text = try temporary.library.owner.currentChangeToken().description
    let ids = try await temporary.add(pictures(2))
    let reopened = try temporary.reopened(mode: .readOnly)
    let token = try #require(ChangeToken(text))
    let changes = try reopened.owner.changes(since: token)
    #expect(Set(changes.flatMap(\.changes.inserted)) == Set(ids))
    #expect(try reopened.owner.currentChangeToken() == changes.token)
  }

  @Test("Each commit is a change of its own, in order, with its token")
  func commits() async throws {
    let temporary = try TemporaryLibrary()
    let owner = temporary.library.owner
    let start = try owner.currentChangeToken()
    let first = try await temporary.add(pictures(1))
    let second = try await temporary.add(Array(pictures(2).suffix(1)))
    let date = try #require(WallClock(year: 2020, month: 1, day: 1))
    try owner.setCreationDate(date, of: first)
    let changes = Array(try owner.changes(since: start))
    let sets = changes.map(\.changes)
    #expect(sets.first == ChangeSet(inserted: Set(first)))
    #expect(sets.dropFirst().first == ChangeSet(inserted: Set(second)))
    #expect(sets.last == ChangeSet(changed: Set(first)))
    let middle = try #require(changes.first).token
    #expect(Array(try owner.changes(since: middle)) == Array(changes.dropFirst()))
  }

  @Test("Row 136: Since the token of now there is nothing")
  func now() async throws {
    let temporary = try TemporaryLibrary()
    try await temporary.add(pictures(1))
    let client = try temporary.client(.authorized)
    let token = try client.currentChangeToken()
    #expect(Array(try client.changes(since: token)).isEmpty)
    #expect(try client.changes(since: token).token == token)
  }

  @Test("Row 139: A limited client's token stands still while nothing happens in its view")
  func limited() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(pictures(3))
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let name = try #require(client.id)
    let token = try client.currentChangeToken()
    var other = TestPicture()
    other.number = 9
    try await temporary.add(other)
    #expect(try client.currentChangeToken() == token)
    _ = try temporary.library.select(.replace([ids[2]]), for: name)
    let change = try #require(Array(try client.changes(since: token)).first)
    #expect(change.changes == ChangeSet(inserted: [ids[2]], removed: [ids[0]]))
    #expect(try client.currentChangeToken() == change.token)
  }

  @Test("Row 140: Another client's token, a forged one and no token are refused as expired")
  func forged() async throws {
    let temporary = try TemporaryLibrary()
    let client = try temporary.client(.authorized)
    let other = try temporary.client(.authorized, id: "org.example.other")
    let token = try client.currentChangeToken()
    var tokens = [
      try other.currentChangeToken(), try temporary.library.owner.currentChangeToken(),
      ChangeToken(bytes: []), ChangeToken(bytes: [UInt8](repeating: 0, count: 1_000)),
    ]
    for index in token.bytes.indices {
      var bytes = token.bytes
      bytes[index] ^= 1
      tokens.append(ChangeToken(bytes: bytes))
    }
    for token in tokens {
      let error = #expect(throws: LibraryError.self) { _ = try client.changes(since: token) }
      #expect(error?.code == .tokenExpired && error?.code.phCode == 3105)
    }
    #expect(Array(try client.changes(since: token)).isEmpty)
    #expect(ChangeToken("0") == nil && ChangeToken("0g") == nil)
  }

  @Test("Row 137: After 90 days history is forgotten, and older tokens refused")
  func expired() async throws {
    let temporary = try TemporaryLibrary()
    temporary.setClock(to: Instant(nanoseconds: 1_700_000_000_000_000_000))
    let client = try temporary.client(.authorized)
    let old = try client.currentChangeToken()
    try await temporary.add(pictures(1))
    let latest = try client.currentChangeToken()
    let day: Int64 = 86_400_000_000_000
    temporary.setClock(to: Instant(nanoseconds: 1_700_000_000_000_000_000 + 91 * day))
    let owner = temporary.library.owner
    // A handle trims in its thousandth transaction; each of these is one.
    let name = try #require(client.id)
    for number in 0..<1_001 {
      try temporary.library.setAccess(of: name, .full, location: number.isMultiple(of: 2))
    }
    let error = #expect(throws: LibraryError.self) { _ = try client.changes(since: old) }
    #expect(error?.code == .tokenExpired)
    // Nothing that this one does not know is forgotten.
    #expect(throws: Never.self) { _ = try client.changes(since: latest) }
    #expect(
      try owner.currentChangeToken() == owner.changes(since: owner.currentChangeToken()).token)
  }
}
