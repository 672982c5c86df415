import Dispatch
import PhotoModel
import PhotoStore
import Synchronization

/// Puts thumbnails into the cache in batches, away from the threads that decode.
final class ThumbnailCacheWriter: Sendable {
  private struct Waiting {
    var pictures: [ThumbnailKey: Thumbnail] = [:]
    /// What is being written at the moment.
    var writing: [ThumbnailKey: Thumbnail] = [:]
    var bytes = 0
    var isScheduled = false
  }

  private static let batchSize = 64
  /// Bytes of pictures after which a batch is written too.
  private static let batchBytes = 4 << 20
  /// Bytes of pictures that wait where another process keeps the cache busy; more are not kept.
  private static let waitingLimit = 32 << 20
  private static let delay = DispatchTimeInterval.milliseconds(100)

  private let store: Store
  private let waiting = Mutex(Waiting())
  private let queue = DispatchQueue(label: "photolib.cache", qos: .utility)

  init(store: Store) { self.store = store }

  deinit {
    // Nobody else holds the entries now; the last ones are worth their transaction.
    store(waiting.withLock { $0.pictures })
  }

  /// A picture that is not written yet.
  func find(_ key: ThumbnailKey) -> Thumbnail? {
    waiting.withLock { $0.pictures[key] ?? $0.writing[key] }
      .map { Thumbnail(data: $0.data, size: $0.size, source: .cache, warning: $0.warning) }
  }

  func add(_ key: ThumbnailKey, _ thumbnail: Thumbnail) {
    let deadline = waiting.withLock { waiting -> DispatchTime? in
      let bytes = waiting.bytes + thumbnail.data.count
      guard bytes <= Self.waitingLimit, waiting.pictures[key] == nil else { return nil }
      let isLarge = waiting.bytes < Self.batchBytes && bytes >= Self.batchBytes
      waiting.pictures[key] = thumbnail
      waiting.bytes = bytes
      if isLarge || waiting.pictures.count == Self.batchSize { return .now() }
      if waiting.isScheduled { return nil }
      waiting.isScheduled = true
      return .now() + Self.delay
    }
    if let deadline {
      queue.asyncAfter(deadline: deadline) { [weak self] in self?.write() }
    }
  }

  /// Returns when all that was added before is written.
  func finish() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.write()
        continuation.resume()
      }
    }
  }

  /// Runs on `queue` alone.
  private func write() {
    let pictures = waiting.withLock { waiting in
      let pictures = waiting.pictures
      waiting = Waiting(writing: pictures)
      return pictures
    }
    store(pictures)
    waiting.withLock { $0.writing = [:] }
  }

  private func store(_ pictures: [ThumbnailKey: Thumbnail]) {
    if !pictures.isEmpty { store.thumbnails.store(pictures.map { ($0.key, $0.value) }) }
  }
}
