import FoundationEssentials
import PhotoLibrary
import PhotoLibraryTesting
import Synchronization
import Testing

@Suite("Access")
struct AccessTests {
  private func library() async throws -> (TemporaryLibrary, [AssetID]) {
    let temporary = try TemporaryLibrary()
    var pictures = (1...6).map { TestPicture(date: "2024-06-0\($0) 12:00:00Z") }
    pictures[1].location = Location(latitude: 1, longitude: 2)
    return (temporary, try await temporary.add(pictures))
  }

  @Test("Rows 9, 20, 21, 23 and 25: A limited client's whole view is its selection")
  func limited() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.limited, selecting: [ids[4], ids[1]])
    #expect(try client.authorizationStatus(for: .readWrite) == .limited)
    #expect(try client.authorizationStatus(for: .addOnly) == .authorized)
    #expect(try client.fetchAssets().ids == [ids[1], ids[4]])
    #expect(try client.countAssets() == 2)
    #expect(try client.fetchAssets(FetchQuery(ids: ids)).ids == [ids[1], ids[4]])
    #expect(try client.assets(ids).compactMap { $0?.id } == [ids[1], ids[4]])
    #expect(try client.identifiers(prefix: "", limit: 9) == [])
    for id in ids {
      let found = try client.identifiers(prefix: String(id.uuidString.prefix(8)), limit: 9)
      #expect(found == ([ids[1], ids[4]].contains(id) ? [id] : []))
    }
  }

  @Test("An asset outside the selection and one that never was get the same answer")
  func unknownAndForbidden() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.limited, selecting: [ids[0]])
    var errors: [LibraryError] = []
    for id in [ids[3], AssetID()] {
      errors += [#expect(throws: LibraryError.self) { try client.asset(id) }].compactMap(\.self)
      let error = await #expect(throws: LibraryError.self) {
        try await client.thumbnail(for: id)
      }
      errors += [error].compactMap(\.self)
    }
    #expect(errors.count == 4)
    #expect(Set(errors).count == 1)
    #expect(errors.first?.code == .identifierNotFound)
  }

  @Test(
    "Rows 15 and 16: Without a decision, denied or restricted, a fetch is empty and an identifier gets one answer",
    arguments: [AuthorizationStatus.notDetermined, .denied, .restricted])
  func noAccess(_ status: AuthorizationStatus) async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(status)
    #expect(try client.authorizationStatus(for: .readWrite) == status)
    #expect(try client.fetchAssets().isEmpty)
    #expect(try client.countAssets() == 0)
    for id in [ids[0], AssetID()] {
      #expect(throws: LibraryError.notPermittedForTests) { try client.asset(id) }
      await #expect(throws: LibraryError.notPermittedForTests) {
        try await client.thumbnail(for: id)
      }
    }
    await #expect(throws: LibraryError.self) { try await client.add([temporary.folder]) }
  }

  @Test("Row 15: Reading never makes a client")
  func readingMakesNoClient() async throws {
    let (temporary, _) = try await library()
    let stranger = temporary.library.client(try #require(ClientID("org.example.stranger")))
    #expect(try stranger.fetchAssets().isEmpty)
    #expect(try stranger.authorizationStatus(for: .readWrite) == .notDetermined)
    #expect(try temporary.library.clients().map(\.client) == [.localDefault])
  }

  @Test(
    "Row 144: Without the location permission there is no place, and the bytes are those without it"
  )
  func location() async throws {
    let (temporary, ids) = try await library()
    let without = try temporary.client(.authorized, id: "org.example.a")
    let with = try temporary.client(.authorized, id: "org.example.b", location: true)
    for id in ids {
      let asset = try without.asset(id)
      #expect(asset.location == nil)
      #expect(asset.isLocationRedacted)
      let (own, whole) = (try #require(asset.original), try #require(try with.asset(id).original))
      #expect(own.byteSize == whole.byteSize)
      #expect((own.sha256 == whole.sha256) == (id != ids[1]))
    }
    #expect(try with.asset(ids[1]).location == Location(latitude: 1, longitude: 2))
    #expect(try with.asset(ids[0]).location == nil)
    #expect(try with.asset(ids[1]).original != nil)
    #expect(try !with.asset(ids[1]).isLocationRedacted)
  }

  @Test("Row 18: A decision holds at once, for clients opened before it and elsewhere")
  func decisionsHoldAtOnce() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.authorized)
    let id = try #require(client.id)
    let elsewhere = try temporary.reopened(mode: .readOnly).client(id)
    #expect(try elsewhere.countAssets() == 6)
    let outcome = try temporary.library.select(.replace([ids[2]]), for: id)
    #expect(outcome.status == .limited)
    #expect((outcome.added, outcome.removed, outcome.selected) == (1, 0, 1))
    #expect(try elsewhere.fetchAssets().ids == [ids[2]])
    #expect(try client.fetchAssets().ids == [ids[2]])
    try temporary.library.setAccess(of: id, .deny)
    #expect(try elsewhere.countAssets() == 0)
    // The selection is kept until it is wanted again.
    try temporary.library.setAccess(of: id, .limited)
    #expect(try client.fetchAssets().ids == [ids[2]])
    try temporary.library.setAccess(of: id, .full)
    #expect(try client.countAssets() == 6)
    try temporary.library.setAccess(of: id, .reset)
    #expect(try temporary.library.selection(of: id) == [])
    #expect(try client.authorizationStatus(for: .addOnly) == .notDetermined)
  }

  @Test("Row 22: A selection changes wholly or not at all")
  func selectionIsAtomic() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let id = try #require(client.id)
    #expect(throws: LibraryError.self) {
      try temporary.library.select(.add([ids[1], AssetID()]), for: id)
    }
    #expect(throws: LibraryError.self) {
      try temporary.library.select(.replace([AssetID()]), for: id)
    }
    #expect(try client.fetchAssets().ids == [ids[0]])
    var outcome = try temporary.library.select(.add([ids[0], ids[1], ids[1]]), for: id)
    #expect((outcome.added, outcome.removed, outcome.selected) == (1, 0, 2))
    outcome = try temporary.library.select(.remove([ids[0], ids[5]]), for: id)
    #expect((outcome.added, outcome.removed, outcome.selected) == (0, 1, 1))
    outcome = try temporary.library.select(.none, for: id)
    #expect((outcome.added, outcome.removed, outcome.selected) == (0, 1, 0))
    #expect(try client.fetchAssets().isEmpty)
    #expect(try client.authorizationStatus(for: .readWrite) == .limited)
  }

  @Test("A refused replacement does not limit a client that saw everything")
  func refusedReplacementKeepsStatus() async throws {
    let (temporary, _) = try await library()
    let client = try temporary.client(.authorized)
    let id = try #require(client.id)
    #expect(throws: LibraryError.self) {
      try temporary.library.select(.replace([AssetID()]), for: id)
    }
    #expect(try client.authorizationStatus(for: .readWrite) == .authorized)
    #expect(throws: LibraryError.self) { try temporary.library.select(.add([]), for: id) }
  }

  @Test("Row 33: What a limited client adds joins its selection, and known bytes look new to it")
  func limitedClientAdds() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let known = TestPicture(date: "2024-06-03 12:00:00Z")
    let path = try temporary.write(known.data, named: "mine.jpg")
    let report = try await client.add([path])
    #expect(report.added == 1)
    #expect(report.duplicates == 0)
    let mine = try #require(report.entries.first?.id)
    #expect(!ids.contains(mine))
    #expect(try client.fetchAssets().ids == [ids[0], mine])
    _ = try await client.thumbnail(for: mine)
    // The owner is told.
    let again = try await temporary.library.add([path])
    #expect(again.duplicates == 1)
  }

  @Test("Adding again what it added itself and still sees adds nothing for a limited client")
  func limitedClientAddsAgain() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.limited, selecting: [ids[0]])
    var picture = TestPicture(date: "2024-06-09 12:00:00Z")
    picture.number = 5
    let path = try temporary.write(picture.data, named: "mine.jpg")
    let mine = try #require(try await client.add([path]).entries.first?.id)
    let again = try await client.add([path])
    #expect((again.added, again.duplicates) == (0, 1))
    #expect(again.entries.first?.id == mine)
    // What the owner took from it, it does not see: that looks new again.
    let name = try #require(client.id)
    try temporary.library.select(.remove([mine]), for: name)
    let later = try await client.add([path])
    #expect((later.added, later.duplicates) == (1, 0))
    #expect(later.entries.first?.id != mine)
  }

  @Test("What a client adds anew, in a dry run too, tells nothing of what it does not see")
  func addingIsNoOracle() async throws {
    let (temporary, ids) = try await library()
    let hidden = try temporary.write(
      TestPicture(date: "2024-06-03 12:00:00Z").data, named: "hidden.jpg")
    let seen = try temporary.write(
      TestPicture(date: "2024-06-01 12:00:00Z").data, named: "seen.jpg")
    let scanner = try #require(ClientID("org.example.scanner"))
    try temporary.library.setAccess(of: scanner, .addOnly)
    var dry = AddOptions()
    dry.dryRun = true
    for client in [
      try temporary.client(.limited, selecting: [ids[0]]), temporary.library.client(scanner),
    ] {
      // Even the asset that it sees: the bytes of an original could confirm a guess at its place.
      for path in [hidden, seen] {
        let trial = try await client.add([path], options: dry)
        #expect((trial.added, trial.duplicates) == (1, 0))
        #expect(trial.entries.first?.id == nil)
        let report = try await client.add([path])
        #expect((report.added, report.duplicates) == (1, 0))
      }
    }
    let trusted = try temporary.client(
      .limited, id: "org.example.trusted", selecting: [ids[0]], location: true)
    #expect(try await trusted.add([seen], options: dry).duplicates == 1)
    #expect(try await trusted.add([seen]).entries.first?.id == ids[0])
    #expect(try await trusted.add([hidden], options: dry).duplicates == 0)
  }

  @Test("An error about an original tells a client no hash and no path of it")
  func errorsNameNoOriginal() async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.authorized)
    let original = try #require(try temporary.library.owner.asset(ids[0]).original)
    let folder = temporary.library.path.string + "/originals/"
    let file = folder + "\(original.sha256Hex.prefix(2))/\(original.sha256Hex).jpg"
    #expect(FileManager.default.fileExists(atPath: file))
    try FileManager.default.removeItem(atPath: file)
    let error = try #require(
      await #expect(throws: LibraryError.self) { try await client.thumbnail(for: ids[0]) })
    #expect(error.code == .damagedLibrary)
    #expect(!error.message.contains(original.sha256Hex.prefix(8)))
    #expect(!error.message.contains("/"))
  }

  @Test("Row 110: What an add-only client adds it cannot read back")
  func addOnlyClientAdds() async throws {
    let (temporary, _) = try await library()
    let id = try #require(ClientID("org.example.scanner"))
    try temporary.library.setAccess(of: id, .addOnly)
    let client = temporary.library.client(id)
    var picture = TestPicture(date: "2024-06-09 12:00:00Z")
    picture.number = 77
    let report = try await client.add([try temporary.write(picture.data, named: "s.jpg")])
    #expect(report.added == 1)
    #expect(try client.fetchAssets().isEmpty)
    #expect(try client.authorizationStatus(for: .readWrite) == .notDetermined)
    #expect(try temporary.library.owner.countAssets() == 7)
    #expect(try temporary.library.selection(of: id) == [])
  }

  @Test("A client that is denied while it adds adds no more", arguments: [false, true])
  func deniedWhileAdding(dryRun: Bool) async throws {
    let (temporary, ids) = try await library()
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let name = try #require(client.id)
    // More than one batch has.
    let paths = try (0..<70).map { number in
      var picture = TestPicture(date: "2024-06-09 12:00:00Z")
      picture.number = 100 + number
      return try temporary.write(picture.data, named: "\(number).jpg")
    }
    let added = Mutex(0)
    var options = AddOptions()
    options.dryRun = dryRun
    let error = await #expect(throws: LibraryError.self) {
      try await client.add(paths, options: options) { event in
        guard case .added = event else { return }
        if added.withLock({ count in
          count += 1
          return count == 1
        }) {
          #expect(throws: Never.self) { try temporary.library.setAccess(of: name, .deny) }
        }
      }
    }
    #expect(error?.code == .accessDenied)
    let count = added.withLock { $0 }
    #expect((1...64).contains(count))
    #expect(try temporary.library.owner.countAssets() == ids.count + (dryRun ? 0 : count))
    #expect(try temporary.library.check { Issue.record("\($0)") } == 0)
  }

  @Test("Rows 20 and 21: Whatever is selected, no call of a limited client yields anything else")
  func property() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<24).map { TestPicture(date: "2024-06-01 \($0 < 10 ? "0" : "")\($0):00:00Z") })
    let client = try temporary.client(.limited)
    let name = try #require(client.id)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<40 {
      let selection = ids.filter { _ in Bool.random(using: &random) }
      _ = try temporary.library.select(.replace(selection.shuffled()), for: name)
      for key in SortKey.allCases {
        let query = FetchQuery(
          sort: [SortDescriptor(key, ascending: Bool.random(using: &random))])
        #expect(Set(try client.fetchAssets(query).ids) == Set(selection))
      }
      #expect(try client.countAssets() == selection.count)
      #expect(try client.fetchAssets(FetchQuery(ids: ids)).ids == selection)
      #expect(try client.assets(ids).map { $0 != nil } == ids.map(selection.contains))
      let outside = ids.filter { !selection.contains($0) }
      if let id = outside.randomElement(using: &random) {
        await #expect(throws: LibraryError.self) { try await client.thumbnail(for: id) }
      }
      #expect(try temporary.library.access(of: name)?.visible == selection.count)
    }
  }
}

extension LibraryError {
  fileprivate static let notPermittedForTests = LibraryError(
    code: .notPermitted, message: "this client is not permitted to read the library")
}
