import FoundationEssentials
import Glibc
import PhotoModel
import Synchronization
import Testing

@testable import PhotoStore

@Suite("Importing")
struct ImportTests {
  @Test("staging copies and hashes whole files of any length")
  func staging() throws {
    let library = try TestLibrary()
    let session = try library.store.beginImport()
    for count in [0, 1, 262_143, 262_144, 262_145, 1_000_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let source = try library.folder.file(bytes)
      let staged = try session.stage(source.raw) { false }
      #expect(staged.byteSize == Int64(count))
      #expect(staged.sha256 == (try ContentHash.of(bytes)))
      let copy = try staged.file.hash(library.store.buffers)
      #expect(copy.sha256 == staged.sha256 && copy.byteSize == Int64(count))
    }
    // FIPS 180-4's example: the SHA-256 of "abc".
    #expect(
      try session.stage(Array("abc".utf8)).sha256.hexadecimal
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("a file that changes while it is read is refused, and leaves nothing in staging")
  func changing() throws {
    let library = try TestLibrary()
    let session = try library.store.beginImport()
    let source = try library.folder.file([UInt8](repeating: 7, count: 600_000))
    let calls = Atomic(0)
    let path = try library.folder.path("source")
    let error = #expect(throws: StoreError.self) {
      _ = try session.stage(source.raw) {
        if calls.wrappingAdd(1, ordering: .relaxed).newValue == 2 { cut(path, to: 300_000) }
        return false
      }
    }
    #expect(error?.message.contains("changed") == true)
    #expect(throws: StoreError.self) { _ = try session.stage(source.raw) { true } }
    #expect(try stagedFiles(library) == 0)
  }

  @Test("what is not committed goes with its object; the folder goes with the session")
  func cleaning() throws {
    let library = try TestLibrary()
    var session: ImportSession? = try library.store.beginImport()
    var staged = try session?.stage([1, 2, 3])
    #expect(staged?.byteSize == 3)
    #expect(try stagedFiles(library) == 1)
    staged = nil
    #expect(try stagedFiles(library) == 0)
    session = nil
    #expect(try names(library.path + "/staging") == [])
  }

