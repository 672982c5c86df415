import Glibc

/// The layout of a library's folder: every name in it stands here.
struct LibraryFolder: Sendable {
  /// The folder's absolute path, links resolved: SQLite opens its files by path.
  let path: String
  let root: Folder

  static let index = "library.sqlite"
  static let indexLog = "library.sqlite-wal"
  /// The index while it is being made; renamed when it is whole.
  static let newIndex = "library.sqlite.new"
  static let thumbnails = "thumbnails.sqlite"
  static let lock = "library.lock"
  static let doorbell = "doorbell"
  static let originals = "originals"
  static let staging = "staging"
  static let snapshots = "snapshots"
  static let quarantine = "quarantine"
  static let folders = [originals, staging, snapshots, quarantine]

  /// What SQLite puts beside a database.
  static let companions = ["-wal", "-shm", "-journal"]

  /// The absolute path without links, or nil with `errno`.
  static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  func path(of name: String) -> String { path + "/" + name }

  /// A folder of the library, which must be there.
  func folder(_ name: String) throws(StoreError) -> Folder {
    guard let folder = try root.folder(name) else {
      throw StoreError(code: .damaged, message: "the library's folder of \(name) is missing")
    }
    return folder
  }

  /// Whether there is an index, and not merely an empty file of its name.
  var hasIndex: Bool { (root.status(Self.index)?.size ?? 0) > 0 }

  /// Whether any original is there.
  func hasOriginals() throws(StoreError) -> Bool {
    guard let originals = try root.folder(Self.originals) else { return false }
    for name in try originals.names() {
      guard let shard = try? originals.folder(name) else { return true }
      if try !shard.names().isEmpty { return true }
    }
    return false
  }

  /// Opens the lock file with a descriptor of its own.
  func openLock() throws(StoreError) -> Descriptor { try root.openOrCreateFile(Self.lock) }
}
