import Dispatch
import ImageCodecs
import ImageContainer
import PhotoModel
import PhotoStore

/// Makes thumbnails: check, cache, read, decode, encode, check again.
///
/// At most `jobs` pictures are under way at a time; what each may use of memory is charged to one budget
/// before it is allocated. Equal requests share one decode, whoever asks. A client's right to a picture is
/// asked before its request meets the cache, the original or the requests of others, and again before the
/// result is handed over: revocation holds for decodes under way.
final class ThumbnailPipeline: Sendable {
  /// Bytes.
  private static let largeFile = 16 << 20
  /// Bytes of the files that the kernel is asked for ahead of their decoding.
  private static let readAhead = 48 << 20

  private let store: Store
  private let decoder: ThumbnailDecoder
  /// What is short, and all that forbidden requests meet.
  ///
  /// One at a time: an index and a cache in memory answer in microseconds.
  private let lookUps = WorkQueue(width: 1)
  private let decodes: WorkQueue
  private let shared: SharedWork<WorkKey, Thumbnail>
  private let writer: ThumbnailCacheWriter
  private let decodeWillBegin: @Sendable (AssetID) -> Void

  /// What equal requests have in common.
  ///
  /// One that takes no preview never shares the work of one that does.
  private struct WorkKey: Hashable {
    let thumbnail: ThumbnailKey
    let allowsPreview: Bool
  }

  /// `decodeWillBegin` is called before each decode, on its thread.
  init(
    store: Store, decoder: ThumbnailDecoder, jobs: Int,
    decodeWillBegin: @escaping @Sendable (AssetID) -> Void
  ) {
    self.store = store
    self.decoder = decoder
    self.decodeWillBegin = decodeWillBegin
    let writer = ThumbnailCacheWriter(store: store)
    self.writer = writer
    decodes = WorkQueue(
      width: jobs, prepares: max(2, min(jobs, 8)), preparedBytes: Self.readAhead)
    shared = SharedWork(
      queue: decodes, kept: { writer.find($0.thumbnail) },
      keep: { key, thumbnail in
        // A picture with damage is made anew each time, so that its warning is given each time. Of a preview
        // the cache knows nothing, so that it never stands for the picture.
        if thumbnail.warning == nil, thumbnail.source == .decoded {
          writer.add(key.thumbnail, thumbnail)
        }
      })
  }

  /// How many requests wait for a look-up, and how many for a decode that waits or runs.
  var waiting: (lookUps: Int, decodes: Int) { (lookUps.waiting, shared.waiting) }

  /// Finds what an asset's picture is made from, or throws because the client may not see it.
  typealias OriginalLookup =
    @Sendable (AssetID) throws(LibraryError) -> OriginalReference

