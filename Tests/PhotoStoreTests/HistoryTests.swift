import PhotoModel
import Testing

@testable import PhotoStore

@Suite("History")
struct HistoryTests {
  private func position(
    _ library: TestLibrary, _ client: ClientID? = nil, _ visibility: Visibility = .owner
  ) throws -> HistoryPosition {
    try library.store.read { (transaction) throws(StoreError) in
      try transaction.historyPosition(client: client, visibility)
    }
  }

  private func changes(
    _ library: TestLibrary, _ since: HistoryPosition, _ client: ClientID? = nil,
    _ visibility: Visibility = .owner
  ) throws -> ChangeSet {
    try library.store.read { (transaction) throws(StoreError) in
      try transaction.changes(since: since, client: client, visibility).changes
    }
  }

  @Test("the owner and full clients see what was added; positions move on")
  func adding() throws {
    let library = try TestLibrary()
    let start = try position(library)
    let one = try library.add("one")
    let middle = try position(library)
    let two = try library.add("two")
    #expect(try changes(library, start) == ChangeSet(inserted: [one, two]))
    let full = Visibility.everything(location: true)
    let known = try position(library, .localDefault, full)
    let three = try library.add("three")
    #expect(try changes(library, known, .localDefault, full) == ChangeSet(inserted: [three]))
    #expect(try changes(library, middle) == ChangeSet(inserted: [two, three]))
    #expect(try changes(library, try position(library)) == ChangeSet())
    #expect(middle.sequence > start.sequence)
  }

  @Test("codes are HMAC-SHA-256, and each library has a key of its own")
  func codes() throws {
    // RFC 4231, test case 2.
    let code = try MessageCode.of(
      Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(
      code.hexadecimal == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    let libraries = try [
      TestLibrary(), TestLibrary(), TestLibrary(seed: 7), TestLibrary(seed: 7),
      TestLibrary(seed: 8),
    ]
    let codes = try libraries.map { library in
      try library.store.read { (transaction) throws(StoreError) in
        [
          try transaction.authenticationCode(of: [1]), try transaction.authenticationCode(of: [1]),
        ]
      }
    }
    #expect(codes[0][0] == codes[0][1] && codes[0][0] != codes[1][0])
    // But for those that tests make from one seed.
    #expect(codes[2] == codes[3])
    #expect(Set(codes.map { $0[0] }).count == 4)
  }

  @Test(
    "Rows 19 and 51: a limited client sees its own selection change, and its position stands still otherwise"
  )
  func limited() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    let eye = Visibility.selection(frame, location: false)
    let ids = [try library.add("a"), try library.add("b"), try library.add("c")]
    try library.select(frame, [ids[0]])
    let start = try position(library, frame, eye)
    try library.select(frame, [ids[1]])
    #expect(
      try changes(library, start, frame, eye)
        == ChangeSet(inserted: [ids[1]], removed: [ids[0]]))
    let own = try library.store.read { (transaction) throws(StoreError) in
      try transaction.changes(since: start, client: frame, eye).position
    }
    try library.select(try client("org.example.other"), ids)
    try library.add("d")
    let later = try library.store.read { (transaction) throws(StoreError) in
      (
        try transaction.changes(since: own, client: frame, eye),
        try transaction.historyPosition(client: frame, eye)
      )
    }
    #expect(later.0.changes == ChangeSet())
    #expect(later.0.position == own)
    #expect(later.1 == own)
    // Selected and deselected since: neither. Deselected and selected again: perhaps changed.
    try library.select(frame, [ids[1], ids[2]])
    try library.select(frame, [])
    try library.select(frame, [ids[1]])
    #expect(try changes(library, own, frame, eye) == ChangeSet(changed: [ids[1]]))
  }

