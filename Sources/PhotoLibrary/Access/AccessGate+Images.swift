package import PhotoModel
import PhotoStore

extension AccessGate {
  package func thumbnail(_ request: ThumbnailRequest) async throws(LibraryError) -> Thumbnail {
    try await pipeline.thumbnail(request) { (id) throws(LibraryError) in try original(id) }
  }

  package func prefetch(_ request: ThumbnailRequest) async {
    // Without a cache nobody would find it.
    guard (try? store.thumbnails.requireWritable()) != nil else { return }
    _ = try? await thumbnail(request)
  }

  package func imageData(_ id: AssetID) async throws(LibraryError) -> ImageData {
    try await reader.imageData { () throws(LibraryError) in
      let (isPermitted, found) = try read {
        (transaction, visibility) throws(StoreError) -> (Bool, (OriginalReference, Bool)?) in
        if visibility == .nothing { return (false, nil) }
        let reference = try transaction.original(id, visibility)
        return (true, reference.map { ($0, visibility.includesLocation) })
      }
      guard isPermitted else { throw .notPermitted }
      guard let (original, includesLocation) = found else { throw .identifierNotFound }
      return (original, includesLocation)
    }
  }

  package func cachedThumbnails(_ requests: [ThumbnailRequest]) async -> [Thumbnail?] {
    await pipeline.cachedThumbnails(requests) { (ids) in
      let references = try? read {
        (transaction, visibility) throws(StoreError) -> [OriginalReference?] in
        try transaction.originals(ids, visibility)
      }
      return references ?? ids.map { _ in nil }
    }
  }

  package func requireVisible(_ id: AssetID) throws(LibraryError) { _ = try original(id) }

  package func finishCaching() async { await pipeline.finishCaching() }

  /// What a picture of the asset is made from, if this client sees it now.
  func original(_ id: AssetID) throws(LibraryError) -> OriginalReference {
    let (isPermitted, reference) = try read {
      (transaction, visibility) throws(StoreError) -> (Bool, OriginalReference?) in
      if visibility == .nothing { return (false, nil) }
      return (true, try transaction.original(id, visibility))
    }
    guard isPermitted else { throw .notPermitted }
    guard let reference else { throw .identifierNotFound }
    return reference
  }
}