  @Test("the same bytes are one original and, for the owner, one asset")
  func duplicates() throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    #expect(try library.outcome("one") == .duplicate(id))
    let full = Adder.client(try client("org.example.full"), mayKnowDuplicates: true, selects: false)
    #expect(try library.outcome("one", by: full) == .duplicate(id))
    let session = try library.store.beginImport()
    let batch = [
      try library.newAsset("two", session), try library.newAsset("one", session),
      try library.newAsset("two", session),
    ]
    let outcomes = try session.commit(batch, by: .owner)
    guard case .added(let two) = outcomes[0] else {
      throw TestLibrary.UnexpectedOutcome(outcome: outcomes[0])
    }
    #expect(outcomes == [.added(two), .duplicate(id), .duplicate(two)])
    #expect(try session.existingAsset(sha256: library.sha("one")) == id)
    #expect(try session.existingAsset(sha256: library.sha("none")) == nil)
    session.end()
    #expect(try library.findings(readData: true) == [])
  }

  @Test("who may not know gets an asset of its own over the same original, selected or not")
  func privateDuplicates() throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    let frame = try client("org.example.frame")
    try library.select(frame, [])
    let limited = Adder.client(frame, mayKnowDuplicates: false, selects: true)
    let mine = try library.add("one", by: limited)
    // What it added itself and sees, it knows.
    #expect(try library.outcome("one", by: limited) == .duplicate(mine))
    let unseen = try library.add(
      "one", by: .client(frame, mayKnowDuplicates: false, selects: false))
    #expect(Set([id, mine, unseen]).count == 3)
    #expect(
      try Set(library.ids(FetchQuery(), .selection(frame, location: false))) == [mine])
    let references = try library.store.read { (transaction) throws(StoreError) in
      [try transaction.original(id, .owner), try transaction.original(mine, .owner)]
    }
    #expect(references[0]?.cacheScope == nil)
    #expect(references[1]?.cacheScope == "org.example.frame")
    #expect(references[0]?.sha256 == references[1]?.sha256)
    // The scope does not depend on whether the bytes were there before.
    let fresh = try library.add("new", by: limited)
    let scope = try library.store.read { (transaction) throws(StoreError) in
      try transaction.original(fresh, .owner)?.cacheScope
    }
    #expect(scope == "org.example.frame")
    // The owner is told of the shared asset, and of a client's where that is the only one.
    #expect(try library.outcome("one") == .duplicate(id))
    #expect(try library.outcome("new") == .duplicate(fresh))
    #expect(try library.findings(readData: true) == [])
  }

  @Test("bytes whose only asset lies in the trash are added as new")
  func trash() throws {
    let library = try TestLibrary()
    let old = try library.add("one")
    try library.update(old, "trashed = 1")
    let new = try library.add("one")
    #expect(new != old)
    #expect(try library.ids() == [new])
    let statistics = try library.store.read { (transaction) throws(StoreError) in
      try transaction.statistics()
    }
    #expect(statistics.assets == 1 && statistics.trashed == 1 && statistics.originals == 1)
    #expect(statistics.originalBytes == 7 && statistics.clients == 1)
  }

  @Test("the order of adding is strict though the clock stands or goes back")
  func strictlyIncreasing() throws {
    let library = try TestLibrary()
    let first = try library.add("a")
    let second = try library.add("b")
    library.clock.set(1_000)
    let third = try library.add("c")
    let added = try [first, second, third].map { try #require(try library.asset($0)).addedDate }
    let start: Int64 = 1_700_000_000_000_000_000
    #expect(added.map(\.nanoseconds) == [start, start + 1_000, start + 2_000])
    #expect(
      try library.ids(FetchQuery(sort: [SortDescriptor(.addedDate)])) == [first, second, third])
  }

  @Test("a damaged original in place is set aside and replaced by the good bytes")
  func quarantine() throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    let path = try library.original("one")
    for damage in [TestLibrary.bytes("onE"), [1, 2]] {
      unsafe chmod(path, 0o600)
      try Data(damage).write(to: URL(filePath: path))
      #expect(try library.outcome("one") == .duplicate(id))
      #expect(Array(try Data(contentsOf: URL(filePath: path))) == TestLibrary.bytes("one"))
    }
    let aside = try names(library.path + "/quarantine")
    #expect(aside.count == 2)
    let kept = try aside.map {
      Array(try Data(contentsOf: URL(filePath: library.path + "/quarantine/" + $0)))
    }
    #expect(Set(kept) == [TestLibrary.bytes("onE"), [1, 2]])
    // One that is a folder, and one that is missing.
    try FileManager.default.removeItem(atPath: path)
    unsafe mkdir(path, 0o700)
    #expect(try library.outcome("one") == .duplicate(id))
    try FileManager.default.removeItem(atPath: path)
    #expect(try library.outcome("one") == .duplicate(id))
    #expect(try library.findings(readData: true) == [])
  }

  @Test("a cut original is not taken for an existing asset")
  func existingButCut() throws {
    let library = try TestLibrary()
    try library.add("one")
    cut(try library.original("one"), to: 3)
    let session = try library.store.beginImport()
    #expect(try session.existingAsset(sha256: library.sha("one")) == nil)
  }

  @Test("where the transaction fails every outcome is the failure, and the originals are swept")
  func failingTransaction() throws {
    let library = try TestLibrary()
    let store = try library.reopen(timeout: 50)
    let session = try store.beginImport()
    let asset = try library.newAsset("one", session)
    let blocker = try Connection(
      path: library.path + "/library.sqlite", purpose: .writer, busyTimeoutMilliseconds: 50)
    try blocker.execute("BEGIN IMMEDIATE")
    guard case .failed(let error)? = try session.commit([asset], by: .owner).first else {
      Issue.record("the asset was added")
      return
    }
    #expect(error.code == .busy)
    #expect(exists(try library.original("one")))
    try blocker.execute("ROLLBACK")
    session.end()
    #expect(!exists(try library.original("one")))
    #expect(try names(library.path + "/staging") == [])
    #expect(try library.findings() == [])
  }

  @Test("an ended session throws; a store for reading begins none")
  func ended() throws {
    let library = try TestLibrary()
    let session = try library.store.beginImport()
    session.end()
    session.end()
    #expect(throws: StoreError.self) { _ = try session.stage([1]) }
    #expect(throws: StoreError.self) { _ = try session.commit([], by: .owner) }
    let reader = try library.reopen(.readOnly)
    #expect(#expect(throws: StoreError.self) { _ = try reader.beginImport() }?.code == .readOnly)
    #expect(
      #expect(throws: StoreError.self) {
        try reader.write { (_) throws(StoreError) in }
      }?.code == .readOnly)
  }

  @Test("eight writers of two stores add the same and different files: one asset a content")
  func manyWriters() async throws {
    let library = try TestLibrary()
    let stores = [library.store, try library.reopen(timeout: 30_000)]
    let errors = Lines()
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        let store = stores[worker % 2]
        group.addTask {
          do {
            let session = try store.beginImport()
            defer { session.end() }
            for batch in 0..<4 {
              var assets: [NewAsset] = []
              for index in 0..<6 {
                assets.append(try library.newAsset("same \(batch) \(index)", session))
                assets.append(try library.newAsset("own \(worker) \(batch) \(index)", session))
              }
              for case .failed(let error) in try session.commit(assets, by: .owner) {
                errors.append(error.message)
              }
              _ = try library.ids(in: store)
            }
          } catch {
            errors.append("\(error)")
          }
        }
      }
    }
    #expect(errors.all == [])
    #expect(try library.ids().count == 24 + 8 * 24)
    #expect(try library.ids(in: stores[1]) == library.ids())
    #expect(try library.findings(readData: true) == [])
  }

  private func stagedFiles(_ library: TestLibrary) throws -> Int {
    try names(library.path + "/staging").reduce(0) {
      $0 + (try names(library.path + "/staging/" + $1).count)
    }
  }

  private func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path)
  }

  @Test("whoever may no longer add when the transaction begins adds nothing, and leaves nothing")
  func permissionIsAskedInTheTransaction() throws {
    let library = try TestLibrary()
    let frame = try client("org.example.frame")
    let refusal = StoreError(code: .notPermitted, message: "no longer")
    // Refused before anything is put in place, and refused only after that.
    for permitted in [0, 1] {
      let session = try library.store.beginImport()
      let asset = try library.newAsset("one", session)
      var asked = 0
      let outcomes = try session.commit([asset]) { (_) throws(StoreError) in
        asked += 1
        guard asked <= permitted else { throw refusal }
        return .client(frame, mayKnowDuplicates: false, selects: true)
      }
      guard case .failed(refusal)? = outcomes.first, outcomes.count == 1 else {
        Issue.record("\(outcomes)")
        return
      }
      #expect(asked == permitted + 1)
      #expect(try exists(library.original("one")) == (permitted == 1))
      session.end()
      #expect(try !exists(library.original("one")))
    }
    #expect(try library.ids() == [])
    #expect(try library.findings() == [])
  }
}
