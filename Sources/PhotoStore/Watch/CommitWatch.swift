import Glibc
import Synchronization

/// Calls back after commits of any process, from a thread of its own, until it is stopped or
/// released.
///
/// Wakes come from inotify: from the doorbell, which every writer rings after its commit, and from
/// the index's log, so that a writer that is killed between the two is not missed. `PRAGMA
/// data_version` confirms that something was committed, so no wake is false. A log is written
/// before its commit can be seen: after such an event the version is looked at a few times more.
/// Where inotify is not to be had, the version is polled each 250 ms.
package final class CommitWatch: Sendable {
  private let stopping: StopSignal

  init(_ source: CommitSource, _ wake: @escaping @Sendable () -> Void) throws(StoreError) {
    let stopping = try StopSignal()
    self.stopping = stopping
    try WatchThread.start {
      var loop = CommitLoop(source: source, stopping: stopping)
      loop.run(wake)
    }
  }

  /// Ends the watch.
  ///
  /// A call that is under way may still finish after this returns; none begins.
  package func stop() { stopping.signal() }

  deinit { stop() }
}

extension Store {
  /// Watches for commits of any process, this one included.
  ///
  /// - Parameter wake: called serially on a private thread; several commits may come in one call.
  ///   Read the history then: the call itself says nothing of what changed.
  /// - Returns: the watch, which ends with its last reference.
  /// - Throws: `io` where the system has no thread or descriptor to spare.
  package func watchCommits(
    _ wake: @escaping @Sendable () -> Void
  ) throws(StoreError) -> CommitWatch {
    try CommitWatch(CommitSource(self), wake)
  }
}

/// Tells whether anything was committed since the last question, and where to wait for it.
final class CommitSource: Sendable {
  private let folder: LibraryFolder
  /// Its `data_version` counts the commits of all other connections; nil where there is no live
  /// index.
  private let connection: Connection?
  let inotify: Descriptor?
  private let seen: Mutex<Seen>

  private struct Seen {
    var version: Int64
    var index, log: FileStatus?
  }

  init(_ store: Store) throws(StoreError) {
    folder = store.folder
    connection = store.readers.isShared ? try store.readers.makeConnection() : nil
    inotify = Self.makeInotify(folder)
    seen = Mutex(Seen(version: try Self.version(connection)))
    _ = hasChanged()
  }

  private static func version(_ connection: Connection?) throws(StoreError) -> Int64 {
    try connection?.integer(WatchSQL.dataVersion) ?? 0
  }

  /// The folder is watched and not the files: a log that is removed and made anew stays watched.
  private static func makeInotify(_ folder: LibraryFolder) -> Descriptor? {
    let raw = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard raw >= 0 else { return nil }
    let descriptor = Descriptor(raw)
    let mask = UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_CREATE)
    guard unsafe inotify_add_watch(raw, folder.path, mask) >= 0 else { return nil }
    return descriptor
  }

  /// Takes all events that wait; true if one may mean a commit.
  func drainEvents() -> Bool {
    guard let inotify else { return false }
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    var matters = false
    while true {
      let count = unsafe Glibc.read(inotify.raw, &buffer, buffer.count)
      guard count > 0 else { return matters }
      if Self.mentionsIndex(buffer.prefix(count)) { matters = true }
    }
  }

  /// Walks `struct inotify_event`s: descriptor (4 bytes), mask (4), cookie (4), name length (4),
  /// name.
  private static func mentionsIndex(_ events: ArraySlice<UInt8>) -> Bool {
    var rest = events
    while rest.count >= 16 {
      let start = rest.startIndex
      let word = { (offset: Int) -> UInt32 in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(rest[start + offset + $1]) << UInt32($1 * 8) }
      }
      if word(4) & UInt32(IN_Q_OVERFLOW) != 0 { return true }
      let length = Int(word(12))
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      let text = String(decoding: name, as: UTF8.self)
      if text == LibraryFolder.doorbell || text == LibraryFolder.index
        || text == LibraryFolder.indexLog
      {
        return true
      }
      rest = rest.dropFirst(16 + length)
    }
    return false
  }

  /// Whether anything was committed since the last call.
  func hasChanged() -> Bool {
    seen.withLock { seen in
      if let connection {
        // A failing look counts as a change: the reader of the history will meet the error itself.
        guard let version = try? connection.integer(WatchSQL.dataVersion) else { return true }
        defer { seen.version = version }
        return version != seen.version
      }
      let index = folder.root.status(LibraryFolder.index)
      let log = folder.root.status(LibraryFolder.indexLog)
      defer { (seen.index, seen.log) = (index, log) }
      return seen.index != index || seen.log != log
    }
  }
}

enum WatchSQL {
  static let dataVersion = "PRAGMA data_version"
}
