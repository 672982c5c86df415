public import PhotoModel
import PhotoStore

/// One asset's thumbnail, or why there is none.
public struct ThumbnailResult: Sendable {
  /// The identifier, the same for all clients.
  public let id: AssetID
  /// The thumbnail, or the failure of this one asset.
  public let result: Result<Thumbnail, LibraryError>
}

/// Thumbnails of many assets, in the order in which they were asked for, as an `AsyncSequence`.
///
/// Work runs ahead of the consumer by a bounded number of pictures. What the cache has is read in
/// groups. Ending the loop early, or cancelling its task, cancels what is under way.
public struct ThumbnailSequence: AsyncSequence, Sendable {
  /// What the sequence yields.
  public typealias Element = ThumbnailResult

  private let service: any LibraryService
  private let ids: [AssetID]
  private let recipe: ThumbnailRecipe
  private let usesCache: Bool
  private let allowsPreview: Bool

  init(
    service: any LibraryService, ids: [AssetID], recipe: ThumbnailRecipe, usesCache: Bool,
    allowsPreview: Bool
  ) {
    self.service = service
    self.ids = ids
    self.recipe = recipe
    self.usesCache = usesCache
    self.allowsPreview = allowsPreview
  }

  /// Starts to iterate; each iterator is on its own.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      Producer(
        service: service,
        requests: ids.map {
          ThumbnailRequest(
            asset: $0, recipe: recipe, usesCache: usesCache, priority: .batch,
            allowsPreview: allowsPreview)
        }))
  }

  /// Waits for the thumbnails, one at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let producer: Producer

    fileprivate init(_ producer: Producer) { self.producer = producer }

    /// The next thumbnail or failure; nil behind the last, when the cache has all of them too.
    public mutating func next() async -> ThumbnailResult? { await producer.next() }
  }

  /// Keeps the slots between what was started and what was handed out.
  ///
  /// While one group is handed out the next is looked up, and what the cache does not have of it is
  /// made: at most two groups are held in memory.
  fileprivate actor Producer {
    private enum Slot {
      /// From the cache, and the state of the library since which the client saw the asset.
      case ready(Thumbnail, CommitState?)
      case making(Task<Result<Thumbnail, LibraryError>, Never>)
    }

    /// How many identifiers are looked up in the cache at a time: fewer of large thumbnails.
    private let groupSize: Int

    private let service: any LibraryService
    private let requests: [ThumbnailRequest]
    private var slots: [Slot] = []
    /// The look-up that runs ahead; nil where none does.
    private var lookUp: Task<Void, Never>?
    private var started = 0
    private var delivered = 0

    init(service: any LibraryService, requests: [ThumbnailRequest]) {
      self.service = service
      self.requests = requests
      let pixels = Swift.max(1, requests.first?.recipe.size.pixelCount ?? 1)
      groupSize = Swift.max(2, Swift.min(64, (64 << 16) / pixels))
    }

    deinit {
      lookUp?.cancel()
      for case .making(let task) in slots { task.cancel() }
    }

    func next() async -> ThumbnailResult? {
      lookAhead()
      while slots.isEmpty, let lookUp, !Task.isCancelled {
        await withTaskCancellationHandler {
          await lookUp.value
        } onCancel: {
          lookUp.cancel()
        }
      }
      guard !slots.isEmpty, !Task.isCancelled else {
        cancelAll()
        await service.finishCaching()
        return nil
      }
      let id = requests[delivered].asset
      delivered += 1
      let slot = slots.removeFirst()
      lookAhead()
      switch slot {
      case .ready(let thumbnail, let state):
        return ThumbnailResult(id: id, result: checked(thumbnail, of: id, seenAt: state))
      case .making(let task):
        let result = await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          task.cancel()
        }
        return ThumbnailResult(
          id: id, result: result.flatMap { checked($0, of: id, seenAt: nil) })
      }
    }

    /// Asks again: the thumbnail was made ahead, and may have waited here while the owner took it back.
    ///
    /// Where nothing at all was committed since the client was seen to see the asset, it still does.
    private func checked(
      _ thumbnail: Thumbnail, of id: AssetID, seenAt state: CommitState?
    ) -> Result<Thumbnail, LibraryError> {
      Result { () throws(LibraryError) -> Thumbnail in
        if let state, try service.commitState() == state { return thumbnail }
        try service.requireVisible(id)
        return thumbnail
      }
    }

    /// Starts to look up the next group, once there is room for it.
    private func lookAhead() {
      guard lookUp == nil, slots.count <= groupSize, started < requests.count else { return }
      let range = started..<Swift.min(requests.count, started + groupSize)
      started = range.upperBound
      lookUp = Task { [weak self, service, requests] in
        let group = Array(requests[range])
        // Before the look-up, whose answer then is at least as new.
        let state = try? service.commitState()
        let cached =
          group.first?.usesCache == true
          ? await service.cachedThumbnails(group)
          : [Thumbnail?](repeating: nil, count: group.count)
        await self?.enter(group, cached, seenAt: state)
      }
    }

    private func enter(
      _ group: [ThumbnailRequest], _ cached: [Thumbnail?], seenAt state: CommitState?
    ) {
      lookUp = nil
      // A look-up that was cancelled found nothing, and nobody wants it made.
      if Task.isCancelled { return }
      for (request, thumbnail) in zip(group, cached) {
        if let thumbnail {
          slots.append(.ready(thumbnail, state))
          continue
        }
        slots.append(
          .making(
            Task { [service] in
              await Result { () async throws(LibraryError) -> Thumbnail in
                try await service.thumbnail(request)
              }
            }))
      }
    }

    private func cancelAll() {
      started = requests.count
      lookUp?.cancel()
      for case .making(let task) in slots { task.cancel() }
      slots = []
    }
  }
}

extension Result where Success: Sendable {
  fileprivate init(catching body: () async throws(Failure) -> Success) async {
    do {
      self = .success(try await body())
    } catch {
      self = .failure(error)
    }
  }
}
