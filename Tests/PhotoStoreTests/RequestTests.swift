import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Requests in the index")
struct RequestTests {
  private let library: TestLibrary
  private let frame: ClientID
  private var store: Store { library.store }

  init() throws {
    library = try TestLibrary()
    frame = try client("org.example.frame")
  }

  private func pending() throws -> [AccessRequest] {
    try store.read { (transaction) throws(StoreError) in try transaction.pendingRequests() }
  }

  private func deletion(_ ids: [AssetID], for client: ClientID? = nil) throws -> RequestID {
    let client = client ?? frame
    return try store.write { (transaction) throws(StoreError) in
      try transaction.requestDeletion(of: ids, for: client, purpose: "to tidy up")
    }
  }

  private func use(_ id: RequestID, of client: ClientID? = nil) throws -> Bool {
    let client = client ?? frame
    return try store.write { (transaction) throws(StoreError) in
      try transaction.useDeletion(id, of: client)
    }
  }

  private func answer(_ id: RequestID, _ answer: RequestAnswer) throws {
    try store.write { (transaction) throws(StoreError) in try transaction.answer(id, answer) }
  }

  @Test("The owner's consent to a deletion counts once, for the client that asked")
  func deletionOnce() throws {
    let ids = [try library.add("a"), try library.add("b")].sorted()
    try library.select(frame, ids)
    let id = try deletion(ids + ids)
    let request = try #require(try pending().first)
    #expect(request.id == id)
    #expect(request.kind == .deletion(ids))
    #expect(try !use(id))
    #expect(throws: StoreError.self) { try answer(id, .limited) }
    try answer(id, .full)
    #expect(try !use(id, of: client("org.example.other")))
    #expect(try !use(id, of: .localDefault))
    #expect(try use(id))
    #expect(try !use(id))
    let refused = try deletion([ids[0]])
    try answer(refused, .denied)
    #expect(try !use(refused))
  }

  @Test("A client has at most 16 deletions waiting, of 1 to 10,000 photos each")
  func deletionLimits() throws {
    try library.select(frame, [])
    for _ in 0..<16 { _ = try deletion([AssetID()]) }
    var error = #expect(throws: StoreError.self) { try deletion([AssetID()]) }
    #expect(error?.code == .busy)
    // Another client still can.
    let other = try client("org.example.other")
    try library.select(other, [])
    _ = try deletion([AssetID()], for: other)
    for count in [0, 10_001] {
      error = #expect(throws: StoreError.self) {
        try deletion((0..<count).map { _ in AssetID() }, for: other)
      }
      #expect(error?.code == .invalidArgument)
    }
    try answer(try #require(try pending().first).id, .denied)
    _ = try deletion([AssetID()])
  }

  @Test("Who may no longer read no longer waits for a deletion")
  func deletionOfTheDenied() throws {
    try library.select(frame, [])
    let id = try deletion([AssetID()])
    try store.write { (transaction) throws(StoreError) in
      try transaction.setAccess(frame, readWrite: .denied, addOnly: nil, location: nil)
    }
    #expect(try pending().isEmpty)
    #expect(try !use(id))
  }

  @Test("Withdrawing leaves an answer that was given as it is")
  func withdrawing() throws {
    try library.select(frame, [])
    let (first, second) = (try deletion([AssetID()]), try deletion([AssetID()]))
    try answer(first, .full)
    try store.write { (transaction) throws(StoreError) in
      for id in [first, second, RequestID(uuid: AssetID().uuid)] {
        try transaction.withdraw(id, of: frame)
      }
    }
    let answers = try store.read { (transaction) throws(StoreError) in
      (
        try transaction.answer(to: first, of: frame), try transaction.answer(to: second, of: frame)
      )
    }
    #expect(answers == (.full, .withdrawn))
    #expect(try use(first))
    let error = #expect(throws: StoreError.self) { try answer(second, .full) }
    #expect(error?.code == .noSuchRequest)
  }

  @Test("Of what was answered the last hundred of a client are kept")
  func forgotten() throws {
    try library.select(frame, [])
    var ids: [RequestID] = []
    for _ in 0..<103 {
      let id = try deletion([AssetID()])
      try answer(id, .denied)
      ids.append(id)
    }
    let known = try store.read { (transaction) throws(StoreError) in
      var known: [Bool] = []
      for id in ids { known.append(try transaction.answer(to: id, of: frame) == .denied) }
      return known
    }
    // The last one was made when there were 102.
    #expect(known.firstIndex(of: true) == 2)
    #expect(known.filter(\.self).count == 101)
    #expect(try library.findings().isEmpty)
  }
}
