import PhotoLibrary
import PhotoLibraryTesting
import Testing

@Suite("Fetching")
struct FetchTests {
  @Test("Row 57: Assets come by creation date, the moment and not the wall clock, oldest first")
  func creationDateOrder() async throws {
    let temporary = try TemporaryLibrary()
    // By the wall clock the second is the earliest, by the moment it is the last.
    let ids = try await temporary.add(
      TestPicture(date: "2024-06-01 12:00:00+02:00"),
      TestPicture(date: "2024-06-01 10:30:00-07:00"),
      TestPicture(date: "2024-06-01 11:00:00Z"),
      TestPicture(date: "2024-06-01 12:00:00.001+02:00"))
    let expected = [ids[0], ids[3], ids[2], ids[1]]
    #expect(try temporary.library.owner.fetchAssets().ids == expected)
    #expect(
      try temporary.library.owner.fetchAssets(
        FetchQuery(sort: [SortDescriptor(.creationDate, ascending: false)])
      ).ids
        == expected.reversed())
  }

  @Test(
    "Row 58: The same instant is ordered by the natural order of names, and descending is the reverse"
  )
  func ties() async throws {
    let temporary = try TemporaryLibrary()
    var byName: [String: AssetID] = [:]
    for (number, name) in ["b.jpg", "IMG_10.jpg", "IMG_9.jpg", "a.jpg"].enumerated() {
      var picture = TestPicture(date: "2024-06-01 12:00:00Z")
      picture.number = number
      byName[name] = try await temporary.add(picture.data, named: name)
    }
    let expected = ["a.jpg", "b.jpg", "IMG_9.jpg", "IMG_10.jpg"].compactMap { byName[$0] }
    #expect(try temporary.library.owner.fetchAssets().ids == expected)
    #expect(
      try temporary.library.owner.fetchAssets(
        FetchQuery(sort: [SortDescriptor(.creationDate, ascending: false)])
      ).ids
        == expected.reversed())
  }

  @Test("A picture without an offset is placed by the library's time zone, and moves with it")
  func timeZone() async throws {
    let temporary = try TemporaryLibrary(timeZone: "Europe/Berlin")
    let id = try await temporary.add(TestPicture(date: "2024-07-01 12:00:00"))[0]
    var date = try temporary.library.owner.asset(id).creationDate
    #expect(date.rfc3339 == "2024-07-01T12:00:00.000+02:00")
    #expect(!date.isOffsetKnown)
    try temporary.library.setTimeZone("America/Los_Angeles")
    date = try temporary.library.owner.asset(id).creationDate
    #expect(date.rfc3339 == "2024-07-01T12:00:00.000-07:00")
    #expect(throws: LibraryError.self) { try temporary.library.setTimeZone("Mars/Olympus") }
  }

  @Test("Row 54: A result keeps its count and identifiers whatever happens afterwards")
  func snapshot() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<5).map { TestPicture(date: "2024-06-01 12:00:0\($0)Z") })
    let client = try temporary.client(.limited, selecting: Array(ids[0..<4]))
    let result = try client.fetchAssets()
    #expect(result.count == 4)
    #expect(result[1]?.id == ids[1])

    _ = try temporary.library.select(
      .replace([ids[0], ids[4]]), for: try #require(client.id))
    #expect(result.count == 4)
    #expect(result.ids == Array(ids[0..<4]))
    // Records are read through what the client may see now.
    #expect(result.map(\.id) == [ids[0]])
    try await Task.sleep(for: .milliseconds(30))
    #expect(result[1] == nil)
    #expect(result[0]?.id == ids[0])
  }

  @Test("Rows 65 and 67: Filters by date, type and identifiers, limit and offset hold together")
  func filters() async throws {
    let temporary = try TemporaryLibrary()
    var pictures = (0..<6).map { TestPicture(date: "2024-06-0\($0 + 1) 12:00:00+02:00") }
    pictures[2].format = .png
    let ids = try await temporary.add(pictures)
    let owner = temporary.library.owner
    func fetch(_ query: FetchQuery) throws -> [AssetID] { try owner.fetchAssets(query).ids }

    #expect(try fetch(FetchQuery(predicate: .format(.png))) == [ids[2]])
    #expect(try fetch(FetchQuery(ids: [ids[4], AssetID(), ids[1]])) == [ids[1], ids[4]])
    #expect(try fetch(FetchQuery(ids: [])) == [])
    #expect(try fetch(FetchQuery(limit: 2, offset: 1)) == [ids[1], ids[2]])
    #expect(try fetch(FetchQuery(limit: 0)) == [])
    #expect(try fetch(FetchQuery(offset: 99)) == [])
    let from = try #require(WallClock(year: 2024, month: 6, day: 2, hour: 12))
    let before = try #require(WallClock(year: 2024, month: 6, day: 4, hour: 12))
    #expect(
      try fetch(
        FetchQuery(
          predicate: .and([
            .created(.greaterOrEqual, .wallClock(from)), .created(.less, .wallClock(before)),
          ]))) == [ids[1], ids[2]])
    // 12:00 at +02:00 is 10:00 UTC.
    #expect(
      try fetch(
        FetchQuery(
          predicate: .created(
            .greaterOrEqual,
            .instant(
              try #require(
                WallClock(year: 2024, month: 6, day: 6, hour: 10)
              ).instant(at: .utc))))) == [ids[5]])
    #expect(try owner.countAssets(FetchQuery(predicate: .format(.jpeg))) == 5)
  }

  @Test(
    "Every sort key orders, and its descending order is the exact reverse",
    arguments: SortKey.allCases)
  func sortKeys(_ key: SortKey) async throws {
    let temporary = try TemporaryLibrary()
    var pictures: [TestPicture] = []
    for number in 0..<8 {
      var picture = TestPicture(
        date: "2024-06-0\(8 - number) 12:00:00Z",
        size: PixelSize(width: 16 + number % 3, height: 16))
      picture.number = number
      pictures.append(picture)
    }
    let ids = try await temporary.add(pictures)
    let ascending = try temporary.library.owner.fetchAssets(
      FetchQuery(sort: [SortDescriptor(key)])
    ).ids
    let descending = try temporary.library.owner.fetchAssets(
      FetchQuery(sort: [SortDescriptor(key, ascending: false)])
    ).ids
    #expect(descending == ascending.reversed())
    switch key {
    case .creationDate: #expect(ascending == ids.reversed())
    case .addedDate, .filename, .modificationDate: #expect(ascending == ids)
    case .pixels:
      #expect(ascending == [0, 3, 6, 1, 4, 7, 2, 5].map { ids[$0] })
    case .width: #expect(ascending == [0, 3, 6, 1, 4, 7, 2, 5].map { ids[$0] })
    case .height, .favorite, .hidden: #expect(ascending == ids)
    case .localIdentifier: #expect(ascending == ids.sorted())
    }
  }

  @Test("An asset tells what is known of it")
  func record() async throws {
    let temporary = try TemporaryLibrary()
    var picture = TestPicture(
      date: "2024-05-17 14:03:22.123456+02:00", size: PixelSize(width: 40, height: 60))
    picture.orientation = .right
    picture.camera = Camera(make: "Lindhof", model: "Aria 35")
    picture.location = Location(latitude: 48.137, longitude: 11.575, altitude: 519)
    let id = try await temporary.add(picture.data, named: "Marienplatz.jpg")
    let asset = try temporary.library.owner.asset(id)
    #expect(asset.originalFilename == FileName("Marienplatz.jpg"))
    #expect(asset.format == .jpeg)
    #expect(asset.pixelSize == PixelSize(width: 40, height: 60))
    #expect(asset.orientation == .right)
    #expect(asset.creationDate.rfc3339 == "2024-05-17T14:03:22.123+02:00")
    #expect(asset.creationDate.wallClock.nanosecond == 123_456_000)
    #expect(asset.creationDate.source == .exifDateTimeOriginal)
    #expect(asset.camera == picture.camera)
    let location = try #require(asset.location)
    #expect(abs(location.latitude - 48.137) < 0.000_001)
    #expect(abs(location.longitude - 11.575) < 0.000_001)
    #expect(location.altitude == 519)
    #expect(asset.original?.byteSize == Int64(picture.data.count))
    #expect(asset.dateCandidates.first?.source == .exifDateTimeOriginal)
    #expect(asset.dateCandidates.last?.source == .fileModification)
  }

  @Test("A thousand records are read through, by index and in a loop")
  func manyRecords() async throws {
    let temporary = try TemporaryLibrary()
    let pictures = (0..<300).map { number in
      var picture = TestPicture(
        date: "2024-06-01 12:0\(number / 60):\(number % 60 < 10 ? "0" : "")\(number % 60)Z",
        size: PixelSize(width: 4, height: 4))
      picture.number = number
      return picture
    }
    for picture in pictures { _ = try temporary.write(picture.data, named: "x.jpg") }
    let report = try await temporary.library.add([temporary.folder])
    #expect(report.added == 300)
    let result = try temporary.library.owner.fetchAssets()
    #expect(result.count == 300)
    #expect(result.map(\.id) == result.ids)
    #expect((0..<300).compactMap { result[$0]?.id } == result.ids)
  }
}