  @Test("a position has no number of anything that its client does not see")
  func positionsAreTheClientsOwn() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    let eye = Visibility.selection(frame, location: false)
    #expect(
      try position(library, frame, .nothing) == HistoryPosition(sequence: 0, ordinal: 0))
    let ids = try (0..<5).map { try library.add("\($0)") }
    try library.select(try client("org.example.other"), ids)
    // A switch of level and one asset: two events of its own, among eight of others.
    try library.select(frame, [ids[3]])
    #expect(try position(library, frame, eye) == HistoryPosition(sequence: 0, ordinal: 2))
    try library.store.write { (transaction) throws(StoreError) in
      try transaction.setAccess(frame, readWrite: .denied, addOnly: nil, location: nil)
    }
    let denied = HistoryPosition(sequence: 0, ordinal: 3)
    #expect(try position(library, frame, .nothing) == denied)
    // Its selection is still the owner's to edit, and nothing to be known meanwhile.
    _ = try library.store.write { (transaction) throws(StoreError) in
      try transaction.replaceSelection(of: frame, with: ids)
    }
    #expect(try position(library, frame, .nothing) == denied)
  }

  @Test("after a switch from a selection what changed is told of what was selected alone")
  func changedWhileLimited() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    let ids = [try library.add("a"), try library.add("b"), try library.add("c")]
    try library.select(frame, [ids[0], ids[1]])
    let start = try position(library, frame, .selection(frame, location: false))
    func edit(_ id: AssetID) throws {
      try library.store.write { (transaction) throws(StoreError) in
        try transaction.setCreationDate(TestLibrary.date(1998, 7, 12), of: [id], .owner)
      }
    }
    try edit(ids[2])
    try edit(ids[0])
    try library.store.write { (transaction) throws(StoreError) in
      try transaction.setAccess(frame, readWrite: .authorized, addOnly: nil, location: nil)
    }
    #expect(
      try changes(library, start, frame, .everything(location: false))
        == ChangeSet(inserted: [ids[2]], changed: [ids[0]]))
    try edit(ids[1])
    #expect(
      try changes(library, start, frame, .everything(location: false))
        == ChangeSet(inserted: [ids[2]], changed: [ids[0], ids[1]]))
  }

  @Test("Row 33: an asset that a limited client adds is inserted for it in the same commit")
  func ownAsset() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    try library.select(frame, [])
    let start = try position(library, frame, .selection(frame, location: false))
    let mine = try library.add(
      "a", by: .client(frame, mayKnowDuplicates: false, selects: true))
    _ = try library.add("b", by: .client(frame, mayKnowDuplicates: false, selects: false))
    #expect(
      try changes(library, start, frame, .selection(frame, location: false))
        == ChangeSet(inserted: [mine]))
  }

  @Test("Row 53: a switch of level brings and takes what it makes visible and hides")
  func levels() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    let limited = Visibility.selection(frame, location: false)
    let full = Visibility.everything(location: false)
    let ids = [try library.add("a"), try library.add("b")]
    func grant(_ status: AuthorizationStatus) throws {
      try library.store.write { (transaction) throws(StoreError) in
        try transaction.setAccess(frame, readWrite: status, addOnly: nil, location: nil)
      }
    }
    try library.select(frame, [ids[0]])
    let atLimited = try position(library, frame, limited)
    try grant(.authorized)
    let atFull = try position(library, frame, full)
    let c = try library.add("c")
    #expect(try changes(library, atLimited, frame, full) == ChangeSet(inserted: [ids[1], c]))
    #expect(try changes(library, atFull, frame, full) == ChangeSet(inserted: [c]))
    try grant(.denied)
    #expect(
      try changes(library, atFull, frame, .nothing) == ChangeSet(removed: Set(ids)))
    #expect(
      try changes(library, atLimited, frame, .nothing) == ChangeSet(removed: [ids[0]]))
    try library.select(frame, [c])
    #expect(
      try changes(library, atFull, frame, limited)
        == ChangeSet(inserted: [c], removed: Set(ids)))
    #expect(
      try changes(library, atLimited, frame, limited)
        == ChangeSet(inserted: [c], removed: [ids[0]]))
  }

  @Test("Row 18: what a client sees has changed when it may know places, and when it may no longer")
  func location() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    let ids = [try library.add("a"), try library.add("b"), try library.add("c")]
    try library.select(frame, [ids[0], ids[1]])
    func set(_ status: AuthorizationStatus? = nil, location: Bool? = nil) throws {
      try library.store.write { (transaction) throws(StoreError) in
        try transaction.setAccess(frame, readWrite: status, addOnly: nil, location: location)
      }
    }
    let without = Visibility.selection(frame, location: false)
    let with = Visibility.selection(frame, location: true)
    let start = try position(library, frame, without)
    try set(location: false)
    #expect(try position(library, frame, without) == start)
    try set(location: true)
    #expect(try changes(library, start, frame, with) == ChangeSet(changed: [ids[0], ids[1]]))
    // What came and went since did so all the same.
    try library.select(frame, [ids[1], ids[2]])
    let folded = ChangeSet(inserted: [ids[2]], changed: [ids[1]], removed: [ids[0]])
    #expect(try changes(library, start, frame, with) == folded)
    let known = try position(library, frame, with)
    #expect(try changes(library, known, frame, with) == ChangeSet())
    try set(location: false)
    #expect(try changes(library, known, frame, without) == ChangeSet(changed: [ids[1], ids[2]]))

    // Together with a switch of level, and for a client that sees everything.
    try set(.authorized, location: true)
    let full = Visibility.everything(location: true)
    #expect(
      try changes(library, known, frame, full)
        == ChangeSet(inserted: [ids[0]], changed: [ids[1], ids[2]]))
    let atFull = try position(library, frame, full)
    try set(location: false)
    #expect(
      try changes(library, atFull, frame, .everything(location: false))
        == ChangeSet(changed: Set(ids)))

    // To a client that may read nothing it is no change, until it may again.
    try set(.denied)
    let denied = try position(library, frame, .nothing)
    try set(location: true)
    #expect(try position(library, frame, .nothing) == denied)
    #expect(try changes(library, denied, frame, .nothing) == ChangeSet())
    try set(.authorized)
    #expect(try changes(library, denied, frame, full) == ChangeSet(inserted: Set(ids)))
    #expect(try changes(library, atFull, frame, full) == ChangeSet(changed: Set(ids)))
  }

  @Test(
    "replaying changes on what was seen gives what is seen, whatever happened", arguments: 0..<12)
  func replay(seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed) &+ 77)
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    var all: [AssetID] = []
    var status = AuthorizationStatus.notDetermined
    var location = false
    var past: [(HistoryPosition, Set<AssetID>)] = []
    func eye() -> Visibility {
      switch status {
      case .authorized: .everything(location: location)
      case .limited: .selection(frame, location: location)
      default: .nothing
      }
    }
    for step in 0..<40 {
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1: all.append(try library.add("\(step)"))
      case 2:
        all.append(
          try library.add(
            "\(step)", by: .client(frame, mayKnowDuplicates: false, selects: true)))
      case 3, 4:
        let chosen = all.filter { _ in Bool.random(using: &random) }
        _ = try library.store.write { (transaction) throws(StoreError) in
          try transaction.replaceSelection(of: frame, with: chosen)
        }
      case 5:
        location.toggle()
        let new = location
        try library.store.write { (transaction) throws(StoreError) in
          try transaction.setAccess(frame, readWrite: nil, addOnly: nil, location: new)
        }
      default:
        status =
          [.authorized, .limited, .limited, .denied, .notDetermined].randomElement(using: &random)
          ?? .limited
        let new = status
        try library.store.write { (transaction) throws(StoreError) in
          try transaction.setAccess(frame, readWrite: new, addOnly: nil, location: nil)
        }
      }
      let now = Set(try library.ids(FetchQuery(includesHidden: true), eye()))
      for (position, seen) in past {
        let found = try changes(library, position, frame, eye())
        #expect(found.inserted.isDisjoint(with: seen) && found.inserted.isSubset(of: now))
        #expect(found.removed.isSubset(of: seen) && found.removed.isDisjoint(with: now))
        #expect(found.changed.isSubset(of: seen.intersection(now)))
        #expect(seen.union(found.inserted).subtracting(found.removed) == now)
      }
      past.append((try position(library, frame, eye()), now))
    }
  }
}
