import Glibc
import PhotoModel

extension Store {
  /// Makes an empty library, with folders 0700 and files 0600 whatever the umask, in which
  /// `local.default` is fully authorized with location.
  ///
  /// Parent folders are made.
  ///
  /// The index is made under another name and renamed when it is whole and durable: so a library
  /// has either no index, and making it again goes on, or a complete one.
  ///
  /// - Parameters:
  ///   - path: where the folder is to be.
  ///   - timeZone: the zone's name, for photographs that do not say their offset.
  ///   - environment: the sources of time and identity.
  /// - Returns: the new library, open for writing.
  /// - Throws: `cannotCreate` where anything but an empty folder, or a library whose making was
  ///   broken off, is there; `damaged` where originals are there without an index.
  package static func create(
    at path: String, timeZone: String, environment: StoreEnvironment
  ) throws(StoreError) -> Store {
    let folder = try emptyFolder(at: path)
    if let network = folder.root.networkFileSystem {
      throw StoreError(
        code: .cannotCreate,
        message: "a library cannot be on a network file system (\(network)), where locks "
          + "cannot be relied on")
    }
    let lock = try folder.openLock()
    try FileLock.wait(
      .exclusive, on: lock, milliseconds: environment.busyTimeoutMilliseconds)
    defer { FileLock.release(lock) }
    // Another process may have made it meanwhile.
    guard !folder.hasIndex else { throw existing }
    for name in LibraryFolder.folders {
      try folder.root.makeFolder(name).descriptor.synchronize(creating)
    }
    let doorbell = try folder.root.openOrCreateFile(LibraryFolder.doorbell)
    // One byte, so that ringing needs no room later.
    try doorbell.write([UInt8(0)].span, at: 0, creating)
    try makeIndex(in: folder, timeZone: timeZone, environment)
    FileLock.release(lock)
    return try open(at: path, mode: .readWrite, environment: environment)
  }

  private static let creating = "the library could not be made"
  private static let existing = StoreError(
    code: .cannotCreate, message: "there is a photo library already")

  private static func makeIndex(
    in folder: LibraryFolder, timeZone: String, _ environment: StoreEnvironment
  ) throws(StoreError) {
    for suffix in [""] + LibraryFolder.companions {
      try folder.root.remove(LibraryFolder.newIndex + suffix)
    }
    _ = try folder.root.createFile(LibraryFolder.newIndex)
    try fill(folder, timeZone, environment)
    // The connection is closed, so its log has gone into the file and no lock can be lost.
    guard let file = try folder.root.openForReading(LibraryFolder.newIndex) else {
      throw StoreError(code: .io, message: "\(creating): the index vanished")
    }
    try file.synchronize(creating)
    try folder.root.replace(LibraryFolder.newIndex, as: LibraryFolder.index)
    try folder.root.descriptor.synchronize(creating)
  }

  private static func fill(
    _ folder: LibraryFolder, _ timeZone: String, _ environment: StoreEnvironment
  ) throws(StoreError) {
    let connection = try Connection(
      path: folder.path(of: LibraryFolder.newIndex), purpose: .writer,
      busyTimeoutMilliseconds: environment.busyTimeoutMilliseconds)
    try Migration.migrate(connection)
    let identity = try environment.makeRandomBytes(16)
    let tokenKey = try environment.makeRandomBytes(32)
    try connection.transaction(writing: true) { () throws(StoreError) in
      try connection.run(
        LibrarySQL.insert, .blob(identity), .int(environment.now().nanoseconds),
        .text(timeZone), .blob(tokenKey))
      let transaction = try WriteTransaction(connection, environment)
      try transaction.setAccess(
        .localDefault, readWrite: .authorized, addOnly: .authorized, location: true)
      try transaction.history.finish()
    }
  }

  /// The folder for a new library, made if it is missing.
  private static func emptyFolder(at path: String) throws(StoreError) -> LibraryFolder {
    try makeFolders(path)
    guard let resolved = LibraryFolder.resolved(path), let root = Folder(path: resolved) else {
      throw cannotCreate(errno)
    }
    let folder = LibraryFolder(path: resolved, root: root)
    guard !folder.hasIndex else { throw existing }
    // Another process may be making it: the index is looked for again behind each other look.
    if try folder.hasOriginals(), !folder.hasIndex {
      throw StoreError(
        code: .damaged, message: "the library has originals, but its index is missing or empty")
    }
    let names = try root.names()
    guard names.isEmpty || folder.isUnfinished(names) else {
      if folder.hasIndex { throw existing }
      throw StoreError(code: .cannotCreate, message: "the folder is not empty")
    }
    guard fchmod(root.descriptor.raw, 0o700) == 0 else { throw cannotCreate(errno) }
    return folder
  }

  /// Makes a folder with mode 0700 whatever the umask, its missing parents the same way, each
  /// durably.
  private static func makeFolders(_ path: String) throws(StoreError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      guard FileStatus(status).isFolder else {
        throw StoreError(code: .cannotCreate, message: "a file is there already")
      }
      return
    }
    guard errno == ENOENT else { throw cannotCreate(errno) }
    let trimmed = path.split(separator: "/").joined(separator: "/")
    let absolute = path.hasPrefix("/") ? "/" + trimmed : trimmed
    let parent: String
    if let slash = absolute.lastIndex(of: "/") {
      parent = slash == absolute.startIndex ? "/" : String(absolute[..<slash])
    } else {
      parent = "."
    }
    try makeFolders(parent)
    guard unsafe mkdir(absolute, 0o700) == 0 else {
      guard errno == EEXIST else { throw cannotCreate(errno) }
      return
    }
    guard unsafe chmod(absolute, 0o700) == 0, let folder = Folder(path: parent) else {
      throw cannotCreate(errno)
    }
    try folder.descriptor.synchronize(creating)
  }

  private static func cannotCreate(_ error: Int32) -> StoreError {
    if error == ENOSPC || error == EDQUOT { return StoreError(errorNumber: error, creating) }
    return StoreError(code: .cannotCreate, message: "\(creating): \(StoreError.text(of: error))")
  }
}
