import Glibc

extension Store {
  /// Opens a library.
  ///
  /// A writer's open brings the index up to the newest version, and sweeps after importers that
  /// died if no other process holds the library's lock. A reader's open changes nothing else than an
  /// older version of the index; on media or in a folder that cannot be written to it reads the index
  /// without locks, one of an older version from a private copy that is brought up.
  ///
  /// - Throws: `notFound` (also for an empty folder, and for a library whose making was broken off:
  ///   making it again finishes it), `notALibrary`, `newerVersion`, `damaged`, `readOnly`, `busy`,
  ///   `io`.
  package static func open(
    at path: String, mode: StoreMode, environment: StoreEnvironment
  ) throws(StoreError) -> Store {
    try open(at: path, mode: mode, environment: environment, isWritable: nil)
  }

  /// Opens a library whose folder is said to be writable or not: tests say not, since the superuser
  /// may write everywhere.
  ///
  /// nil asks the system.
  static func open(
    at path: String, mode: StoreMode, environment: StoreEnvironment, isWritable: Bool?
  ) throws(StoreError) -> Store {
    let folder = try libraryFolder(at: path)
    let network = folder.root.networkFileSystem
    let isForeign = try folder.belongsToAnotherUser
    let writable = isWritable ?? (folder.isWritable && network == nil && !isForeign)
    if mode == .readWrite, !writable {
      if isForeign { throw .foreignLibrary }
      throw StoreError(
        code: .readOnly,
        message: network.map {
          "the library is on a network file system (\($0)), where locks cannot be relied on"
        } ?? "the library cannot be written to: its media or its permissions do not allow it")
    }
    var writer: Connection?
    if mode == .readWrite { writer = try migrated(folder, environment) }
    let readers = IndexReaders(
      IndexSource(folder, isWritable: writable),
      busyTimeoutMilliseconds: environment.busyTimeoutMilliseconds)
    if writer == nil {
      let isOld = try readers.read { (connection) throws(StoreError) in
        try Migration.needsMigration(connection)
      }
      // Where the folder cannot be written to, the readers have brought up a copy.
      if isOld { _ = try migrated(folder, environment) }
    }
    let thumbnails = ThumbnailCache(folder, isWritable: writable, environment: environment)
    let store = try Store(
      path: path, folder: folder, environment: environment, readers: readers, writer: writer,
      thumbnails: thumbnails)
    if mode == .readWrite { store.sweep() }
    return store
  }

  /// A connection that writes, to the index brought up to the newest version.
  private static func migrated(
    _ folder: LibraryFolder, _ environment: StoreEnvironment
  ) throws(StoreError) -> Connection {
    let connection = try Connection(
      path: folder.path(of: LibraryFolder.index), purpose: .writer,
      busyTimeoutMilliseconds: environment.busyTimeoutMilliseconds)
    try Migration.migrate(connection)
    return connection
  }

  /// Whether a path is a photo library: has an index, or originals and the lock file of one that
  /// lost its index.
  ///
  /// A folder that merely has one called `originals` is none.
  package static func isLibrary(at path: String) -> Bool {
    guard let folder = Folder(path: path) else { return false }
    return isLibrary(folder)
  }

  /// Whether an open folder is a photo library, so that walks through folders do not enter it.
  package static func isLibrary(folder descriptor: Int32) -> Bool {
    let copy = dup(descriptor)
    return copy >= 0 && isLibrary(Folder(Descriptor(copy)))
  }

  private static func isLibrary(_ folder: Folder) -> Bool {
    folder.status(LibraryFolder.index)?.isRegularFile == true
      || folder.status(LibraryFolder.originals)?.isFolder == true
        && folder.status(LibraryFolder.lock)?.isRegularFile == true
  }

  /// The SHA-256 of an open file's bytes, and how many they are.
  ///
  /// Blocks; safe from any thread.
  ///
  /// - Parameters:
  ///   - descriptor: a regular file, read from its start; stays the caller's.
  ///   - isCancelled: asked between blocks of 256 KiB.
  /// - Returns: 32 bytes of hash, and the number of bytes read.
  /// - Throws: `cancelled`, or `io` where it cannot be read.
  package static func sha256(
    of descriptor: Int32, isCancelled: @Sendable () -> Bool
  ) throws(StoreError) -> (sha256: [UInt8], byteSize: Int64) {
    let copy = dup(descriptor)
    guard copy >= 0 else { throw .reading(errorNumber: errno, "it could not be read") }
    return try Descriptor(copy).hash(BufferPool(), isCancelled: isCancelled)
  }

  /// Finds the folder of a library that has an index.
  private static func libraryFolder(at path: String) throws(StoreError) -> LibraryFolder {
    let notFound = StoreError(code: .notFound, message: "there is no photo library")
    guard let resolved = LibraryFolder.resolved(path), let root = Folder(path: resolved) else {
      switch errno {
      case ENOENT: throw notFound
      case ENOTDIR:
        throw StoreError(code: .notALibrary, message: "it is a file, not a photo library")
      case EACCES:
        throw StoreError(
          code: .closedToUser,
          message: "the folder is closed to this user: a photo library is its owner's alone")
      case let error:
        throw StoreError.reading(errorNumber: error, "the library's folder could not be opened")
      }
    }
    let folder = LibraryFolder(path: resolved, root: root)
    guard !folder.hasIndex else { return folder }
    // Another process may be making it: the index is looked for again behind each other look.
    if try folder.hasOriginals(), !folder.hasIndex {
      throw StoreError(
        code: .damaged, message: "the library has originals, but its index is missing or empty")
    }
    let names = try root.names()
    if names.isEmpty || folder.isUnfinished(names) { throw notFound }
    guard !folder.hasIndex else { return folder }
    throw StoreError(code: .notALibrary, message: "the folder is not a photo library")
  }
}

extension StoreError {
  fileprivate static let foreignLibrary = StoreError(
    code: .closedToUser,
    message: "the library belongs to another user; run this as that user")
}

extension LibraryFolder {
  /// Whether the superuser is at work in a library that is not its own: what it wrote there the
  /// library's owner could not open any more.
  var belongsToAnotherUser: Bool {
    get throws(StoreError) {
      guard geteuid() == 0 else { return false }
      return try root.descriptor.status().owner != 0
    }
  }

  /// Whether the calling user can write to the folder and its index: SQLite needs both.
  var isWritable: Bool { root.isWritable(".") && root.isWritable(Self.index) }

  /// Whether these are the entries of a library whose making was broken off: nothing but ours, and
  /// no index yet.
  func isUnfinished(_ names: [String]) -> Bool {
    guard !hasIndex, names.contains(Self.lock) else { return false }
    let ours =
      Self.folders + [Self.lock, Self.doorbell, Self.index]
      + ([""] + Self.companions).map { Self.newIndex + $0 }
    return names.allSatisfy { ours.contains($0) }
  }
}