  func thumbnail(
    _ request: ThumbnailRequest, original: @escaping OriginalLookup
  ) async throws(LibraryError) -> Thumbnail {
    if let problem = request.recipe.problem {
      throw LibraryError(code: .invalidArgument, message: problem)
    }
    let flag = CancellationFlag()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: @Sendable (Result<Thumbnail, LibraryError>) -> Void = {
          continuation.resume(returning: $0)
        }
        let ticket = lookUps.enqueue(
          request.priority,
          WorkQueue.Job(
            run: { self.lookUp(request, original, flag, answer) },
            abandon: { answer(.failure(.cancelled)) }))
        flag.onCancel { [lookUps] in lookUps.cancel(ticket) }
      }
    } onCancel: {
      flag.cancel()
    }
    return try result.get()
  }

  func cachedThumbnails(
    _ requests: [ThumbnailRequest],
    originals: @escaping @Sendable ([AssetID]) -> [OriginalReference?]
  ) async -> [Thumbnail?] {
    let priority = requests.map(\.priority).max() ?? .batch
    let result = await lookUps.perform(priority) { _ in
      var found = [Thumbnail?](repeating: nil, count: requests.count)
      var places: [Int] = []
      var keys: [ThumbnailKey] = []
      for (place, reference) in originals(requests.map(\.asset)).enumerated() {
        guard let reference, requests[place].usesCache, requests[place].recipe.problem == nil
        else { continue }
        places.append(place)
        keys.append(ThumbnailKey(reference, requests[place].recipe))
      }
      for (place, thumbnail) in zip(places, self.store.thumbnails.find(keys)) {
        found[place] = thumbnail
      }
      return .success(found)
    }
    return (try? result.get()) ?? requests.map { _ in nil }
  }

  func finishCaching() async { await writer.finish() }

  /// Checks the client's right, asks the cache, and else waits for a decode.
  private func lookUp(
    _ request: ThumbnailRequest, _ original: @escaping OriginalLookup, _ flag: CancellationFlag,
    _ answer: @escaping @Sendable (Result<Thumbnail, LibraryError>) -> Void
  ) {
    if flag.isCancelled { return answer(.failure(.cancelled)) }
    // Before the look-up, whose answer then is at least as new.
    let state = try? store.commitState()
    let reference: OriginalReference
    do { reference = try original(request.asset) } catch { return answer(.failure(error)) }
    let key = ThumbnailKey(reference, request.recipe)
    if request.usesCache, let thumbnail = store.thumbnails.find(key) {
      return answer(.success(thumbnail))
    }
    let waiter = SharedWork<WorkKey, Thumbnail>.Waiter(
      priority: request.priority, keeps: request.usesCache,
      deliver: { outcome in
        answer(self.checked(outcome, of: request.asset, seenAt: state, original))
      })
    // Of a file with a preview little is read: the kernel is not asked for the whole of it.
    let preparation =
      request.allowsPreview
      ? nil
      : WorkQueue.Preparation(bytes: Int(clamping: reference.byteSize)) { [store] in
        store.announceOriginal(reference)
      }
    let place = shared.join(
      WorkKey(thumbnail: key, allowsPreview: request.allowsPreview), waiter,
      preparation: preparation
    ) { cancellation in
      self.decodeWillBegin(reference.asset)
      return Result { () throws(LibraryError) -> Thumbnail in
        try self.make(reference, request, cancellation)
      }
    }
    if let place { flag.onCancel { [shared] in shared.leave(place) } }
  }

  /// Asks again, whatever came of the decode: of what was taken from the client meanwhile not even a
  /// fault is told.
  ///
  /// Where nothing at all was committed since the client was seen to see the asset, it still does.
  private func checked(
    _ outcome: Result<Thumbnail, LibraryError>, of id: AssetID, seenAt state: CommitState?,
    _ original: OriginalLookup
  ) -> Result<Thumbnail, LibraryError> {
    if case .failure(.cancelled) = outcome { return outcome }
    if let state, let now = try? store.commitState(), now == state { return outcome }
    do { _ = try original(id) } catch { return .failure(error) }
    return outcome
  }

  private func make(
    _ reference: OriginalReference, _ request: ThumbnailRequest, _ flag: CancellationFlag
  ) throws(LibraryError) -> Thumbnail {
    let file: OriginalFile
    do {
      file = try store.openOriginal(reference)
    } catch {
      throw LibraryError(error)
    }
    defer { withExtendedLifetime(file) {} }
    do {
      let source = CancellableSource(
        file: try FileByteSource(descriptor: file.descriptor), flag: flag)
      var headers: ImageStructure?
      if request.allowsPreview {
        let preview = try PreviewThumbnail(source, decoder: decoder)
        let picture = preview.make(
          orientation: reference.orientation, recipe: request.recipe,
          isCancelled: { flag.isCancelled })
        if let picture {
          return Thumbnail(data: picture.data, size: picture.size, source: .preview)
        }
        headers = preview.structure
      }
      // In a large file much may be a video behind the picture; where it ends only a whole scan tells.
      let structure =
        source.count > Self.largeFile
        ? try ImageStructure.scan(source) : try headers ?? ImageStructure.scanHeaders(source)
      do {
        let picture = try decoder.thumbnail(
          source, structure: structure, orientation: reference.orientation, recipe: request.recipe,
          isCancelled: { flag.isCancelled })
        return Thumbnail(
          data: picture.data, size: picture.size, source: .decoded, warning: picture.warning)
      } catch {
        throw LibraryError(error)
      }
    } catch let error as ByteSourceError {
      throw LibraryError(code: .io, message: error.message)
    } catch let error as ContainerError {
      throw LibraryError(code: .damagedPicture, message: error.message)
    } catch let error as LibraryError {
      throw error
    } catch {
      throw LibraryError(code: .io, message: "\(error)")
    }
  }
}

extension ThumbnailKey {
  init(_ reference: OriginalReference, _ recipe: ThumbnailRecipe) {
    self.init(
      sha256: reference.sha256, orientation: reference.orientation, recipe: recipe,
      scope: reference.cacheScope)
  }
}

extension ThumbnailRecipe {
  /// Why no thumbnail can be made like this, or nil.
  var problem: String? {
    guard (1...8192).contains(size.width), (1...8192).contains(size.height) else {
      return "a thumbnail's sides are 1 to 8192 pixels, not \(size)"
    }
    if case .jpeg(let quality) = encoding, !(1...100).contains(quality) {
      return "JPEG quality is 1 to 100, not \(quality)"
    }
    return nil
  }
}
