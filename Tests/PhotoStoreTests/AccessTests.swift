import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Clients and selections")
struct AccessTests {
  @Test("a client is made by the first decision; nil leaves a value as it is")
  func setAccess() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    func set(
      _ readWrite: AuthorizationStatus?, _ addOnly: AuthorizationStatus?, _ location: Bool?
    ) throws -> ClientRecord {
      try #require(
        try library.store.write { (transaction) throws(StoreError) in
          try transaction.setAccess(
            frame, readWrite: readWrite, addOnly: addOnly, location: location)
          return try transaction.reading.client(frame)
        })
    }
    let first = try set(nil, nil, true)
    #expect(first.readWrite == .notDetermined && first.addOnly == .notDetermined)
    #expect(first.location && first.answeredAt == nil)
    let second = try set(.limited, nil, nil)
    #expect(second.readWrite == .limited && second.addOnly == .notDetermined && second.location)
    #expect(second.answeredAt == library.clock.now)
    let third = try set(nil, .authorized, false)
    #expect(third.readWrite == .limited && third.addOnly == .authorized && !third.location)
    #expect(try set(.notDetermined, .notDetermined, nil).answeredAt == nil)
  }

  @Test("the list tells how many assets each client sees now")
  func list() throws {
    let library = try TestLibrary()
    let ids = [try library.add("a"), try library.add("b"), try library.add("c")]
    let frame = try client("org.example.frame")
    try library.select(frame, [ids[0], ids[1]])
    try library.update(ids[0], "trashed = 1")
    let denied = try client("a.b")
    let clients = try library.store.write { (transaction) throws(StoreError) in
      try transaction.setAccess(denied, readWrite: .denied, addOnly: nil, location: nil)
      return try transaction.reading.clients()
    }
    #expect(clients.map(\.client.id.rawValue) == ["a.b", "local.default", "org.example.frame"])
    #expect(clients.map(\.visible) == [0, 2, 1])
  }

  @Test("replacing, adding and removing count what really came and went")
  func selection() throws {
    let library = try TestLibrary()
    let ids = try (0..<4).map { day in
      try library.add("\(day)") { $0.creationDate = TestLibrary.date(2024, 1, 9 - day) }
    }
    let frame = try client("org.example.frame")
    let store = library.store
    try store.write { (transaction) throws(StoreError) in
      var counts = try transaction.replaceSelection(of: frame, with: [ids[0], ids[1], ids[0]])
      #expect(counts == (2, 0))
      counts = try transaction.replaceSelection(of: frame, with: [ids[1], ids[2]])
      #expect(counts == (1, 1))
      #expect(try transaction.addToSelection(of: frame, [ids[2], ids[3]]) == 1)
      #expect(try transaction.removeFromSelection(of: frame, [ids[0], ids[1]]) == 1)
      #expect(try transaction.reading.selection(of: frame) == [ids[3], ids[2]])
    }
  }

  @Test("one identifier that is unknown or in the trash, and nothing changes")
  func allOrNothing() throws {
    let library = try TestLibrary()
    let ids = [try library.add("a"), try library.add("b")]
    let frame = try client("org.example.frame")
    try library.select(frame, [ids[0]])
    try library.update(ids[1], "trashed = 1")
    for bad in [AssetID(), ids[1]] {
      let error = #expect(throws: StoreError.self) {
        _ = try library.store.write { (transaction) throws(StoreError) in
          try transaction.replaceSelection(of: frame, with: [ids[0], bad])
        }
      }
      #expect(error?.code == .noSuchAsset)
      #expect(
        #expect(throws: StoreError.self) {
          _ = try library.store.write { (transaction) throws(StoreError) in
            try transaction.removeFromSelection(of: frame, [ids[0], bad])
          }
        }?.code == .noSuchAsset)
    }
    #expect(try library.ids(FetchQuery(), .selection(frame, location: true)) == [ids[0]])
  }

  @Test("what a write throws is rolled back")
  func rollback() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    #expect(throws: StoreError.self) {
      try library.store.write { (transaction) throws(StoreError) in
        try transaction.setAccess(frame, readWrite: .authorized, addOnly: nil, location: nil)
        throw StoreError(code: .io, message: "no")
      }
    }
    let known = try library.store.read { (transaction) throws(StoreError) in
      try transaction.client(frame)
    }
    #expect(known == nil)
  }

  @Test("a new zone moves the assets without an offset, their selection rows, and no others")
  func timeZone() throws {
    let library = try TestLibrary()
    let fixed = try library.add("fixed") {
      $0.creationDate = TestLibrary.date(2024, 7, 1, hour: 10, offset: 120)
    }
    let floating = try library.add("floating") {
      $0.creationDate = TestLibrary.date(2024, 7, 1, hour: 9, offset: nil)
    }
    let frame = try client("org.example.frame")
    try library.select(frame, [fixed, floating])
    // 10:00+02:00 is 08:00 UTC; 09:00+01:00 is 08:00 UTC too, and "fixed" < "floating".
    #expect(try library.ids() == [fixed, floating])
    let eyes: [(ClientID?, Visibility)] = [
      (nil, .owner), (frame, .selection(frame, location: true)),
    ]
    let before = try library.store.read { (transaction) throws(StoreError) in
      try eyes.map { (eye) throws(StoreError) in
        try transaction.historyPosition(client: eye.0, eye.1)
      }
    }
    library.clock.set(1_800_000_000_000_000_000)
    try library.store.write { (transaction) throws(StoreError) in
      try transaction.setTimeZone("Asia/Tokyo") { _ in UTCOffset(minutes: 540) ?? .utc }
    }
    // 09:00+09:00 is 00:00 UTC.
    #expect(try library.ids() == [floating, fixed])
    #expect(
      try library.ids(FetchQuery(), .selection(frame, location: true)) == [floating, fixed])
    let asset = try #require(try library.asset(floating))
    #expect(asset.creationDate.offset.minutes == 540)
    #expect(asset.creationDate.wallClock.hour == 9)
    #expect(!asset.creationDate.isOffsetKnown)
    #expect(asset.modificationDate.nanoseconds == 1_800_000_000_000_000_000)
    for (eye, before) in zip(eyes, before) {
      let changes = try library.store.read { (transaction) throws(StoreError) in
        try transaction.changes(since: before, client: eye.0, eye.1).changes
      }
      #expect(changes == ChangeSet(changed: [floating]))
    }
    #expect(try library.reopen(.readOnly).timeZoneName == "Asia/Tokyo")
    #expect(try library.findings() == [])
  }
}
