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
  private let hub: ObserverHub
  private let pipeline: ThumbnailPipeline
  private let reader: ImageDataReader
  private let decoder: ThumbnailDecoder
  let policy: SharedPolicy

  private init(path: FilePath, store: Store, configuration: LibraryConfiguration) {
    self.path = path
    self.store = store
    hub = ObserverHub(store)
    let budget = DecodeBudget(limits: configuration.limits)
    decoder = ThumbnailDecoder(budget: budget)
    reader = ImageDataReader(store: store, budget: budget)
    pipeline = ThumbnailPipeline(
      store: store, decoder: decoder,
      jobs: max(1, configuration.decodeJobs ?? UsableCores.count),
      decodeWillBegin: configuration.decodeWillBegin)
    policy = SharedPolicy(try? CreationDatePolicy(timeZone: store.timeZoneName))
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

  /// The owner's view: everything.
  public var owner: LibraryClient { client(gateOf: nil) }

  /// The library as one client sees it.
  ///
  /// Makes nothing; the client need not be known.
  public func client(_ id: ClientID) -> LibraryClient { client(gateOf: id) }

  private func client(gateOf id: ClientID?) -> LibraryClient {
    LibraryClient(
      service: AccessGate(
        store: store, pipeline: pipeline, reader: reader, importing: importing, client: id),
      hub: hub)
  }

  /// How many thumbnails wait for a look-up, and how many for a decode that waits or runs.
  package var waitingThumbnails: (lookUps: Int, decodes: Int) { pipeline.waiting }

  private var importing: Importing {
    Importing(store: store, decoder: decoder) { [store, policy] () throws(LibraryError) in
      if let known = policy.value.withLock({ $0 }) { return known }
      return try Self.policy(forTimeZone: store.timeZoneName)
    }
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

/// The policy of the time zone that was set last, which clients know without holding their library.
final class SharedPolicy: Sendable {
  let value: Mutex<CreationDatePolicy?>

  init(_ policy: CreationDatePolicy?) { value = Mutex(policy) }
}
