/// Takes away what importers and purges that died have left: originals that their lists name and no row
/// knows, and their staging folders.
///
/// It runs with `library.lock` held exclusively, when no importer is between a rename and its
/// commit. An original that no list names is never removed; it is a finding of `check`.
struct Sweep {
  let library: LibraryFolder
  let buffers: BufferPool
  /// Whether a row, in the trash or not, is made from these bytes.
  let isKnown: ([UInt8]) throws(StoreError) -> Bool

  /// Sweeps if the lock is free at once; else another process is at work, and will be swept after.
  func run() throws(StoreError) {
    let lock = try library.openLock()
    guard FileLock.take(.exclusive, on: lock) else { return }
    defer { FileLock.release(lock) }
    for staging in try StagingFolder.all(in: library) {
      // The folder's own lock tells whether its importer lives.
      guard FileLock.take(.exclusive, on: staging.folder.descriptor) else { continue }
      try removeUnknownOriginals(named: staging.readList(buffers))
      try staging.remove()
    }
    // Of a creation that was broken off and done again.
    for suffix in [""] + LibraryFolder.companions {
      try library.root.remove(LibraryFolder.newIndex + suffix)
    }
  }

  /// Removes those originals that no row is made from; the caller holds the lock.
  func removeUnknownOriginals(named names: [OriginalName]) throws(StoreError) {
    guard !names.isEmpty, let originals = try library.root.folder(LibraryFolder.originals)
    else { return }
    var touched: Set<String> = []
    for name in names where try !isKnown(name.sha256) {
      guard let shard = try originals.folder(name.shard), shard.status(name.fileName) != nil
      else { continue }
      try shard.remove(name.fileName)
      touched.insert(name.shard)
    }
    for name in touched {
      try originals.folder(name)?.descriptor.synchronize("the originals could not be swept")
    }
  }
}
