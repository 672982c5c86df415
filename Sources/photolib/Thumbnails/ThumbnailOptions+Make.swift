import PhotoLibrary

extension ThumbnailOptions {
  /// Makes a thumbnail of each asset, writes it, and lists the asset, in the order of the result.
  ///
  /// - Returns: whether every one could be made and written; each failed one was named.
  func make(
    of result: FetchResult, for client: LibraryClient, on terminal: Terminal
  ) async throws(Failure) -> Bool {
    var listing = AssetListing(on: terminal)
    let ids = result.ids
    // The sheet first: a place that cannot be written is to be known before the work.
    var sheetWriter = try sheet.map { sheet throws(Failure) in
      try SheetWriter(sheet, count: ids.count, cell: recipe.size)
    }
    if ids.isEmpty {
      try listing.end()
      try sheetWriter?.finish()
      return true
    }
    let folder = try OutputFolder(creating: self.folder)
    let progress = Progress("thumbnails", total: ids.count, on: terminal)
    defer { progress.finish() }
    let fileExtension = recipe.encoding.format.fileExtension
    var isComplete = true
    var index = 0
    var written = 0
    let thumbnails = client.thumbnails(
      for: ids, recipe: recipe, usesCache: usesCache, allowsPreview: allowsPreview)
    for await item in thumbnails {
      if Task.isCancelled { break }
      defer {
        index += 1
        progress.advance()
      }
      // The record is read when its turn comes; an asset that has gone meanwhile has none.
      guard index < result.count, let asset = result[index] else {
        terminal.reportFailed(item.id.uuidString, AssetArguments.noSuchAsset)
        isComplete = false
        continue
      }
      let name = "\(item.id.uuidString).\(fileExtension)"
      do throws(Failure) {
        let thumbnail = try translating(about: item.id.uuidString) { () throws(LibraryError) in
          try item.result.get()
        }
        try folder.write(thumbnail.data, as: name)
        written += 1
        try sheetWriter?.add(thumbnail, of: asset)
        if let warning = thumbnail.warning {
          terminal.warn(item.id.uuidString, "warning: \(printableMessage(warning))")
        }
        let path = self.folder.appending(name)
        try listing.add(asset, extra: [("thumbnail", thumbnail.json(at: path))])
      } catch  where error.what == nil {
        // Interrupted, or the reader has gone.
        throw error
      } catch {
        isComplete = false
        terminal.report(error)
        try listing.add(asset, extra: [("thumbnailError", .string(error.why))])
      }
    }
    try listing.end()
    if Task.isCancelled { throw .interrupted }
    try sheetWriter?.finish()
    try terminal.flush()
    progress.finish()
    terminal.note(
      "\(written) thumbnail\(written == 1 ? "" : "s") in \(printable(self.folder.bytes))")
    return isComplete
  }
}

extension Thumbnail {
  fileprivate func json(at path: FilePath) -> JSON {
    .object([
      ("path", .string(path.string)), ("width", .integer(size.width)),
      ("height", .integer(size.height)), ("source", .string(source.rawValue)),
    ])
  }
}
