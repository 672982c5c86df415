public import PhotoModel

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

  init(
    service: any LibraryService, ids: [AssetID], recipe: ThumbnailRecipe, usesCache: Bool
  ) {
    self.service = service
    self.ids = ids
    self.recipe = recipe
    self.usesCache = usesCache
  }

  /// Starts to iterate; each iterator is on its own.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      Producer(
        service: service,
        requests: ids.map {
          ThumbnailRequest(
            asset: $0, recipe: recipe, usesCache: usesCache, isInteractive: false)
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
  fileprivate actor Producer {
    private enum Slot {
      case ready(Thumbnail)
      case making(Task<Result<Thumbnail, LibraryError>, Never>)
    }

    /// How many identifiers are looked up in the cache at a time: fewer of large thumbnails, since at
    /// most two groups are held in memory.
    private let groupSize: Int

    private let service: any LibraryService
    private let requests: [ThumbnailRequest]
    private var slots: [Slot] = []
    private var started = 0
    private var delivered = 0

    init(service: any LibraryService, requests: [ThumbnailRequest]) {
      self.service = service
      self.requests = requests
      let pixels = Swift.max(1, requests.first?.recipe.size.pixelCount ?? 1)
      groupSize = Swift.max(2, Swift.min(64, (64 << 16) / pixels))
    }

    deinit {
      for case .making(let task) in slots { task.cancel() }
    }

    func next() async -> ThumbnailResult? {
      guard delivered < requests.count, !Task.isCancelled else {
        cancelAll()
        await service.finishCaching()
        return nil
      }
      if slots.count < groupSize / 2, started < requests.count { await startGroup() }
      guard !slots.isEmpty else { return nil }
      let id = requests[delivered].asset
      delivered += 1
      switch slots.removeFirst() {
      case .ready(let thumbnail): return ThumbnailResult(id: id, result: checked(thumbnail, of: id))
      case .making(let task):
        let result = await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          task.cancel()
        }
        return ThumbnailResult(id: id, result: result.flatMap { checked($0, of: id) })
      }
    }

    /// Asks again: the thumbnail was made ahead, and may have waited here while the owner took it back.
    private func checked(
      _ thumbnail: Thumbnail, of id: AssetID
    ) -> Result<Thumbnail, LibraryError> {
      Result { () throws(LibraryError) -> Thumbnail in
        try service.requireVisible(id)
        return thumbnail
      }
    }

    private func startGroup() async {
      let group = Array(requests[started..<Swift.min(requests.count, started + groupSize)])
      started += group.count
      let cached =
        group.first?.usesCache == true
        ? await service.cachedThumbnails(group)
        : [Thumbnail?](repeating: nil, count: group.count)
      for (request, thumbnail) in zip(group, cached) {
        if let thumbnail {
          slots.append(.ready(thumbnail))
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
