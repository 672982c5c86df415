import FoundationEssentials
import PhotoLibrary
import PhotoLibraryTesting
import Testing

@Suite("Trash")
struct TrashTests {
  private func library(_ count: Int = 4) async throws -> (TemporaryLibrary, [AssetID]) {
    let temporary = try TemporaryLibrary()
    return (
      temporary,
      try await temporary.add((1...count).map { TestPicture(date: "2024-06-0\($0) 12:00:00Z") })
    )
  }

  @Test(
    "Row 48: A selected asset that is removed is gone for the client, and back where it was when restored"
  )
  func removedAndRestored() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.limited, selecting: [ids[0], ids[2]])
    let start = try client.currentChangeToken()
    try temporary.library.owner.deleteAssets([ids[0]])
    #expect(try client.fetchAssets().ids == [ids[2]])
    #expect(try client.countAssets() == 1)
    #expect(try client.assets([ids[0]]) == [nil])
    let error = await #expect(throws: LibraryError.self) { try await client.thumbnail(for: ids[0]) }
    #expect(error?.code == .identifierNotFound)
    #expect(try temporary.library.trash().map(\.id) == [ids[0]])
    let afterRemoval = try client.currentChangeToken()
    #expect(try client.changes(since: start).map(\.changes.removed) == [[ids[0]]])

    try temporary.library.restore([ids[0]])
    #expect(try client.fetchAssets().ids == [ids[0], ids[2]])
    #expect(try temporary.library.trash().isEmpty)
    #expect(try client.changes(since: afterRemoval).map(\.changes.inserted) == [[ids[0]]])
    #expect(try temporary.library.check(readData: true) { Issue.record("\($0)") } == 0)
  }

  @Test("Row 49: Removal and restoring of an asset that is not selected are no event for a client")
  func elsewhere() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let start = try client.currentChangeToken()
    try temporary.library.owner.deleteAssets([ids[1], ids[3]])
    try temporary.library.restore([ids[1]])
    _ = try temporary.library.purge()
    #expect(try client.currentChangeToken() == start)
    #expect(try client.changes(since: start).map(\.changes).isEmpty)
  }

  @Test("A client removes what it added itself and nothing else, all or none")
  func ownAlone() async throws {
    let (temporary, ids) = try await library(2)
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let file = try temporary.write(TestPicture(date: "2024-06-09 12:00:00Z").data, named: "own.jpg")
    let own = try #require(try await client.add([file]).entries.first?.id)
    let error = #expect(throws: LibraryError.self) { try client.deleteAssets([own, ids[0]]) }
    #expect(error?.code == .notPermitted)
    // One that it does not see and one that never was: the same words.
    let errors = [ids[1], AssetID()].map { id in
      #expect(throws: LibraryError.self) { try client.deleteAssets([own, id]) }
    }
    #expect(errors[0] == errors[1])
    #expect(errors[0]?.code == .identifierNotFound)
    #expect(try client.fetchAssets().ids == [ids[0], own])
    try client.deleteAssets([own])
    #expect(try client.fetchAssets().ids == [ids[0]])
    #expect(try temporary.library.trash().map(\.id) == [own])
  }

  @Test("Restoring what does not lie in the trash restores nothing")
  func unknown() async throws {
    let (temporary, ids) = try await library(2)
    try temporary.library.owner.deleteAssets([ids[0], ids[0]])
    for id in [ids[1], AssetID()] {
      let error = #expect(throws: LibraryError.self) {
        try temporary.library.restore([ids[0], id])
      }
      #expect(error?.code == .identifierNotFound)
    }
    #expect(try temporary.library.trash().map(\.id) == [ids[0]])
  }

  @Test(
    "A purge removes originals and cached thumbnails for good, and keeps an original that is still in use"
  )
  func purge() async throws {
    let (temporary, ids) = try await library(3)
    let owner = temporary.library.owner
    // A second asset of the first one's bytes: a limited client is not told that they are there.
    let client = try temporary.client(.limited)
    let again = try temporary.write(TestPicture(date: "2024-06-01 12:00:00Z").data, named: "a.jpg")
    let twin = try #require(try await client.add([again]).entries.first?.id)
    for id in ids { _ = try await owner.thumbnail(for: id) }
    await owner.service.finishCaching()
    #expect(try originals(temporary).count == 3)
    let cached = temporary.library.thumbnailCacheStatistics().thumbnails
    #expect(cached == 3)

    try owner.deleteAssets([ids[0], ids[1]])
    let report = try temporary.library.purge()
    #expect(report.assets == 2)
    #expect(report.originals == 1)
    #expect(try originals(temporary).count == 2)
    #expect(temporary.library.thumbnailCacheStatistics().thumbnails == 2)
    #expect(try owner.fetchAssets().ids.sorted() == [ids[2], twin].sorted())
    #expect(try temporary.library.trash().isEmpty)
    #expect(try temporary.library.check(readData: true) { Issue.record("\($0)") } == 0)
    let error = #expect(throws: LibraryError.self) { try temporary.library.restore([ids[0]]) }
    #expect(error?.code == .identifierNotFound)
  }

  @Test("A purge by age leaves what was removed later")
  func age() async throws {
    let (temporary, ids) = try await library(2)
    let day: Int64 = 86_400_000_000_000
    temporary.setClock(to: Instant(nanoseconds: 20_000 * day))
    try temporary.library.owner.deleteAssets([ids[0]])
    temporary.setClock(to: Instant(nanoseconds: 20_020 * day))
    try temporary.library.owner.deleteAssets([ids[1]])
    temporary.setClock(to: Instant(nanoseconds: 20_031 * day))
    #expect(try temporary.library.purge(olderThan: .seconds(30 * 86_400)).assets == 1)
    #expect(try temporary.library.trash().map(\.id) == [ids[1]])
    #expect(try temporary.library.purge(olderThan: .seconds(Int64.max / 4)).assets == 0)
  }

  private func originals(_ temporary: TemporaryLibrary) throws -> [String] {
    let path = temporary.library.path.string + "/originals"
    return try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.contains(".") }
  }
}
