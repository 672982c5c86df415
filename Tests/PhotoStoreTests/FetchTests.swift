import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Fetching")
struct FetchTests {
  @Test(
    "Row 58: creation date orders by instant, then natural file name, then identifier; reversed exactly"
  )
  func totalOrder() throws {
    let library = try TestLibrary()
    let tenth = try library.add("a") { $0.fileName = FileName("IMG_10.jpg") }
    let ninth = try library.add("b") { $0.fileName = FileName("IMG_9.jpg") }
    let older = try library.add("c") { $0.creationDate = TestLibrary.date(2020, 1, 1) }
    // 13:00 at +02:00 is 11:00 UTC: before the noon UTC of the others, though its clock shows more.
    let abroad = try library.add("d") {
      $0.creationDate = TestLibrary.date(2024, 5, 17, hour: 13, offset: 120)
    }
    var twins = [try library.add("e"), try library.add("f")]
    for id in twins { try library.update(id, "name_key = x'7a7a', file_name = x'7a7a'") }
    twins.sort()
    let expected = [older, abroad, ninth, tenth] + twins
    for _ in 0..<3 { #expect(try library.ids() == expected) }
    #expect(
      try library.ids(FetchQuery(sort: [SortDescriptor(.creationDate, ascending: false)]))
        == expected.reversed())
    library.store.close()
    #expect(try library.ids(in: try library.reopen(.readOnly)) == expected)
  }

