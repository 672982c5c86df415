import FoundationEssentials
import Glibc
import PhotoModel
import Synchronization
import Testing

@testable import PhotoStore

/// A folder of its own for one test, removed with this object.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let template = Array("/tmp/photostore-test-XXXXXX".utf8CString)
    path = unsafe try template.withUnsafeBufferPointer { pattern in
      var copy = unsafe Array(pattern)
      let made = unsafe mkdtemp(&copy)
      try #require(unsafe made != nil)
      return String(decoding: copy.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file and opens it for reading.
  func file(_ bytes: [UInt8], name: String = "source") throws -> Descriptor {
    try Data(bytes).write(to: URL(filePath: path(name)))
    let raw = unsafe open(path(name), O_RDONLY)
    try #require(raw >= 0)
    return Descriptor(raw)
  }
}

/// A clock that a test sets.
final class TestClock: Sendable {
  private let time: Mutex<Int64>
  init(_ nanoseconds: Int64 = 1_700_000_000_000_000_000) { time = Mutex(nanoseconds) }
  var now: Instant { Instant(nanoseconds: time.withLock { $0 }) }
  func set(_ nanoseconds: Int64) { time.withLock { $0 = nanoseconds } }
}

/// A library in a temporary folder, and short words for what tests do with it.
final class TestLibrary: Sendable {
  /// The folder around it; nil for a library in another process's folder.
  let temporary: TemporaryFolder?
  let parent: String
  let store: Store
  let clock: TestClock
  let path: String

  /// Makes a library in a folder, nil for a temporary one; a seed makes its keys the same each time.
  init(in parent: String? = nil, clock: TestClock = TestClock(), seed: UInt64? = nil) throws {
    temporary = parent == nil ? try TemporaryFolder() : nil
    self.parent = try #require(parent ?? temporary?.path)
    self.clock = clock
    path = self.parent + "/Photos.photolib"
    var environment = TestLibrary.environment(clock)
    if let seed {
      let random = Mutex(SeededGenerator(state: seed))
      environment.makeRandomBytes = { (count) throws(StoreError) in
        random.withLock { random in (0..<count).map { _ in .random(in: 0...255, using: &random) } }
      }
    }
    store = try Store.create(at: path, timeZone: "Europe/Berlin", environment: environment)
  }

  /// Words for a store that is open already.
  init(opened store: Store, at path: String) throws {
    temporary = nil
    parent = path.prefixUpToLastSlash
    clock = TestClock()
    self.path = path
    self.store = store
  }

  static func environment(_ clock: TestClock, timeout: Int = 5_000) -> StoreEnvironment {
    StoreEnvironment(
      now: { clock.now }, makeAssetID: { AssetID() }, busyTimeoutMilliseconds: timeout)
  }

  var folder: TemporaryFolder {
    get throws { try #require(temporary) }
  }

  /// Another store on the same folder.
  func reopen(_ mode: StoreMode = .readWrite, timeout: Int = 5_000) throws -> Store {
    try Store.open(
      at: path, mode: mode, environment: TestLibrary.environment(clock, timeout: timeout))
  }

  /// Adds one picture and returns its identifier.
  @discardableResult
  func add(
    _ content: String, by adder: Adder = .owner, _ change: (inout NewAsset) -> Void = { _ in }
  ) throws -> AssetID {
    switch try outcome(content, by: adder, change) {
    case .added(let id): return id
    case let other: throw UnexpectedOutcome(outcome: other)
    }
  }

  struct UnexpectedOutcome: Error { let outcome: AddOutcome }

  func outcome(
    _ content: String, by adder: Adder = .owner, _ change: (inout NewAsset) -> Void = { _ in }
  ) throws -> AddOutcome {
    let session = try store.beginImport()
    defer { session.end() }
    var asset = try newAsset(content, session)
    change(&asset)
    return try #require(try session.commit([asset], by: adder).first)
  }

  /// Bytes that begin like a JPEG.
  static func bytes(_ content: String) -> [UInt8] { [0xff, 0xd8, 0xff, 0xe0] + content.utf8 }

  func newAsset(_ content: String, _ session: ImportSession) throws -> NewAsset {
    asset(try session.stage(TestLibrary.bytes(content)), name: content + ".jpg")
  }

  func asset(_ original: StagedOriginal, name: String) -> NewAsset {
    NewAsset(
      original: original, fileName: FileName(name), format: .jpeg,
      pixelSize: PixelSize(width: 40, height: 30), orientation: .up,
      creationDate: TestLibrary.date(2024, 5, 17), dateCandidates: [], location: nil, camera: nil,
      damage: nil, undecodable: nil)
  }

  /// Noon of a day at an offset in minutes, known or not.
  static func date(
    _ year: Int, _ month: Int, _ day: Int, hour: Int = 12, offset: Int? = 0
  ) -> CreationDate {
    let wall =
      WallClock(year: year, month: month, day: day, hour: hour)
      ?? WallClock(nanosecondsSince1970: 0)
    guard let wall else { preconditionFailure("1970 is a year of photography") }
    return CreationDate(
      wallClock: wall, offset: UTCOffset(minutes: offset ?? 60) ?? .utc,
      isOffsetKnown: offset != nil, source: .exifDateTimeOriginal)
  }

  func ids(
    _ query: FetchQuery = FetchQuery(), _ visibility: Visibility = .owner, in store: Store? = nil
  ) throws -> [AssetID] {
    try (store ?? self.store).read { (transaction) throws(StoreError) in
      try transaction.identifiers(query, visibility)
    }.ids
  }

  func asset(_ id: AssetID, _ visibility: Visibility = .owner) throws -> Asset? {
    try store.read { (transaction) throws(StoreError) in
      try transaction.assets([id], visibility, dateCandidates: true)
    }[0]
  }

  func select(_ client: ClientID, _ ids: [AssetID]) throws {
    _ = try store.write { (transaction) throws(StoreError) in
      try transaction.setAccess(client, readWrite: .limited, addOnly: nil, location: nil)
      return try transaction.replaceSelection(of: client, with: ids)
    }
  }

  func sha(_ content: String) throws -> [UInt8] {
    try ContentHash.of(TestLibrary.bytes(content))
  }

  /// The path of the original of a content.
  func original(_ content: String) throws -> String {
    let name = OriginalName(sha256: try sha(content), format: .jpeg)
    return path + "/originals/" + name.shard + "/" + name.fileName
  }

  func findings(readData: Bool = false, in store: Store? = nil) throws -> [CheckFinding] {
    var findings: [CheckFinding] = []
    try (store ?? self.store).check(
      readData: readData, progress: { _, _ in }, finding: { findings.append($0) })
    return findings
  }

  /// Runs SQL past the store, as damage or as what a later version does.
  func tamper(_ sql: String, file: String = "library.sqlite") throws {
    let connection = try Connection(
      path: path + "/" + file, purpose: .writer, busyTimeoutMilliseconds: 5_000)
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.execute(sql)
  }

  /// Hides, trashes or changes an asset, as commands that are still to come do.
  func update(_ id: AssetID, _ assignment: String) throws {
    let hex = id.bytes.hexadecimal
    try tamper("UPDATE assets SET \(assignment) WHERE uuid = x'\(hex)'")
  }
}

extension ImportSession {
  /// Adds as somebody about whom nothing is decided meanwhile.
  func commit(_ assets: [NewAsset], by adder: Adder) throws(StoreError) -> [AddOutcome] {
    try commit(assets) { (_) throws(StoreError) in adder }
  }
}

func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

func mode(_ path: String) -> UInt32 {
  var status = stat()
  guard unsafe lstat(path, &status) == 0 else { return 0 }
  return UInt32(status.st_mode) & 0o7777
}

/// Waits until a condition holds; false after ten seconds.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<2_000 {
    if try condition() { return true }
    usleep(5_000)
  }
  return false
}

/// A client for tests; the names are valid.
func client(_ name: String) throws -> ClientID { try #require(ClientID(name)) }

/// Cuts a file to a length, a read-only one too.
func cut(_ path: String, to length: Int) {
  let old = mode(path)
  _ = unsafe chmod(path, 0o600)
  _ = unsafe truncate(path, length)
  _ = unsafe chmod(path, mode_t(old))
}

/// Lines that several threads collect.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  func append(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}
