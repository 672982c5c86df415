package import PhotoModel

/// Pictures of the assets that the client sees: made small, or their bytes.
package protocol ImageService: Sendable {
  func thumbnail(_ request: ThumbnailRequest) async throws(LibraryError) -> Thumbnail

  /// Makes a thumbnail only for the cache; whatever goes wrong is nobody's concern yet.
  func prefetch(_ request: ThumbnailRequest) async

  /// What the cache has of these, nil for each that must be made.
  func cachedThumbnails(_ requests: [ThumbnailRequest]) async -> [Thumbnail?]

  /// Returns when all thumbnails made so far are in the cache.
  func finishCaching() async

  /// Throws as `thumbnail` would, if the client does not see the asset now.
  func requireVisible(_ id: AssetID) throws(LibraryError)

  /// The bytes of an original, without places for a client that may not know them.
  func imageData(_ id: AssetID) async throws(LibraryError) -> ImageData
}
