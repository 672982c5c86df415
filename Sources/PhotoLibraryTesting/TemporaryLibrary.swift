import FoundationEssentials
public import PhotoLibrary
public import PhotoModel
import PhotoStore
import Synchronization

/// A library in a folder of its own, for one test; the folder goes when this value's last reference does.
///
/// Time, identifiers and keys are made up: the clock starts at 2026-01-01T00:00:00Z and moves on by a
/// millisecond each time it is read, and identifiers and keys come from seeded generators, so two runs of a
/// test see the same.
public final class TemporaryLibrary: Sendable {
  /// The library, open for writing.
  public let library: Library
  /// A folder for a test's own files, beside the library; it goes with it.
  public let folder: FilePath
  private let root: String
  private let source: Source

  /// Makes an empty library.
  ///
  /// - Parameters:
  ///   - timeZone: the zone of pictures that name no offset.
  ///   - seed: what identifiers and keys are made from.
  ///   - configuration: limits of decoding.
  /// - Throws: what making a folder or a library throws.
  public init(
    timeZone: String = "UTC", seed: UInt64 = 1,
    configuration: LibraryConfiguration = LibraryConfiguration()
  ) throws {
    let root = FileManager.default.temporaryDirectory.path + "/photolib-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: root + "/files", withIntermediateDirectories: true)
    self.root = root
    folder = FilePath(root + "/files")
    var configuration = configuration
    let source = Source(seed: seed)
    self.source = source
    configuration.environment = StoreEnvironment(
      now: { source.now() }, makeAssetID: { source.makeAssetID() },
      makeRandomBytes: { (count) throws(StoreError) in source.makeRandomBytes(count) },
      busyTimeoutMilliseconds: 5_000)
    library = try Library.create(
      at: FilePath(root + "/Test.photolib"), timeZone: timeZone, configuration: configuration)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Adds made pictures as the owner, in the order given.
  ///
  /// - Parameter pictures: what to add; pictures that are alike count as one, as in any library.
  /// - Returns: One asset a picture.
  /// - Throws: ``LibraryError`` if one could not be added.
  @discardableResult
  public func add(_ pictures: TestPicture...) async throws -> [AssetID] {
    try await add(pictures)
  }

  /// Adds made pictures as the owner, in the order given.
  @discardableResult
  public func add(_ pictures: [TestPicture]) async throws -> [AssetID] {
    var ids: [AssetID] = []
    for picture in pictures {
      ids.append(try await add(picture.data, named: picture.defaultFileName))
    }
    return ids
  }

  /// Adds a file's bytes as the owner.
  ///
  /// - Parameters:
  ///   - data: the bytes of a JPEG or PNG file.
  ///   - name: the name that the asset will have.
  /// - Returns: The asset.
  /// - Throws: ``LibraryError`` if it could not be added.
  @discardableResult
  public func add(_ data: [UInt8], named name: String) async throws -> AssetID {
    let report = try await library.add([try write(data, named: name)])
    guard let id = report.entries.first?.id else {
      throw LibraryError(
        code: .damagedPicture, message: report.failures.first?.reason ?? "it was not added")
    }
    return id
  }

  /// Writes a file into a new folder under `folder`, so that names never clash.
  ///
  /// - Returns: Its path.
  public func write(_ data: [UInt8], named name: String) throws -> FilePath {
    let place = folder.string + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Data(data).write(to: URL(filePath: place + "/" + name))
    return FilePath(place + "/" + name)
  }

  /// A client for which the owner has decided.
  ///
  /// - Parameters:
  ///   - status: its status for reading and writing; adding is authorized where reading is.
  ///   - id: a reverse-DNS name.
  ///   - selection: what a limited client sees.
  ///   - location: whether it may know places.
  /// - Returns: The library as this client sees it.
  /// - Throws: ``LibraryError`` if the selection names what does not exist.
  public func client(
    _ status: AuthorizationStatus, id: String = "org.example.app",
    selecting selection: [AssetID] = [], location: Bool = false
  ) throws -> LibraryClient {
    guard let client = ClientID(id) else {
      throw LibraryError(code: .invalidArgument, message: "not a client identifier: \(id)")
    }
    switch status {
    case .notDetermined: break
    case .restricted: try library.setAccess(of: client, .restrict, location: location)
    case .denied: try library.setAccess(of: client, .deny, location: location)
    case .authorized: try library.setAccess(of: client, .full, location: location)
    case .limited:
      try library.setAccess(of: client, .limited, location: location)
      _ = try library.select(.replace(selection), for: client)
    }
    return library.client(client)
  }

  /// Answers the next request that a client makes, or the one that waits, as its owner would.
  ///
  /// - Parameter answer: full, limited or denied.
  /// - Returns: The request, as it was asked.
  /// - Throws: ``LibraryError`` `cancelled` where the task was, or what reading or writing the library throws.
  @discardableResult
  public func answerNextRequest(_ answer: RequestAnswer) async throws -> AccessRequest {
    while true {
      if let request = try library.pendingRequests().first {
        try library.answer(request.id, answer)
        return request
      }
      do {
        try await Task.sleep(for: .milliseconds(2))
      } catch {
        throw LibraryError(code: .cancelled, message: "it was cancelled")
      }
    }
  }

  /// Sets the clock, which moves on from there by a millisecond each time it is read.
  public func setClock(to now: Instant) { source.setClock(to: now) }

  /// Makes identifiers and keys from another seed from now on.
  public func reseed(_ seed: UInt64) { source.reseed(seed) }

  /// A second handle on the same library, as another process would have it.
  ///
  /// - Throws: ``LibraryError`` if it cannot be opened.
  public func reopened(mode: Library.Mode = .readWrite) throws -> Library {
    try Library.open(at: library.path, mode: mode)
  }

  /// Time, identity and keys, the same in every run.
  private final class Source: Sendable {
    private struct State {
      var clock = Instant(nanoseconds: 1_767_225_600_000_000_000)
      var identifiers: SplitMix64
      // Of its own, so that identifiers do not depend on how many keys are made.
      var secrets: SplitMix64
    }
    private let state: Mutex<State>

    init(seed: UInt64) {
      state = Mutex(
        State(identifiers: SplitMix64(state: seed), secrets: SplitMix64(state: ~seed)))
    }

    func now() -> Instant {
      state.withLock { state in
        state.clock.nanoseconds += 1_000_000
        return state.clock
      }
    }

    func setClock(to now: Instant) { state.withLock { $0.clock = now } }

    func reseed(_ seed: UInt64) {
      state.withLock {
        $0.identifiers = SplitMix64(state: seed)
        $0.secrets = SplitMix64(state: ~seed)
      }
    }

    func makeAssetID() -> AssetID {
      var bytes = state.withLock { $0.identifiers.bytes(16) }
      bytes[6] = bytes[6] & 0x0F | 0x40
      bytes[8] = bytes[8] & 0x3F | 0x80
      return AssetID(bytes: bytes) ?? AssetID()
    }

    func makeRandomBytes(_ count: Int) -> [UInt8] { state.withLock { $0.secrets.bytes(count) } }
  }
}

/// The generator of Steele, Lea and Flood (OOPSLA 2014).
private struct SplitMix64 {
  var state: UInt64

  mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      z ^= z >> 31
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: z >> (8 * shift))) }
    }
    return Array(bytes.prefix(count))
  }
}
