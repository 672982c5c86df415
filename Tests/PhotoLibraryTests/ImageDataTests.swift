import FoundationEssentials
import ImageContainer
import ImageMetadata
import PhotoLibrary
import PhotoLibraryTesting
import PhotoStore
import Testing

@Suite("Image data")
struct ImageDataTests {
  /// A picture that tells where it was taken, and one that does not.
  private func library(
    _ configuration: LibraryConfiguration = LibraryConfiguration()
  ) async throws -> (TemporaryLibrary, located: TestPicture, [AssetID]) {
    let temporary = try TemporaryLibrary(configuration: configuration)
    var located = TestPicture(date: "2024-06-01 12:00:00Z")
    located.location = Location(latitude: 1, longitude: 2)
    let ids = try await temporary.add(located, TestPicture(date: "2024-06-02 12:00:00Z"))
    return (temporary, located, ids)
  }

  @Test("The owner gets the bytes that were added")
  func owner() async throws {
    let (temporary, located, ids) = try await library()
    let image = try await temporary.library.owner.imageData(for: ids[0])
    #expect(image.data == located.data)
    #expect(image.contentType == "image/jpeg")
    #expect(image.fileName.string == located.defaultFileName)
    #expect(!image.isLocationRedacted)
  }

  @Test(
    "Row 144: A client without the permission gets no place, and its record describes just these bytes"
  )
  func redacted() async throws {
    let (temporary, located, ids) = try await library()
    let client = try temporary.client(.limited, selecting: ids)
    for id in ids {
      let image = try await client.imageData(for: id)
      let source = MemoryByteSource(image.data)
      let metadata = PhotoMetadata.read(source, structure: try ImageStructure.scan(source))
      #expect(metadata.location == nil)
      #expect(image.isLocationRedacted)
      let file = try temporary.write(image.data, named: "\(id.uuidString).jpg")
      #expect(try client.asset(id).original?.byteSize == Int64(image.data.count))
      #expect(try client.identifiers(contentOf: file) == [id])
    }
    #expect(try await client.imageData(for: ids[0]).data != located.data)
    // A guess at the original's bytes is not confirmed.
    let original = try temporary.write(located.data, named: "guess.jpg")
    #expect(try client.identifiers(contentOf: original) == [])
  }

  @Test("A decision about places holds from then on")
  func decision() async throws {
    let (temporary, located, ids) = try await library()
    let client = try temporary.client(.authorized, location: true)
    #expect(try await client.imageData(for: ids[0]).data == located.data)
    let id = try #require(client.id)
    try temporary.library.setAccess(of: id, .full, location: false)
    #expect(try await client.imageData(for: ids[0]).data != located.data)
  }

