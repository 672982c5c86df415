import PhotoModel
import Testing

@testable import PhotoStore

/// Numbers that look random and are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}

@Suite("Visibility")
struct VisibilityTests {
  @Test(
    "Rows 19 and 20: whatever is selected, no read of a limited client gives anything else",
    arguments: 0..<8)
  func onlyTheSelection(seed: Int) throws {
    var random = SeededGenerator(state: UInt64(seed))
    let library = try TestLibrary()
    var all: [AssetID] = []
    for index in 0..<24 {
      all.append(
        try library.add("\(index)") {
          $0.creationDate = TestLibrary.date(2024, 1, Int.random(in: 1...5, using: &random))
          $0.format = Bool.random(using: &random) ? .jpeg : .png
        })
    }
    let hidden = Set(all.filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
    let trashed = Set(all.filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
    let frame = try client("org.example.frame")
    let chosen = Set(all.filter { _ in Bool.random(using: &random) })
    try library.select(frame, Array(chosen))
    // Another client's selection is none of its business.
    try library.select(try client("org.example.other"), all)
    for id in hidden { try library.update(id, "hidden = 1") }
    for id in trashed { try library.update(id, "trashed = 5") }
    let visible = chosen.subtracting(trashed)
    let eye = Visibility.selection(frame, location: Bool.random(using: &random))
    let hashes = try (0..<24).map { try library.sha("\($0)") }
    try library.store.read { (transaction) throws(StoreError) in
      for key in SortKey.allCases {
        for ids in [nil, all] {
          let query = FetchQuery(sort: [SortDescriptor(key)], ids: ids, includesHidden: true)
          #expect(try Set(transaction.identifiers(query, eye).ids) == visible)
          #expect(try transaction.count(query, eye) == visible.count)
        }
      }
      #expect(
        try Set(transaction.identifiers(FetchQuery(), eye).ids) == visible.subtracting(hidden))
      let records = try transaction.assets(all, eye, dateCandidates: true)
      #expect(Set(records.compactMap { $0?.id }) == visible)
      for id in all {
        let prefix = String(id.bytes.hexadecimal.prefix(8))
        #expect(
          try Set(transaction.identifiers(prefix: prefix, limit: 9, eye))
            .isSubset(of: visible))
        #expect(try (transaction.original(id, eye) != nil) == visible.contains(id))
      }
      for hash in hashes {
        #expect(try Set(transaction.identifiers(sha256: hash, eye)).isSubset(of: visible))
      }
      #expect(try Set(transaction.selection(of: frame)) == visible)
    }
  }

  @Test("nothing is nothing, and an unknown client's selection is empty")
  func nothing() throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    let stranger = try client("org.example.stranger")
    for eye in [Visibility.nothing, .selection(stranger, location: true)] {
      #expect(try library.ids(FetchQuery(ids: [id], includesHidden: true), eye) == [])
      #expect(try library.asset(id, eye) == nil)
    }
  }

  @Test("without the permission neither place nor the original's hash and size are read")
  func location() throws {
    let library = try TestLibrary()
    let id = try library.add("one") { $0.location = Location(latitude: 1, longitude: 2) }
    let frame = try client("org.example.frame")
    try library.select(frame, [id])
    for eye in [Visibility.everything(location: false), .selection(frame, location: false)] {
      let asset = try #require(try library.asset(id, eye))
      #expect(asset.location == nil)
      #expect(asset.isLocationRedacted)
      #expect(asset.original == nil)
      #expect(!AssetColumns.list(eye, dateCandidates: true).contains("latitude"))
    }
    for eye in [
      Visibility.everything(location: true), .selection(frame, location: true), .owner,
    ] {
      let asset = try #require(try library.asset(id, eye))
      #expect(asset.location == Location(latitude: 1, longitude: 2))
      #expect(!asset.isLocationRedacted)
      #expect(asset.original?.byteSize == 7)
    }
  }

  @Test("Row 144: without it hash and size are those of the redacted bytes, of this version alone")
  func redacted() throws {
    let library = try TestLibrary()
    let content = OriginalDescription(byteSize: 5, sha256: [UInt8](repeating: 9, count: 32))
    let id = try library.add("one") {
      $0.redacted = RedactedOriginal(version: LocationRedaction.version, content: content)
    }
    let old = try library.add("two") {
      $0.redacted = RedactedOriginal(version: 0, content: content)
    }
    let eye = Visibility.everything(location: false)
    #expect(try library.asset(id, eye)?.original == content)
    #expect(try library.asset(old, eye)?.original == nil)
    let (found, missing) = try library.store.read { (transaction) throws(StoreError) in
      (
        try transaction.identifiers(sha256: content.sha256, eye),
        try transaction.originalsWithoutRedaction(limit: 9).map(\.original.asset)
      )
    }
    #expect(found == [id])
    #expect(missing == [old])
    let hash = try #require(try library.asset(old, .owner)?.original).sha256
    try library.store.write { (transaction) throws(StoreError) in
      try transaction.setRedaction(
        of: hash, RedactedOriginal(version: LocationRedaction.version, content: nil))
    }
    #expect(try library.asset(old, eye)?.original == nil)
    let left = try library.store.read { (transaction) throws(StoreError) in
      try transaction.originalsWithoutRedaction(limit: 9)
    }
    #expect(left.isEmpty)
  }

  @Test("a selection that is taken away ends what can be read, at once")
  func revocation() throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    let frame = try client("org.example.frame")
    try library.select(frame, [id])
    let eye = Visibility.selection(frame, location: true)
    let elsewhere = try library.reopen(.readOnly)
    #expect(try library.ids(FetchQuery(), eye, in: elsewhere) == [id])
    try library.select(frame, [])
    #expect(try library.ids(FetchQuery(), eye, in: elsewhere) == [])
    #expect(try library.asset(id, eye) == nil)
  }
}
