import ImageCodecs
import ImageMetadata
@_exported public import PhotoModel
import PhotoStore
import Synchronization

/// A photo library on disk, opened by its owner.
///
/// The owner adds photographs, decides what each client may see, and hands out ``LibraryClient`` values.
/// In one process this is a contract, not a wall: code that can open the folder can read it.
/// Safe from any thread; several processes may have the same library open.
public final class Library: Sendable {
  /// What a library is opened for.
  public enum Mode: Sendable {
    case readOnly
    case readWrite
  }

  /// Where the library is.
  public let path: FilePath
  let store: Store
  private let pipeline: ThumbnailPipeline
  private let reader: ImageDataReader
  private let decoder: ThumbnailDecoder
  private let policy: Mutex<CreationDatePolicy?>

  private init(path: FilePath, store: Store, configuration: LibraryConfiguration) {
    self.path = path
    self.store = store
    let budget = DecodeBudget(limits: configuration.limits)
    decoder = ThumbnailDecoder(budget: budget)
    reader = ImageDataReader(store: store, budget: budget)
    pipeline = ThumbnailPipeline(
      store: store, decoder: decoder,
      jobs: max(1, configuration.decodeJobs ?? UsableCores.count),
      decodeWillBegin: configuration.decodeWillBegin)
    policy = Mutex(try? CreationDatePolicy(timeZone: store.timeZoneName))
  }

  /// Makes an empty library, readable by this user only.
  ///
  /// - Parameters:
  ///   - path: a folder that does not exist yet, or is empty; folders above it are made.
  ///   - timeZone: the zone of photographs that name no offset ("Europe/Berlin"); nil for the
  ///     system's.
  ///   - configuration: limits of this process.
  /// - Returns: The library, open for writing, with the client `local.default` fully authorized.
  /// - Throws: ``LibraryError`` `cannotCreate`, `invalidArgument` for an unknown zone, `noSpace`.
  public static func create(
    at path: FilePath, timeZone: String? = nil,
    configuration: LibraryConfiguration = LibraryConfiguration()
  ) throws(LibraryError) -> Library {
    let zone = timeZone ?? CreationDatePolicy.systemTimeZoneName
    _ = try policy(forTimeZone: zone)
    let folder = try text(of: path)
    let store: Store
    do {
      store = try Store.create(
        at: folder, timeZone: zone, environment: configuration.environment)
    } catch {
      throw LibraryError(error)
    }
    return Library(path: path, store: store, configuration: configuration)
  }

  /// Opens a library.
  ///
  /// - Parameters:
  ///   - path: the library's folder.
  ///   - mode: reading leaves the index and the originals alone, and works on a read-only medium;
  ///     thumbnails are kept where the folder can be written.
  ///   - configuration: limits of this process.
  /// - Returns: The library.
  /// - Throws: ``LibraryError`` `libraryNotFound`, `notALibrary`, `libraryTooNew`,
  ///   `damagedLibrary`, `readOnly`, `closedToUser`.
  public static func open(
    at path: FilePath, mode: Mode = .readWrite,
    configuration: LibraryConfiguration = LibraryConfiguration()
  ) throws(LibraryError) -> Library {
    let folder = try text(of: path)
    let store: Store
    do {
      store = try Store.open(
        at: folder, mode: mode == .readOnly ? .readOnly : .readWrite,
        environment: configuration.environment)
    } catch {
      throw LibraryError(error)
    }
    return Library(path: path, store: store, configuration: configuration)
  }

  /// Whether there is a photo library at the path.
  public static func exists(at path: FilePath) -> Bool { Store.isLibrary(at: path.string) }

  /// SQLite takes its paths as UTF-8.
  private static func text(of path: FilePath) throws(LibraryError) -> String {
    guard let text = String(validating: path.bytes, as: UTF8.self), !text.isEmpty else {
      throw LibraryError(
        code: .invalidArgument, message: "a library's path must be UTF-8 and not empty")
    }
    return text
  }

  private static func policy(
    forTimeZone name: String
  ) throws(LibraryError) -> CreationDatePolicy {
    do {
      return try CreationDatePolicy(timeZone: name)
    } catch {
      throw LibraryError(
        code: .invalidArgument,
        message: "no time zone is called '\(name)'; names are like Europe/Berlin or UTC")
    }
  }