  @Test("Row 143: An asset that a client may not see and one that never was get the same answer")
  func forbidden() async throws {
    let (temporary, _, ids) = try await library()
    let limited = try temporary.client(.limited, id: "org.example.a", selecting: [ids[1]])
    let denied = try temporary.client(.denied, id: "org.example.b")
    for (client, code) in [
      (limited, LibraryError.Code.identifierNotFound), (denied, LibraryError.Code.notPermitted),
    ] {
      var errors: [LibraryError] = []
      for id in [ids[0], AssetID()] {
        let error = await #expect(throws: LibraryError.self) {
          try await client.imageData(for: id)
        }
        errors += [error].compactMap(\.self)
      }
      #expect(errors.map(\.code) == [code, code] && Set(errors).count == 1)
    }
  }

  @Test("A file over the memory limit is refused with both numbers")
  func overLimit() async throws {
    var configuration = LibraryConfiguration()
    configuration.memoryMegabytes = 1
    let (temporary, located, _) = try await library(configuration)
    // Four fifths of a megabyte are 838,860 bytes; zeros behind the picture say nothing.
    let data = located.data + [UInt8](repeating: 0, count: 900_000)
    let id = try await temporary.add(data, named: "big.jpg")
    let error = await #expect(throws: LibraryError.self) {
      try await temporary.library.owner.imageData(for: id)
    }
    #expect(error?.code == .overLimit)
    #expect(error?.message.contains("\(data.count)") == true)
    #expect(error?.message.contains("838860") == true)
  }

  @Test("What an older version did not compute is computed for one who asks, and at the next add")
  func backfill() async throws {
    let (temporary, _, ids) = try await library()
    let client = try temporary.client(.authorized)
    let known = try #require(try client.asset(ids[0]).original)
    let store = try Store.open(
      at: temporary.library.path.string, mode: .readWrite, environment: .system)
    let hash = try #require(try temporary.library.owner.asset(ids[0]).original).sha256
    func forget() throws {
      try store.write { (transaction) throws(StoreError) in
        try transaction.setRedaction(of: hash, RedactedOriginal(version: 0, content: nil))
      }
    }
    try forget()
    #expect(try client.assets(ids).first??.original == nil)
    #expect(try client.asset(ids[0]).original == known)
    let reader = try temporary.reopened(mode: .readOnly).client(try #require(client.id))
    #expect(try reader.asset(ids[0]).original == known)
    _ = try await temporary.add(TestPicture(date: "2024-06-03 12:00:00Z"))
    #expect(try client.assets(ids).first??.original == known)
    store.close()
  }

  @Test("Originals that are missing or cut short do not keep later ones from being computed")
  func backfillPastUnreadable() async throws {
    let temporary = try TemporaryLibrary()
    // More than are computed at a time, and two behind them.
    let pictures = (0..<68).map { number in
      var picture = TestPicture(date: "2024-06-01 12:00:00Z")
      picture.number = number
      return picture
    }
    let ids = try await temporary.add(pictures)
    let originals = try ids.map { try #require(try temporary.library.owner.asset($0).original) }
    let client = try temporary.client(.authorized)
    let store = try Store.open(
      at: temporary.library.path.string, mode: .readWrite, environment: .system)
    try store.write { (transaction) throws(StoreError) in
      for original in originals {
        try transaction.setRedaction(
          of: original.sha256, RedactedOriginal(version: 0, content: nil))
      }
    }
    store.close()
    for (index, original) in originals.dropLast(2).enumerated() {
      let name = original.sha256Hex
      let path = temporary.library.path.string + "/originals/\(name.prefix(2))/\(name).jpg"
      try FileManager.default.removeItem(atPath: path)
      // A third of each: no file, too short a one, one of the right size that is no picture.
      guard index % 3 > 0 else { continue }
      let size = index % 3 == 1 ? 100 : Int(original.byteSize)
      try Data(repeating: 0, count: size).write(to: URL(filePath: path))
    }
    _ = try await temporary.add(TestPicture(date: "2024-06-03 12:00:00Z"))
    func found() throws -> [Bool] { try client.assets(ids).map { $0?.original != nil } }
    #expect(try found() == Array(repeating: false, count: 66) + [true, true])

    // They are remembered, and only what has another file is tried again.
    let again = try Store.open(
      at: temporary.library.path.string, mode: .readWrite, environment: .system)
    defer { again.close() }
    func untried() throws -> Int {
      try again.read { (transaction) throws(StoreError) in
        try transaction.originalsWithoutRedaction(limit: 100).count
      }
    }
    func failed() throws -> Int {
      try again.read { (transaction) throws(StoreError) in
        try transaction.originalsWithFailedRedaction(limit: 100).count
      }
    }
    #expect(try untried() == 0 && failed() == 66)
    // All but the first four, so that one look at 64 of those that failed meets them.
    for id in ids[..<62] {
      let hash = try #require(try temporary.library.owner.asset(id).original).sha256
      try again.write { (transaction) throws(StoreError) in
        try transaction.setRedaction(
          of: hash, RedactedOriginal(version: LocationRedaction.version, content: nil))
      }
    }
    #expect(try failed() == 4)
    let name = originals[62].sha256Hex
    let path = temporary.library.path.string + "/originals/\(name.prefix(2))/\(name).jpg"
    try? FileManager.default.removeItem(atPath: path)
    try Data(pictures[62].data).write(to: URL(filePath: path))
    _ = try await temporary.add(TestPicture(date: "2024-06-04 12:00:00Z"))
    #expect(try found()[62...] == [true, false, false, false, true, true])
    #expect(try failed() == 3)
  }

  @Test("What a record lacks is computed within the memory limit too")
  func recordOverLimit() async throws {
    var configuration = LibraryConfiguration()
    // The least that a redaction is charged with are four megabytes.
    configuration.memoryMegabytes = 1
    let (temporary, _, ids) = try await library(configuration)
    let client = try temporary.client(.authorized)
    #expect(try client.asset(ids[0]).original == nil)
    configuration.memoryMegabytes = 100
    let larger = try Library.open(at: temporary.library.path, configuration: configuration)
    let id = try #require(client.id)
    let reader = larger.client(id)
    #expect(try reader.asset(ids[0]).original != nil)
  }
}
