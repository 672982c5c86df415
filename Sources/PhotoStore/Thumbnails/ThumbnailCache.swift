package import PhotoModel
import Synchronization

/// `thumbnails.sqlite`: derived, disposable, and bounded in size.
///
/// Every fault of it is a miss, and a file that is damaged, of another version, or closed to its
/// owner is thrown away and made anew. Neither opened nor made before its first use. Safe from any
/// thread and from any number of processes.
package final class ThumbnailCache: Sendable {
  /// The bytes that the pages in use may have where the owner set no other limit.
  package static let defaultLimit: Int64 = 1 << 30
  /// Seconds: a use is noted once in so long, since which of two was used last matters by the day.
  private static let useInterval: Int64 = 86_400
  /// So many uses wait to be noted; more are forgotten.
  private static let pendingUseLimit = 1 << 16

  private let folder: LibraryFolder
  /// Whether the folder can be written to; else every look-up is a miss.
  ///
  /// A store that is open for reading keeps thumbnails too: they are derived, and a reader is who
  /// makes them.
  private let isWritable: Bool
  private let environment: StoreEnvironment
  // Two connections, so that looking up does not wait for a batch that is being written.
  private let reader = Mutex(Slot())
  private let writer = Mutex(Slot())
  /// Keys of entries that were used and whose last noted use is long ago: noted in one transaction
  /// with the next pictures, or at the end, so that a hit costs no writing.
  private let pendingUses = Mutex<Set<[UInt8]>>([])

  private struct Slot {
    var connection: Connection?
    /// The file that the connection has, or that could not be opened.
    var file: FileStatus?
    var isClosed = false
  }

  init(_ folder: LibraryFolder, isWritable: Bool, environment: StoreEnvironment) {
    self.folder = folder
    self.isWritable = isWritable
    self.environment = environment
  }

  // MARK: Finding

  /// A picture that was kept under this key; its source is the cache.
  package func find(_ key: ThumbnailKey) -> Thumbnail? {
    find([key]).first ?? nil
  }

  /// One entry for each key, nil for a miss; all of one state of the cache.
  package func find(_ keys: [ThumbnailKey]) -> [Thumbnail?] {
    var found = [Thumbnail?](repeating: nil, count: keys.count)
    var damaged: [[UInt8]] = []
    var uses: [[UInt8]] = []
    let longAgo = now - Self.useInterval
    quietly(reader, create: false) { (connection) throws(StoreError) in
      try connection.transaction(writing: false) { () throws(StoreError) in
        for (index, key) in keys.enumerated() {
          let digest = try key.digest()
          switch try ThumbnailSQL.find(digest, connection) {
          case .found(let thumbnail, let used):
            found[index] = thumbnail
            if used < longAgo { uses.append(digest) }
          case .damaged: damaged.append(digest)
          case .missing: break
          }
        }
      }
    }
    if !uses.isEmpty {
      pendingUses.withLock { if $0.count < Self.pendingUseLimit { $0.formUnion(uses) } }
    }
    if !damaged.isEmpty { remove(damaged) }
    return found
  }

  // MARK: Keeping

  /// Keeps pictures and notes what was used since, in one transaction; where that would be more than
  /// the limit, those least recently used go first.
  ///
  /// Quietly does nothing where they cannot be kept.
  package func store(_ entries: [(ThumbnailKey, Thumbnail)]) {
    let uses = pendingUses.withLock { uses in
      defer { uses = [] }
      return uses
    }
    guard !(entries.isEmpty && uses.isEmpty) else { return }
    quietly(writer, create: !entries.isEmpty) { (connection) throws(StoreError) in
      try connection.transaction(writing: true) { () throws(StoreError) in
        for digest in uses { try connection.run(ThumbnailSQL.touch, .int(now), .blob(digest)) }
        let limit = try Self.limit(connection)
        var room = limit
        let kept = entries.prefix { _, thumbnail in
          room -= ThumbnailSQL.bytes(of: thumbnail)
          return room >= 0
        }
        let coming = kept.reduce(0) { $0 + ThumbnailSQL.bytes(of: $1.1) }
        try Self.makeRoom(for: coming, limit, connection)
        for (key, thumbnail) in kept {
          try ThumbnailSQL.store(thumbnail, as: key, used: now, connection)
        }
        // How many pages they would take was an estimate.
        try Self.makeRoom(for: 0, limit, connection)
      }
    }
  }

  /// Removes the least recently used, if what comes would not fit: then a sixteenth of the limit more
  /// than needed, so that not every batch has to look for the oldest.
  private static func makeRoom(
    for coming: Int64, _ limit: Int64, _ connection: Connection
  ) throws(StoreError) {
    guard try ThumbnailSQL.bytesInUse(connection) + coming > limit else { return }
    try ThumbnailSQL.evict(downTo: max(0, limit - limit / 16 - coming), connection)
  }

  private func remove(_ digests: [[UInt8]]) {
    quietly(writer, create: false) { (connection) throws(StoreError) in
      try connection.transaction(writing: true) { () throws(StoreError) in
        for digest in digests { try ThumbnailSQL.delete(digest, connection) }
      }
    }
  }

  /// Removes all that was made from these bytes, by their SHA-256, and gives the space back.
  func remove(madeFrom contents: [[UInt8]]) {
    quietly(writer, create: false) { (connection) throws(StoreError) in
      try connection.transaction(writing: true) { () throws(StoreError) in
        for content in contents {
          let keys = try connection.all(SQL(ThumbnailSQL.keysOfContent, .blob(content))) {
            $0.blob(0)
          }
          for key in keys { try ThumbnailSQL.delete(key, connection) }
        }
      }
      try connection.execute(ThumbnailSQL.shrink)
    }
  }

  // MARK: The owner's

  /// What the cache holds; of none at all nothing, and the limit that it would have.
  package func statistics() -> ThumbnailCacheStatistics {
    var statistics = ThumbnailCacheStatistics(limit: Self.defaultLimit)
    quietly(reader, create: false) { (connection) throws(StoreError) in
      try connection.transaction(writing: false) { () throws(StoreError) in
        statistics.count = try connection.integer(ThumbnailSQL.count)
        statistics.bytes = try ThumbnailSQL.bytesInUse(connection)
        statistics.limit = try Self.limit(connection)
      }
    }
    statistics.fileBytes = ["", "-wal"].reduce(0) {
      $0 + (folder.root.status(LibraryFolder.thumbnails + $1)?.size ?? 0)
    }
    return statistics
  }

  /// Removes every picture and gives the space back; the limit stays.
  ///
  /// - Returns: how many there were.
  /// - Throws: `readOnly` where the library cannot be written to; `busy`, `io`, `noSpace`.
  package func clear() throws(StoreError) -> Int64 {
    pendingUses.withLock { $0 = [] }
    var count: Int64 = 0
    try manage(create: false) { (connection) throws(StoreError) in
      try connection.transaction(writing: true) { () throws(StoreError) in
        count = try connection.integer(ThumbnailSQL.count)
        try connection.execute(ThumbnailSQL.clear)
      }
      try connection.execute(ThumbnailSQL.shrink)
    }
    return count
  }

  /// Sets how many bytes the cache may have; of what is too much those least recently used go, and
  /// the space is given back.
  ///
  /// The limit lasts as long as the file, for all processes. With 0 nothing is kept.
  ///
  /// - Throws: `readOnly` where the library cannot be written to; `busy`, `io`, `noSpace`.
  package func setLimit(_ bytes: Int64) throws(StoreError) {
    precondition(bytes >= 0, "a limit is no debt")
    try manage(create: true) { (connection) throws(StoreError) in
      try connection.transaction(writing: true) { () throws(StoreError) in
        try connection.run(ThumbnailSQL.setLimit, .int(bytes))
        try ThumbnailSQL.evict(downTo: bytes, connection)
      }
      try connection.execute(ThumbnailSQL.shrink)
    }
  }

  /// Throws `readOnly` where nothing can be kept.
  package func requireWritable() throws(StoreError) {
    if isWritable { return }
    throw StoreError(
      code: .readOnly, message: "the library cannot be written to, so no thumbnails are kept")
  }

  private static func limit(_ connection: Connection) throws(StoreError) -> Int64 {
    let limit = try connection.first(SQL(ThumbnailSQL.limit)) { $0.int64(0) }
    return max(0, limit ?? defaultLimit)
  }

  /// What SQLite finds wrong with the file; nothing where there is none.
  func problems() throws(StoreError) -> [String] {
    guard isWritable, exists else { return [] }
    let connection = try open(.cacheReader)
    guard try connection.integer(MigrationSQL.version) == ThumbnailSQL.version else { return [] }
    return try CheckSQL.problems(connection)
  }

  /// Notes the last uses and closes the file; later look-ups miss.
  func close() {
    store([])
    let end = { (slot: inout Slot) in
      slot.connection = nil
      slot.isClosed = true
    }
    reader.withLock { end(&$0) }
    writer.withLock { end(&$0) }
  }

  // MARK: The file

  /// Seconds since 1970.
  private var now: Int64 { environment.now().nanoseconds / 1_000_000_000 }

  private var exists: Bool { (folder.root.status(LibraryFolder.thumbnails)?.size ?? 0) > 0 }

  private func open(_ purpose: Connection.Purpose) throws(StoreError) -> Connection {
    try Connection(
      path: folder.path(of: LibraryFolder.thumbnails), purpose: purpose,
      busyTimeoutMilliseconds: environment.busyTimeoutMilliseconds)
  }

  private func quietly(
    _ slot: borrowing Mutex<Slot>, create: Bool, _ body: (Connection) throws(StoreError) -> Void
  ) {
    if isWritable { _ = attempt(slot, create: create, body) }
  }

  /// Does what the owner asked for; with a new file where the old one is no good.
  private func manage(
    create: Bool, _ body: (Connection) throws(StoreError) -> Void
  ) throws(StoreError) {
    try requireWritable()
    guard let fault = attempt(writer, create: create, body) else { return }
    guard fault.wasThrownAway else { throw fault.error }
    if let fault = attempt(writer, create: create, body) { throw fault.error }
  }

  /// Lends a connection.
  ///
  /// - Returns: what went wrong, and whether the file was thrown away for it.
  private func attempt(
    _ slot: borrowing Mutex<Slot>, create: Bool, _ body: (Connection) throws(StoreError) -> Void
  ) -> (error: StoreError, wasThrownAway: Bool)? {
    let fault: (error: StoreError, file: FileStatus?)? = slot.withLock { slot in
      guard !slot.isClosed else { return nil }
      do throws(StoreError) {
        if slot.connection == nil {
          slot.file = nil
          slot.connection = try connect(create: create, file: &slot.file)
        }
        if let connection = slot.connection { try body(connection) }
        return nil
      } catch {
        slot.connection = nil
        return (error, slot.file)
      }
    }
    guard let fault else { return nil }
    switch fault.error.code {
    case .damaged, .newerVersion: break
    // A file that another user's process left behind here; the folder is ours.
    case .readOnly where !folder.root.isWritable(LibraryFolder.thumbnails): break
    default: return (fault.error, false)
    }
    return (fault.error, startAnew(without: fault.file))
  }

  /// Opens the file, and makes it if that is wanted; `file` becomes the one that was opened.
  private func connect(
    create: Bool, file: inout FileStatus?
  ) throws(StoreError) -> Connection? {
    file = folder.root.status(LibraryFolder.thumbnails)
    if !exists {
      guard create else { return nil }
      // With its mode from the start: SQLite gives the files beside it the same one.
      _ = try folder.root.openOrCreateFile(LibraryFolder.thumbnails)
      file = folder.root.status(LibraryFolder.thumbnails)
    }
    let connection = try open(.cache)
    try ThumbnailSQL.prepare(connection)
    return connection
  }

  /// Throws a file away that is no good, unless another process has done that already.
  ///
  /// Processes that have it open go on with theirs, whose entries carry checksums, until they open
  /// the new one.
  ///
  /// - Returns: whether the next attempt finds another file.
  private func startAnew(without bad: FileStatus?) -> Bool {
    reader.withLock { reader in
      writer.withLock { writer in
        reader.connection = nil
        writer.connection = nil
        let current = folder.root.status(LibraryFolder.thumbnails)
        guard let bad, let current, current.device == bad.device, current.inode == bad.inode else {
          return true
        }
        do throws(StoreError) {
          for suffix in [""] + LibraryFolder.companions {
            try folder.root.remove(LibraryFolder.thumbnails + suffix)
          }
          return true
        } catch {
          return false
        }
      }
    }
  }
}

/// What the thumbnail cache holds.
package struct ThumbnailCacheStatistics: Hashable, Sendable {
  /// Pictures.
  package var count: Int64 = 0
  /// Bytes of the pages in use, which count against the limit.
  package var bytes: Int64 = 0
  /// Bytes of the file with its log: pages that became free are used again.
  package var fileBytes: Int64 = 0
  /// How many bytes the pages in use may have.
  package var limit: Int64
}
