import Synchronization

/// What opening a library is for.
package enum StoreMode: Hashable, Sendable {
  /// Nothing in the folder is changed but the thumbnail cache, which is derived.
  case readOnly
  case readWrite
}

/// A library folder: the only place with SQL and with paths inside it.
///
/// Safe from any thread; calls block.
package final class Store: Sendable {
  /// The path as it was given.
  package let path: String
  /// The name of the library's time zone when it was opened.
  package let timeZoneName: String
  package let thumbnails: ThumbnailCache

  let folder: LibraryFolder
  let environment: StoreEnvironment
  let buffers = BufferPool()
  let readers: IndexReaders
  /// The connection that writes; nil in a store that was opened for reading, and after `close`.
  private let writer: Mutex<Connection?>
  let isForWriting: Bool
  /// How many transactions this handle committed.
  private let commits = Mutex(0)
  let doorbell: Doorbell?

  init(
    path: String, folder: LibraryFolder, environment: StoreEnvironment, readers: IndexReaders,
    writer: Connection?, thumbnails: ThumbnailCache
  ) throws(StoreError) {
    self.path = path
    self.folder = folder
    self.environment = environment
    self.readers = readers
    self.thumbnails = thumbnails
    isForWriting = writer != nil
    doorbell = isForWriting ? try Doorbell(folder) : nil
    timeZoneName = try readers.read { (connection) throws(StoreError) in
      try connection.first(SQL(LibrarySQL.timeZone)) { $0.text(0) } ?? "UTC"
    }
    self.writer = Mutex(writer)
  }

  /// Ends everything; later calls throw.
  ///
  /// Also done when the last reference goes.
  package func close() {
    thumbnails.close()
    readers.close()
    // Last, so that it is the writer that moves the log into the index and removes it.
    writer.withLock { $0 = nil }
  }

  deinit { close() }

  /// Runs `body` on a single consistent state of the index.
  ///
  /// Readers never wait for writers.
  package func read<R>(
    _ body: (ReadTransaction) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try readers.read { (connection) throws(StoreError) in
      try connection.transaction(writing: false) { () throws(StoreError) in
        try body(
          ReadTransaction(
            connection: connection, files: StoreFiles(folder: folder, thumbnails: thumbnails)))
      }
    }
  }

  /// The state that a read which begins now sees, or an earlier one: another value after any commit
  /// of any process.
  ///
  /// Costs a tenth of a read transaction: what was read behind it needs to be read again only when
  /// this gives something else.
  ///
  /// - Throws: what reading the index throws.
  package func commitState() throws(StoreError) -> CommitState { try readers.commitState() }

  /// Runs `body` in the one write transaction of the moment: committed, durably, if it returns,
  /// rolled back if it throws.
  ///
  /// After the commit the doorbell rings. It must not be called from within itself.
  ///
  /// - Throws: `busy` where another process still wrote after the timeout; `readOnly`; `noSpace`.
  package func write<R>(
    _ body: (WriteTransaction) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    var result: R?
    try writer.withLock { (connection) throws(StoreError) in
      guard let connection else { throw isForWriting ? Self.closed : Self.notForWriting }
      result = try connection.transaction(writing: true) { () throws(StoreError) in
        let transaction = try WriteTransaction(connection, environment)
        let result = try body(transaction)
        try transaction.history.finish()
        // In the first transaction of an open library, and in each thousandth.
        if commits.withLock({ $0 }) % 1_000 == 0 { try HistoryTrim.run(transaction) }
        return result
      }
    }
    commits.withLock { $0 &+= 1 }
    doorbell?.ring()
    guard let result else { throw Self.closed }
    return result
  }

  /// Begins an import: a staging folder of its own, held by `flock`.
  package func beginImport() throws(StoreError) -> ImportSession {
    guard isForWriting else { throw Self.notForWriting }
    return try ImportSession(self)
  }

  /// Opens the bytes of an original.
  ///
  /// - Throws: `damaged` where it is missing or does not have its size.
  package func openOriginal(
    _ reference: OriginalReference
  ) throws(StoreError) -> OriginalFile {
    try folder.openOriginal(
      OriginalName(sha256: reference.sha256, format: reference.format),
      byteSize: reference.byteSize)
  }

  /// A number that differs when an original's file has become another one, as far as size and modification
  /// time tell; nil where there is no file.
  package func fileState(of reference: OriginalReference) -> Int64? {
    folder.status(OriginalName(sha256: reference.sha256, format: reference.format)).map {
      $0.modified &* 31 &+ $0.size
    }
  }

  /// Asks the kernel to have an original in memory soon, because it will be read.
  ///
  /// Waits for no byte of it. An original that is missing is found so when it is opened.
  package func announceOriginal(_ reference: OriginalReference) {
    try? openOriginal(reference).announce()
  }

  /// Sweeps after dead importers, if no other process is in the way.
  ///
  /// What cannot be swept stays, and is a finding of `check`: opening a library does not fail for
  /// it.
  func sweep() {
    let sweep = Sweep(library: folder, buffers: buffers) { (sha256) throws(StoreError) in
      try self.read { (transaction) throws(StoreError) in
        try transaction.isOriginalKnown(sha256: sha256)
      }
    }
    try? sweep.run()
  }

  static let closed = StoreError(code: .io, message: "the library is closed")
  static let notForWriting = StoreError(
    code: .readOnly, message: "the library was opened for reading only")
}
