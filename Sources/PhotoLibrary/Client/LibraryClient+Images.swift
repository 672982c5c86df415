public import PhotoModel

extension LibraryClient {
  /// Makes a thumbnail, or takes it from the cache: upright, sRGB, never larger than the original.
  ///
  /// Work runs on Dispatch queues, at most one decode a core. Cancelling the task ends it soon.
  ///
  /// - Parameters:
  ///   - id: the asset.
  ///   - recipe: size in pixels, fit or fill, and encoding.
  ///   - usesCache: false makes it anew and leaves the cache alone.
  ///   - allowsPreview: whether a degraded answer will do, many times as fast, as PhotoKit's `fastFormat` has
  ///     it: made of the small picture that a camera put into the file, where one is large enough and has the
  ///     shape. An editor may have left that as it was, so it may show what was since cut off or covered, and damage
  ///     of the picture itself is not told. Its `source` is then `preview`, and the cache never gets it.
  /// - Returns: A whole JPEG or PNG file in memory.
  /// - Throws: ``LibraryError``: `identifierNotFound`, `notPermitted`, `damagedPicture`,
  ///   `unsupportedPicture`, `overLimit`, `cancelled`, or what reading the library threw.
  public func thumbnail(
    for id: AssetID, recipe: ThumbnailRecipe = ThumbnailRecipe(), usesCache: Bool = true,
    allowsPreview: Bool = false
  ) async throws(LibraryError) -> Thumbnail {
    try await service.thumbnail(
      ThumbnailRequest(
        asset: id, recipe: recipe, usesCache: usesCache, priority: .interactive,
        allowsPreview: allowsPreview))
  }

  /// Makes thumbnails of many assets, in the order of `ids` whatever the order of completion.
  ///
  /// A failure is the item's own and does not end the sequence. Leaving the loop cancels what is
  /// still under way. The parameters are those of ``thumbnail(for:recipe:usesCache:allowsPreview:)``.
  public func thumbnails(
    for ids: [AssetID], recipe: ThumbnailRecipe = ThumbnailRecipe(), usesCache: Bool = true,
    allowsPreview: Bool = false
  ) -> ThumbnailSequence {
    ThumbnailSequence(
      service: service, ids: ids, recipe: recipe, usesCache: usesCache,
      allowsPreview: allowsPreview)
  }

  /// Reads the bytes of an original.
  ///
  /// A client without the permission for places gets the same picture without them: its metadata tell no
  /// place, and what followed the picture in the file (a video) is left out.
  ///
  /// - Parameter id: the asset.
  /// - Returns: A whole JPEG or PNG file in memory.
  /// - Throws: ``LibraryError``: `identifierNotFound`, `notPermitted`; `overLimit` for a file of more bytes
  ///   than one request may have; `unsupportedPicture` where its places cannot be taken out, or what
  ///   reading the library threw.
  public func imageData(for id: AssetID) async throws(LibraryError) -> ImageData {
    try await service.imageData(id)
  }
}