  @Test("every key orders as it says, and its descending order is the exact reverse")
  func keys() throws {
    let library = try TestLibrary()
    let a = try library.add("a") {
      $0.fileName = FileName("b2.jpg")
      $0.pixelSize = PixelSize(width: 10, height: 10)
    }
    let b = try library.add("b") {
      $0.fileName = FileName("B10.jpg")
      $0.pixelSize = PixelSize(width: 30, height: 30)
    }
    let c = try library.add("c") {
      $0.fileName = FileName("a.jpg")
      $0.pixelSize = PixelSize(width: 10, height: 10)
    }
    try library.update(a, "modified = 3")
    try library.update(b, "modified = 1")
    try library.update(c, "modified = 1")
    let orders: [SortKey: [AssetID]] = [
      .addedDate: [a, b, c], .filename: [c, a, b], .pixels: [c, a, b],
      .modificationDate: [c, b, a], .creationDate: [c, a, b],
    ]
    for (key, expected) in orders {
      #expect(try library.ids(FetchQuery(sort: [SortDescriptor(key)])) == expected, "\(key)")
      #expect(
        try library.ids(FetchQuery(sort: [SortDescriptor(key, ascending: false)]))
          == expected.reversed())
    }
  }

  @Test("Rows 67 and 68: filters: format, hidden, identifiers, limit and offset")
  func filters() throws {
    let library = try TestLibrary()
    var all: [AssetID] = []
    for day in 1...9 {
      all.append(
        try library.add("\(day)") {
          $0.creationDate = TestLibrary.date(2024, 1, day)
          $0.format = day == 3 ? .png : .jpeg
        })
    }
    #expect(try library.ids(FetchQuery(predicate: .format(.png))) == [all[2]])
    #expect(try library.ids(FetchQuery(limit: 2, offset: 3)) == [all[3], all[4]])
    #expect(try library.ids(FetchQuery(offset: 7)) == [all[7], all[8]])
    #expect(try library.ids(FetchQuery(limit: 0)) == [])
    #expect(try library.ids(FetchQuery(ids: [])) == [])
    #expect(
      try library.ids(FetchQuery(ids: [all[4], AssetID(), all[1], all[4]])) == [all[1], all[4]])
    try library.update(all[1], "hidden = 1")
    #expect(try library.ids().count == 8)
    #expect(try library.ids(FetchQuery(includesHidden: true)).count == 9)
    try library.update(all[0], "trashed = 1")
    #expect(try library.ids(FetchQuery(includesHidden: true)) == Array(all.dropFirst()))
    let counts = try library.store.read { (transaction) throws(StoreError) in
      [
        try transaction.count(FetchQuery(), .owner),
        try transaction.count(FetchQuery(limit: 3, offset: 6), .owner),
        try transaction.count(FetchQuery(ids: all), .everything(location: false)),
        try transaction.count(FetchQuery(), .nothing),
      ]
    }
    #expect(counts == [7, 1, 7, 0])
  }

  @Test("date bounds compare with the camera's wall clock or with the moment")
  func dateBounds() throws {
    let library = try TestLibrary()
    // 2024-01-02 00:30 at +14:00 is 2024-01-01 10:30 UTC; 2024-01-01 23:30 at -12:00 is 11:30 UTC
    // of the 2nd. By the wall the second comes first, by the moment the first.
    func wall(_ day: Int, _ hour: Int, _ minute: Int, _ offset: Int) throws -> CreationDate {
      CreationDate(
        wallClock: try #require(
          WallClock(year: 2024, month: 1, day: day, hour: hour, minute: minute)),
        offset: try #require(UTCOffset(minutes: offset)), isOffsetKnown: true, source: .gps)
    }
    let early = try wall(2, 0, 30, 14 * 60)
    let late = try wall(1, 23, 30, -12 * 60)
    let kiribati = try library.add("k") { $0.creationDate = early }
    let baker = try library.add("b") { $0.creationDate = late }
    let midnight = try #require(WallClock(year: 2024, month: 1, day: 2))
    #expect(
      try library.ids(FetchQuery(predicate: .created(.greaterOrEqual, .wallClock(midnight)))) == [
        kiribati
      ])
    #expect(
      try library.ids(FetchQuery(predicate: .created(.less, .wallClock(midnight)))) == [baker])
    let moment = midnight.instant(at: .utc)
    #expect(
      try library.ids(FetchQuery(predicate: .created(.greaterOrEqual, .instant(moment)))) == [baker]
    )
    #expect(try library.ids(FetchQuery(predicate: .created(.less, .instant(moment)))) == [kiribati])
    // The lower bound belongs to the range, the upper one does not.
    #expect(
      try library.ids(FetchQuery(predicate: .created(.greaterOrEqual, .instant(late.instant)))) == [
        baker
      ])
    #expect(
      try library.ids(FetchQuery(predicate: .created(.less, .instant(late.instant)))) == [kiribati])
  }

  @Test("Row 65: thousands of identifiers are one statement")
  func manyIdentifiers() throws {
    let library = try TestLibrary()
    let one = try library.add("one")
    let two = try library.add("two")
    let strangers = (0..<20_000).map { _ in AssetID() }
    #expect(try Set(library.ids(FetchQuery(ids: strangers + [two, one]))) == [one, two])
    let frame = try client("org.example.frame")
    try library.select(frame, [two])
    #expect(
      try library.ids(FetchQuery(ids: strangers + [two, one]), .selection(frame, location: false))
        == [two])
  }

  @Test("a record comes back as it was added")
  func record() throws {
    let library = try TestLibrary()
    let candidates = [
      DateCandidate(
        source: .exifDateTimeOriginal,
        wallClock: try #require(
          WallClock(
            year: 1969, month: 7, day: 20, hour: 20, minute: 17, second: 40, nanosecond: 5)),
        offset: UTCOffset(minutes: -270)),
      DateCandidate(
        source: .fileModification,
        wallClock: try #require(WallClock(year: 2099, month: 12, day: 31)),
        offset: nil),
    ]
    let place = try #require(Location(latitude: -33.5, longitude: 151.25, altitude: 12))
    let name = FileName(bytes: [0xff, 0x0a, 0x41])
    let id = try library.add("one") {
      $0.fileName = name
      $0.dateCandidates = candidates
      $0.location = place
      $0.camera = Camera(make: "A'); DROP TABLE assets; --", model: nil)
      $0.damage = "rows missing"
      $0.undecodable = "12 bits"
      $0.orientation = .left
      $0.rating = -1
      $0.isFavorite = true
    }
    let asset = try #require(try library.asset(id))
    #expect(asset.originalFilename == name)
    #expect(asset.dateCandidates == candidates)
    #expect(asset.location == place)
    #expect(asset.camera == Camera(make: "A'); DROP TABLE assets; --", model: nil))
    #expect(asset.damage == "rows missing")
    #expect(asset.undecodable == "12 bits")
    #expect(asset.orientation == .left)
    #expect(asset.pixelSize == PixelSize(width: 40, height: 30))
    #expect(asset.creationDate == TestLibrary.date(2024, 5, 17))
    #expect(asset.addedDate == library.clock.now)
    #expect(asset.original?.byteSize == 7)
    #expect(asset.original?.sha256 == (try library.sha("one")))
    #expect(!asset.isLocationRedacted && !asset.isHidden)
    #expect(asset.isFavorite && asset.rating == -1)
    let plain = try #require(try library.asset(library.add("two")))
    #expect(!plain.isFavorite && plain.rating == nil)
  }

  @Test("prefixes and hashes find what is visible")
  func lookUps() throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    let digits = id.bytes.hexadecimal
    let frame = try client("org.example.frame")
    try library.store.read { (transaction) throws(StoreError) in
      for length in [4, 5, 8, 31, 32] {
        let prefix = String(digits.prefix(length)).uppercased()
        #expect(try transaction.identifiers(prefix: prefix, limit: 2, .owner) == [id])
        #expect(
          try transaction.identifiers(
            prefix: prefix, limit: 2, .selection(frame, location: true)) == [])
      }
      for bad in ["", "xyz%", "g", digits + "0", "%", "*"] {
        #expect(try transaction.identifiers(prefix: bad, limit: 2, .owner) == [])
      }
      let sha = try ContentHash.of(TestLibrary.bytes("one"))
      #expect(try transaction.identifiers(sha256: sha, .owner) == [id])
      #expect(try transaction.identifiers(sha256: sha, .everything(location: false)) == [])
      #expect(try transaction.identifiers(sha256: sha, .nothing) == [])
    }
  }

  @Test("the statements walk the indexes that are there for them")
  func plans() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    func plan(_ query: FetchQuery, _ visibility: Visibility) throws -> String {
      try library.store.read { (transaction) throws(StoreError) in
        guard var sql = FetchSQL.identifiers(query, visibility) else { return "" }
        sql.text = "EXPLAIN QUERY PLAN " + sql.text
        return try transaction.connection.all(sql) { $0.text(3) }.joined(separator: "; ")
      }
    }
    let full = try plan(FetchQuery(), .owner)
    #expect(full.contains("USING COVERING INDEX assets_by_date"))
    #expect(!full.contains("TEMP B-TREE"))
    let limited = try plan(FetchQuery(), .selection(frame, location: false))
    #expect(limited.contains("SEARCH s USING COVERING INDEX selections_by_date (client=?)"))
    #expect(!limited.contains("TEMP B-TREE"))
    let one = try plan(FetchQuery(ids: [AssetID()]), .selection(frame, location: false))
    #expect(one.contains("SEARCH s USING PRIMARY KEY (client=? AND uuid=?)"))
    #expect(one.contains("SEARCH a USING INTEGER PRIMARY KEY"))
    #expect(!one.contains("SCAN a"))
  }

  @Test("packed identifiers give back what was put in")
  func packed() {
    let ids = (0..<100).map { _ in AssetID() }
    let packed = PackedIDs(ids)
    #expect(packed.count == 100)
    #expect(packed.ids == ids)
    #expect(PackedIDs([]).count == 0)
  }
}
