import PhotoLibrary
import PhotoLibraryTesting
import Testing

@Suite("Editing")
struct EditTests {
  private func clock(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0) throws -> WallClock {
    try #require(WallClock(year: year, month: month, day: day, hour: hour))
  }

  @Test("A corrected date moves the asset, for the owner and for who has it selected")
  func date() async throws {
    let temporary = try TemporaryLibrary(timeZone: "Europe/Berlin")
    let ids = try await temporary.add(
      TestPicture(date: "2024-06-01 12:00:00Z"), TestPicture(date: "2024-06-02 12:00:00Z"),
      TestPicture(date: "2024-06-03 12:00:00Z"))
    let client = try temporary.client(.limited, selecting: [ids[0], ids[2]])
    let before = try temporary.library.owner.asset(ids[2])

    try temporary.library.owner.setCreationDate(try clock(1998, 7, 12, 15), of: [ids[2]])
    let after = try temporary.library.owner.asset(ids[2])
    // Berlin's summer time.
    #expect(after.creationDate.rfc3339 == "1998-07-12T15:00:00.000+02:00")
    #expect(after.creationDate.source == .edited)
    #expect(!after.creationDate.isOffsetKnown)
    #expect(after.dateCandidates == before.dateCandidates)
    #expect(after.original == before.original)
    #expect(after.modificationDate > before.modificationDate)
    #expect(try temporary.library.owner.fetchAssets().ids == [ids[2], ids[0], ids[1]])
    #expect(try client.fetchAssets().ids == [ids[2], ids[0]])
    #expect(try temporary.library.check(readData: true) { Issue.record("\($0)") } == 0)

    let offset = try #require(UTCOffset(minutes: -420))
    try temporary.library.owner.setCreationDate(
      try clock(1998, 7, 12, 15), offset: offset, of: [ids[2]])
    #expect(
      try temporary.library.owner.asset(ids[2]).creationDate.rfc3339
        == "1998-07-12T15:00:00.000-07:00")
  }

  @Test("A date that was corrected goes back to what the file says, its offset too")
  func original() async throws {
    let temporary = try TemporaryLibrary(timeZone: "Europe/Berlin")
    let ids = try await temporary.add(
      TestPicture(date: "2024-06-01 12:00:00-07:00"), TestPicture(date: "2024-06-02 12:00:00"))
    let owner = temporary.library.owner
    let before = try owner.assets(ids, includingDateCandidates: true).compactMap(\.self)
    try owner.setCreationDate(try clock(1998, 7, 12), offset: .utc, of: ids)
    let client = try temporary.client(.limited, selecting: [ids[0]])

    let error = #expect(throws: LibraryError.self) {
      try client.restoreCreationDate(of: ids)
    }
    #expect(error?.code == .identifierNotFound)
    #expect(try owner.asset(ids[0]).creationDate.source == .edited)
    try client.restoreCreationDate(of: [ids[0]])
    #expect(try client.asset(ids[0]).creationDate == before[0].creationDate)
    try owner.restoreCreationDate(of: ids)
    let after = try owner.assets(ids, includingDateCandidates: true).compactMap(\.self)
    #expect(after.map(\.creationDate) == before.map(\.creationDate))
    #expect(after.map(\.creationDate.offset.minutes) == [-420, 120])
    #expect(after.map(\.creationDate.isOffsetKnown) == [true, false])
    #expect(after.map(\.dateCandidates) == before.map(\.dateCandidates))
    #expect(try owner.fetchAssets().ids == ids)
    #expect(try temporary.library.check(readData: true) { Issue.record("\($0)") } == 0)

    let denied = try temporary.client(.denied, id: "org.example.denied")
    let refusal = #expect(throws: LibraryError.self) {
      try denied.restoreCreationDate(of: [ids[0]])
    }
    #expect(refusal?.code == .accessDenied)
  }

  @Test("All of the assets are changed or none, and a client changes only what it sees")
  func permission() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      TestPicture(date: "2024-06-01 12:00:00Z"), TestPicture(date: "2024-06-02 12:00:00Z"))
    let client = try temporary.client(.limited, selecting: [ids[0]])
    var errors: [LibraryError?] = []
    for id in [ids[1], AssetID()] {
      errors.append(
        #expect(throws: LibraryError.self) {
          try client.setCreationDate(try clock(1998, 7, 12), of: [ids[0], id])
        })
    }
    #expect(errors.first == errors.last)
    #expect(errors.first??.code == .identifierNotFound)
    #expect(try client.asset(ids[0]).creationDate.source == .exifDateTimeOriginal)
    try client.setCreationDate(try clock(1998, 7, 12), of: [ids[0]])
    #expect(try client.asset(ids[0]).creationDate.source == .edited)

    let denied = try temporary.client(.denied, id: "org.example.denied")
    let error = #expect(throws: LibraryError.self) {
      try denied.setCreationDate(try clock(1998, 7, 12), of: [ids[0]])
    }
    #expect(error?.code == .accessDenied)
  }

  @Test("Row 50: Observers hear of a corrected date if they see the asset", .timeLimit(.minutes(5)))
  func observed() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      TestPicture(date: "2024-06-01 12:00:00Z"), TestPicture(date: "2024-06-02 12:00:00Z"))
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let recorder = try ChangeRecorder(client)
    try temporary.library.owner.setCreationDate(try clock(1998, 7, 12), of: ids)
    let changes = await recorder.waitUntilQuiet()
    #expect(changes == [ChangeSet(changed: [ids[0]])])
  }
}
