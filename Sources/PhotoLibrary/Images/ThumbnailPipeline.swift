import Dispatch
import ImageCodecs
import ImageContainer
import PhotoModel
import PhotoStore

/// Makes thumbnails: check, cache, read, decode, encode, check again.
///
/// At most `jobs` pictures are under way at a time; what each may use of memory is charged to one budget
/// before it is allocated. A client's right to a picture is asked before the cache and the original are
/// touched, and again before the result is handed over: revocation holds for decodes under way.
final class ThumbnailPipeline: Sendable {
  /// Bytes.
  private static let largeFile = 16 << 20

  private let store: Store
  private let decoder: ThumbnailDecoder
  private let queue: DecodeQueue
  private let writer: ThumbnailCacheWriter

  init(store: Store, decoder: ThumbnailDecoder, jobs: Int) {
    self.store = store
    self.decoder = decoder
    queue = DecodeQueue(width: jobs)
    writer = ThumbnailCacheWriter(store: store)
  }

  /// Finds what an asset's picture is made from, or throws because the client may not see it.
  typealias OriginalLookup =
    @Sendable (AssetID) throws(LibraryError) -> OriginalReference

  func thumbnail(
    _ request: ThumbnailRequest, original: @escaping OriginalLookup
  ) async throws(LibraryError) -> Thumbnail {
    if let problem = request.recipe.problem {
      throw LibraryError(code: .invalidArgument, message: problem)
    }
    let result = await queue.perform(request.isInteractive ? .interactive : .batch) { flag in
      Result { () throws(LibraryError) -> Thumbnail in
        try self.make(request, original: original, flag: flag)
      }
    }
    return try result.get()
  }

  func cachedThumbnails(
    _ requests: [ThumbnailRequest],
    originals: @escaping @Sendable ([AssetID]) -> [OriginalReference?]
  ) async -> [Thumbnail?] {
    let result = await queue.perform(.interactive) { _ in
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

  private func make(
    _ request: ThumbnailRequest, original: OriginalLookup, flag: CancellationFlag
  ) throws(LibraryError) -> Thumbnail {
    let reference = try original(request.asset)
    let key = ThumbnailKey(reference, request.recipe)
    if request.usesCache, let thumbnail = store.thumbnails.find(key) { return thumbnail }
    let picture = try decode(reference, request.recipe, flag)
    let thumbnail: Thumbnail
    do {
      thumbnail = Thumbnail(
        data: try ImageEncoder.encode(picture.pixels, as: request.recipe.encoding),
        size: picture.pixels.size, source: .decoded, warning: picture.warning)
    } catch {
      throw LibraryError(error)
    }
    _ = try original(request.asset)
    // A picture with damage is made anew each time, so that its warning is given each time.
    if request.usesCache, picture.warning == nil { writer.add(key, thumbnail) }
    return thumbnail
  }

  private func decode(
    _ reference: OriginalReference, _ recipe: ThumbnailRecipe, _ flag: CancellationFlag
  ) throws(LibraryError) -> DecodedPicture {
    let file: OriginalFile
    do {
      file = try store.openOriginal(reference)
    } catch {
      throw LibraryError(error)
    }
    defer { withExtendedLifetime(file) {} }
    do {
      let source = try FileByteSource(descriptor: file.descriptor)
      // In a large file much may be a video behind the picture; where it ends only a whole scan tells.
      let structure =
        source.count > Self.largeFile
        ? try ImageStructure.scan(source) : try ImageStructure.scanHeaders(source)
      do {
        return try decoder.decode(
          source, structure: structure, orientation: reference.orientation, recipe: recipe,
          isCancelled: { flag.isCancelled })
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
