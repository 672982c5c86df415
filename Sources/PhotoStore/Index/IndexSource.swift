import Glibc
import Synchronization

/// Where readers find the index: the live file where the folder can be written to (SQLite needs
/// that for its shared memory), else the file itself read as immutable, or a private copy, which is
/// brought up to the newest version.
///
/// `immutable` is for a file without anything in its log alone: it would not look at the log, and
/// undo the revocations in it. Such a file may still change, on media that others can write to; so
/// before each transaction both files' status is looked at, and everything opened anew if it
/// differs.
final class IndexSource: Sendable {
  private let folder: LibraryFolder
  let isShared: Bool
  private let detached = Mutex(Detached())

  private struct Stamp: Equatable {
    let index: FileStatus?
    let log: FileStatus?
  }

  private struct Detached {
    var stamp: Stamp?
    /// The private copy that is read, or nil where the file itself is.
    var copy: PrivateCopy?
    /// Counts how often the index has changed under its readers.
    var generation = 0
  }

  init(_ folder: LibraryFolder, isWritable: Bool) {
    self.folder = folder
    isShared = isWritable
  }

  /// Looks whether the index has changed under readers that hold no locks.
  ///
  /// - Returns: a number that is another after each change; connections opened under an older one
  ///   must not be used any more.
  func generation() throws(StoreError) -> Int {
    guard !isShared else { return 0 }
    return try detached.withLock { (state) throws(StoreError) in
      let now = stamp()
      guard state.stamp != now else { return state.generation }
      state.generation += 1
      state.copy = nil
      state.stamp = nil
      let isOld = try isOld()
      if isOld || (now.log?.size ?? 0) > 0 {
        (state.copy, state.stamp) = try copied()
      } else {
        state.stamp = now
      }
      return state.generation
    }
  }

  /// Whether the file, without a log, is of an older version than the reads expect.
  private func isOld() throws(StoreError) -> Bool {
    try Migration.needsMigration(
      Connection(
        path: folder.path(of: LibraryFolder.index), purpose: .immutable,
        busyTimeoutMilliseconds: 0))
  }

  /// Opens a connection.
  func open(_ busyTimeoutMilliseconds: Int) throws(StoreError) -> Connection {
    if isShared {
      return try Connection(
        path: folder.path(of: LibraryFolder.index), purpose: .reader,
        busyTimeoutMilliseconds: busyTimeoutMilliseconds)
    }
    return try detached.withLock { (state) throws(StoreError) in
      // The copy is this process's own, so its log may be worked into it.
      if let copy = state.copy {
        return try Connection(
          path: copy.path + "/" + LibraryFolder.index, purpose: .reader,
          busyTimeoutMilliseconds: busyTimeoutMilliseconds)
      }
      return try Connection(
        path: folder.path(of: LibraryFolder.index), purpose: .immutable,
        busyTimeoutMilliseconds: busyTimeoutMilliseconds)
    }
  }

  func close() { detached.withLock { $0.copy = nil } }

  private func stamp() -> Stamp {
    Stamp(
      index: folder.root.status(LibraryFolder.index),
      log: folder.root.status(LibraryFolder.indexLog))
  }

  /// Copies index and log; again if they change meanwhile.
  private func copied() throws(StoreError) -> (PrivateCopy, Stamp) {
    for _ in 0..<8 {
      let before = stamp()
      let copy = try PrivateCopy(
        of: [LibraryFolder.index, LibraryFolder.indexLog], in: folder.root)
      guard before == stamp() else { continue }
      try Migration.migrate(
        Connection(
          path: copy.path + "/" + LibraryFolder.index, purpose: .writer,
          busyTimeoutMilliseconds: 0))
      return (copy, before)
    }
    throw StoreError(
      code: .busy, message: "the library's index kept changing while it was copied")
  }
}

/// Copies of files in a private temporary folder, removed with this object.
///
/// The files are opened by hand here, which would drop the locks of SQLite connections of this
/// process to the same files: those exist only where the folder can be written to, and then nothing
/// is copied.
final class PrivateCopy: Sendable {
  let path: String
  private let folder: Folder
  private let parent: Folder
  private let name: String

  init(of names: [String], in source: Folder) throws(StoreError) {
    let action = "no temporary copy of the library's index could be made"
    let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    // SQLite is told to follow no link, so the path must have none.
    guard let base = LibraryFolder.resolved(base), let parent = Folder(path: base) else {
      throw StoreError(errorNumber: errno, action)
    }
    Self.sweep(parent)
    let name = Self.prefix + (try RandomBytes.make(12).hexadecimal)
    guard try parent.createFolder(name, mustBeNew: true), let folder = try parent.folder(name)
    else { throw StoreError(code: .io, message: action) }
    // Held for as long as the copy is in use, so that a sweep knows.
    _ = FileLock.take(.exclusive, on: folder.descriptor)
    self.parent = parent
    self.folder = folder
    self.name = name
    path = base + "/" + name
    for name in names {
      guard let input = try source.openForReading(name) else { continue }
      let output = try folder.createFile(name)
      try Self.copy(input, output, action)
    }
  }

  private static let prefix = "photolib-"
  /// Seconds; a younger copy may be one whose maker has not come to lock it.
  private static let smallestAge: Int64 = 60

  /// Removes the copies of processes that were killed: they hold all that the index does.
  private static func sweep(_ parent: Folder) {
    guard let names = try? parent.names() else { return }
    let youngest = (Int64(time(nil)) - smallestAge) * 1_000_000_000
    for name in names where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 24 {
      guard let status = parent.status(name), status.isFolder, status.owner == geteuid(),
        status.modified < youngest, let folder = try? parent.folder(name),
        FileLock.take(.exclusive, on: folder.descriptor)
      else { continue }
      for file in (try? folder.names()) ?? [] { try? folder.remove(file) }
      try? parent.removeFolder(name)
    }
  }

  private static func copy(
    _ input: Descriptor, _ output: Descriptor, _ action: String
  ) throws(StoreError) {
    var buffer = [UInt8](repeating: 0, count: BufferPool.bufferSize)
    var offset: Int64 = 0
    while true {
      let count = try input.read(into: &buffer, at: offset)
      try output.write(buffer.span.extracting(0..<count), at: offset, action)
      offset += Int64(count)
      if count < buffer.count { return }
    }
  }

  deinit {
    if let names = try? folder.names() { for name in names { try? folder.remove(name) } }
    try? parent.removeFolder(name)
  }
}