  // MARK: - Readers

  /// The owner's view: everything.
  public var owner: LibraryClient { client(gateOf: nil) }

  /// The library as one client sees it.
  ///
  /// Makes nothing; the client need not be known.
  public func client(_ id: ClientID) -> LibraryClient { client(gateOf: id) }

  private func client(gateOf id: ClientID?) -> LibraryClient {
    LibraryClient(
      gate: AccessGate(store: store, pipeline: pipeline, reader: reader, client: id),
      importing: importing)
  }

  /// How many thumbnails wait for a look-up, and how many for a decode that waits or runs.
  package var waitingThumbnails: (lookUps: Int, decodes: Int) { pipeline.waiting }

  private var importing: Importing {
    Importing(store: store, decoder: decoder) { [self] () throws(LibraryError) in
      if let known = policy.withLock({ $0 }) { return known }
      return try Self.policy(forTimeZone: store.timeZoneName)
    }
  }

  // MARK: - The owner's library

  /// The zone of photographs that name no offset, as it was when the library was opened or last set here.
  public var timeZone: String { policy.withLock { $0?.timeZoneName } ?? store.timeZoneName }

  /// Changes the library's time zone and moves the assets that name no offset.
  ///
  /// - Parameter name: a zone of the time zone database ("Europe/Berlin").
  /// - Throws: ``LibraryError`` `invalidArgument` for an unknown zone; nothing is changed then.
  public func setTimeZone(_ name: String) throws(LibraryError) {
    let new = try Self.policy(forTimeZone: name)
    try write { (transaction) throws(StoreError) in
      try transaction.setTimeZone(name) { new.offset(at: $0) }
    }
    policy.withLock { $0 = new }
  }

  /// Adds files and folders.
  ///
  /// Pictures are recognised by content. Folders are walked; in them hidden files are passed over,
  /// links are not followed, and files that are neither JPEG nor PNG are counted by type. What is
  /// reported as added is durable. A file that cannot be added is reported and the rest goes on.
  /// Cancelling the task ends the work soon, with everything reported so far kept.
  ///
  /// - Parameters:
  ///   - paths: files and folders.
  ///   - options: what to do about damaged pictures; a dry run.
  ///   - onEvent: called on a Dispatch queue, in order, as the work goes on.
  /// - Returns: What became of each file.
  /// - Throws: ``LibraryError`` for what ended the work as a whole.
  public func add(
    _ paths: [FilePath], options: AddOptions = AddOptions(),
    onEvent: @escaping @Sendable (AddEvent) -> Void = { _ in }
  ) async throws(LibraryError) -> AddReport {
    try await importing.add(paths, as: .owner, options: options, onEvent: onEvent)
  }

  /// Counts and bytes of the whole library.
  public func statistics() throws(LibraryError) -> LibraryStatistics {
    LibraryStatistics(
      try read { (transaction) throws(StoreError) in try transaction.statistics() })
  }

  /// Proves index and files against each other, both ways; changes nothing.
  ///
  /// - Parameters:
  ///   - readData: whether every original is read and hashed too.
  ///   - onProgress: originals looked at, and all of them.
  ///   - onFinding: called for each fault, as it is found.
  /// - Returns: The number of findings; 0 means that the library is whole.
  /// - Throws: ``LibraryError`` if the check itself could not go on.
  public func check(
    readData: Bool = false, onProgress: (Int, Int) -> Void = { _, _ in },
    onFinding: (CheckFinding) -> Void
  ) throws(LibraryError) -> Int {
    var findings = 0
    do {
      try store.check(readData: readData, progress: onProgress) { finding in
        findings += 1
        onFinding(CheckFinding(finding))
      }
    } catch {
      throw LibraryError(error)
    }
    return findings
  }

  func read<R>(
    _ body: (ReadTransaction) throws(StoreError) -> R
  ) throws(LibraryError) -> R {
    do { return try store.read(body) } catch { throw LibraryError(error) }
  }

  func write<R>(
    _ body: (WriteTransaction) throws(StoreError) -> R
  ) throws(LibraryError) -> R {
    do { return try store.write(body) } catch { throw LibraryError(error) }
  }
}
