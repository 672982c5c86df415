import PhotoLibrary
import PhotoLibraryTesting
import Synchronization
import Testing

@Suite("Blocks of changes")
struct ChangeBlockTests {
  private func library() async throws -> (TemporaryLibrary, [AssetID]) {
    let temporary = try TemporaryLibrary()
    return (
      temporary,
      try await temporary.add((1...4).map { TestPicture(date: "2024-06-0\($0) 12:00:00Z") })
    )
  }

  @Test("Row 98: A block of changes happens as a whole, in one commit, or not at all")
  func whole() async throws {
    let (temporary, ids) = try await library()
    let owner = temporary.library.owner
    let start = try owner.currentChangeToken()
    let date = try #require(WallClock(year: 1999, month: 1, day: 2))
    try await owner.performChanges { block in
      block.setFavorite(true, of: [ids[0], ids[1]])
      block.setHidden(true, of: [ids[2]])
      try block.setCreationDate(date, offset: .utc, of: [ids[1]])
      block.delete([ids[3]])
    }
    #expect(try owner.fetchAssets().ids == [ids[1], ids[0]])
    #expect(try owner.asset(ids[0]).isFavorite)
    let steps = try owner.changes(since: start).map(\.changes)
    #expect(steps.count == 1)
    #expect(steps.first?.changed == [ids[0], ids[1], ids[2]])
    #expect(steps.first?.removed == [ids[3]])

    let before = try owner.currentChangeToken()
    let error = await #expect(throws: LibraryError.self) {
      try await owner.performChanges { block in
        block.setFavorite(false, of: [ids[0]])
        block.setHidden(false, of: [AssetID()])
      }
    }
    #expect(error?.code == .identifierNotFound)
    #expect(try owner.asset(ids[0]).isFavorite)
    #expect(try owner.currentChangeToken() == before)
  }

  @Test("A block that throws changes nothing, and its error comes through")
  func thrown() async throws {
    let (temporary, ids) = try await library()
    let owner = temporary.library.owner
    let refusal = LibraryError(code: .invalidArgument, message: "of the block")
    let error = #expect(throws: LibraryError.self) {
      try owner.performChangesAndWait { block in
        block.delete(ids)
        throw refusal
      }
    }
    #expect(error == refusal)
    #expect(try owner.countAssets() == 4)
  }

  @Test("Row 100: A block inside a block is an error, and neither changes anything")
  func nested() async throws {
    let (temporary, ids) = try await library()
    let owner = temporary.library.owner
    let error = #expect(throws: LibraryError.self) {
      try owner.performChangesAndWait { block in
        block.delete([ids[0]])
        try owner.deleteAssets([ids[1]])
      }
    }
    #expect(error?.code == .nestedChanges)
    #expect(try owner.countAssets() == 4)
    // One after another is none inside another.
    try await owner.performChanges { $0.delete([ids[0]]) }
    try owner.deleteAssets([ids[1]])
    #expect(try owner.countAssets() == 2)
  }

  @Test(
    "Row 106: Favourite, hidden, date and place are changed, kept, and told to who sees the asset")
  func kept() async throws {
    let (temporary, ids) = try await library()
    let limited = try temporary.client(.limited, selecting: [ids[0]], location: true)
    let start = try limited.currentChangeToken()
    let place = try #require(Location(latitude: -33.857, longitude: 151.215))
    try limited.setFavorite(true, of: [ids[0]])
    try limited.setLocation(place, of: [ids[0]])
    try limited.setHidden(true, of: [ids[0]])
    let reopened = try temporary.reopened()
    let asset = try reopened.owner.asset(ids[0])
    #expect(asset.isFavorite && asset.isHidden)
    #expect(asset.location == place)
    #expect(
      try limited.changes(since: start).map(\.changes.changed)
        == Array(repeating: [ids[0]], count: 3))
    // Hidden, it is still there for who asks.
    #expect(try limited.fetchAssets().isEmpty)
    #expect(try limited.fetchAssets(FetchQuery(includesHidden: true)).ids == [ids[0]])
    // What is so already is no change.
    let end = try limited.currentChangeToken()
    try limited.setFavorite(true, of: [ids[0]])
    #expect(try limited.currentChangeToken() == end)
    try limited.setLocation(nil, of: [ids[0]])
    #expect(try reopened.owner.asset(ids[0]).location == nil)
    #expect(try temporary.library.check(readData: true) { Issue.record("\($0)") } == 0)
  }

  @Test("A client that may not know places cannot change one")
  func places() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let error = #expect(throws: LibraryError.self) { try client.setLocation(nil, of: [ids[0]]) }
    #expect(error?.code == .notPermitted)
  }
}
