import PhotoLibrary
import PhotoLibraryTesting
import PhotoStore
import Testing

@Suite("Services")
struct ServiceTests {
  @Test("A client answers by the service that it is given, one around another too")
  func wrapped() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      TestPicture(date: "2024-06-01 12:00:00Z"), TestPicture(date: "2024-06-02 12:00:00Z"))
    let honest = try temporary.client(.limited, selecting: [ids[0]])
    let leaking = LibraryClient(
      service: OwnersCount(wrapped: honest.service, owner: temporary.library.owner.service),
      hub: honest.hub)
    #expect(try honest.countAssets() == 1)
    #expect(try leaking.countAssets() == 2)
    // All else passes through, changes too.
    #expect(leaking.id == honest.id)
    #expect(try leaking.fetchAssets().ids == [ids[0]])
    #expect(try leaking.asset(ids[0]).id == ids[0])
    #expect(throws: LibraryError.self) { try leaking.asset(ids[1]) }
    let noon = try #require(WallClock(year: 1998, month: 7, day: 12, hour: 12))
    try leaking.setCreationDate(noon, of: [ids[0]])
    #expect(try honest.asset(ids[0]).creationDate.rfc3339 == "1998-07-12T12:00:00.000+00:00")
    try leaking.restoreCreationDate(of: [ids[0]])
    #expect(try honest.asset(ids[0]).creationDate.rfc3339 == "2024-06-01T12:00:00.000+00:00")
    var picture = TestPicture(date: "2024-06-09 12:00:00Z")
    picture.number = 5
    let report = try await leaking.add([try temporary.write(picture.data, named: "mine.jpg")])
    #expect(try honest.fetchAssets().ids == [ids[0]] + report.entries.compactMap(\.id))
  }
}

/// A service with a fault that is planted: it counts what its client does not see.
private struct OwnersCount: WrappingService {
  let wrapped: any LibraryService
  let owner: any LibraryService

  func count(_ query: FetchQuery) throws(LibraryError) -> Int { try owner.count(query) }
}
