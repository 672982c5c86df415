package import PhotoModel
import Synchronization

/// `thumbnails.sqlite`: derived and disposable.
///
/// Every fault of it is a miss, and a damaged file is thrown away and made anew. Neither opened nor
/// made before its first use. Safe from any thread.
package final class ThumbnailCache: Sendable {
  private let folder: LibraryFolder
  /// Whether the folder can be written to; else every look-up is a miss.
  ///
  /// A store that is open for reading keeps thumbnails too: they are derived, and a reader is who
  /// makes them.
  private let isWritable: Bool
  private let busyTimeoutMilliseconds: Int
  // Two connections, so that looking up does not wait for a batch that is being written.
  private let reader = Mutex(Slot())
  private let writer = Mutex(Slot())

  private struct Slot {
    var connection: Connection?
    var isClosed = false
  }

  init(_ folder: LibraryFolder, isWritable: Bool, busyTimeoutMilliseconds: Int) {
    self.folder = folder
    self.isWritable = isWritable
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
  }

  /// A picture that was kept under this key; its source is the cache.
  package func find(_ key: ThumbnailKey) -> Thumbnail? {
    find([key]).first ?? nil
  }

  /// One entry for each key, nil for a miss.
  package func find(_ keys: [ThumbnailKey]) -> [Thumbnail?] {
    var found = [Thumbnail?](repeating: nil, count: keys.count)
    var damaged: [[UInt8]] = []
    use(reader, create: false) { (connection) throws(StoreError) in
      try connection.transaction(writing: false) { () throws(StoreError) in
        for (index, key) in keys.enumerated() {
          let digest = try key.digest()
          switch try ThumbnailSQL.find(digest, connection) {
          case .found(let thumbnail): found[index] = thumbnail
          case .damaged: damaged.append(digest)
          case .missing: break
          }
        }
      }
    }
    if !damaged.isEmpty { remove(damaged) }
    return found
  }

  /// Keeps pictures, in one transaction.
  ///
  /// Quietly does nothing where they cannot be kept.
  package func store(_ entries: [(ThumbnailKey, Thumbnail)]) {
    guard !entries.isEmpty else { return }
    use(writer, create: true) { (connection) throws(StoreError) in
      try connection.transaction(writing: true) { () throws(StoreError) in
        for (key, thumbnail) in entries {
          try ThumbnailSQL.store(try key.digest(), thumbnail, connection)
        }
      }
    }
  }

  private func remove(_ digests: [[UInt8]]) {
    use(writer, create: false) { (connection) throws(StoreError) in
      try connection.transaction(writing: true) { () throws(StoreError) in
        for digest in digests { try connection.run(ThumbnailSQL.delete, .blob(digest)) }
      }
    }
  }

  /// Closes the file; later look-ups miss.
  func close() {
    let end = { (slot: inout Slot) in
      slot.connection = nil
      slot.isClosed = true
    }
    reader.withLock { end(&$0) }
    writer.withLock { end(&$0) }
  }

  /// The number of pictures and the bytes of the file with its log.
  func size() -> (count: Int64, bytes: Int64) {
    var count: Int64 = 0
    use(reader, create: false) { (connection) throws(StoreError) in
      count = try connection.integer(ThumbnailSQL.count)
    }
    let bytes = ["", "-wal"].reduce(Int64(0)) {
      $0 + (folder.root.status(LibraryFolder.thumbnails + $1)?.size ?? 0)
    }
    return (count, bytes)
  }

  /// What SQLite finds wrong with the file; nothing where there is none.
  func problems() throws(StoreError) -> [String] {
    guard isWritable, exists else { return [] }
    let connection = try open(.cacheReader)
    guard try connection.integer(MigrationSQL.version) == ThumbnailSQL.version else { return [] }
    return try CheckSQL.problems(connection)
  }

  private var exists: Bool { (folder.root.status(LibraryFolder.thumbnails)?.size ?? 0) > 0 }

  private func open(_ purpose: Connection.Purpose) throws(StoreError) -> Connection {
    try Connection(
      path: folder.path(of: LibraryFolder.thumbnails), purpose: purpose,
      busyTimeoutMilliseconds: busyTimeoutMilliseconds)
  }

  private func use(
    _ slot: borrowing Mutex<Slot>, create: Bool,
    _ body: (Connection) throws(StoreError) -> Void
  ) {
    guard isWritable else { return }
    let fault: StoreError? = slot.withLock { slot -> StoreError? in
      guard !slot.isClosed else { return nil }
      do throws(StoreError) {
        if slot.connection == nil { slot.connection = try connect(create: create) }
        if let connection = slot.connection { try body(connection) }
        return nil
      } catch {
        slot.connection = nil
        return error
      }
    }
    if fault?.code == .damaged || fault?.code == .newerVersion { startAnew() }
  }

  private func connect(create: Bool) throws(StoreError) -> Connection? {
    if !exists {
      guard create else { return nil }
      // With its mode from the start: SQLite gives the files beside it the same one.
      _ = try folder.root.openOrCreateFile(LibraryFolder.thumbnails)
    }
    let connection = try open(.cache)
    try ThumbnailSQL.prepare(connection)
    return connection
  }

  /// Throws a damaged file away.
  ///
  /// Processes that have it open go on with theirs, whose entries carry checksums, until they open
  /// the new one.
  private func startAnew() {
    guard isWritable else { return }
    reader.withLock { reader in
      writer.withLock { writer in
        reader.connection = nil
        writer.connection = nil
        for suffix in [""] + LibraryFolder.companions {
          try? folder.root.remove(LibraryFolder.thumbnails + suffix)
        }
      }
    }
  }
}
