import Glibc
import Synchronization

/// Puts staged files in place among the originals, for one importer.
final class OriginalsFolder: Sendable {
  private let library: LibraryFolder
  private let originals: Folder
  private let buffers: BufferPool
  /// Shards whose entry in `originals/` this importer has made durable.
  private let durableShards = Mutex<Set<String>>([])

  init(_ library: LibraryFolder, _ buffers: BufferPool) throws(StoreError) {
    self.library = library
    self.buffers = buffers
    originals = try library.folder(LibraryFolder.originals)
  }

  /// Moves a staged file to its name.
  ///
  /// A file that has the name already stays if its bytes are right; else it is set aside in
  /// `quarantine/` and the staged one takes its place.
  ///
  /// - Parameters:
  ///   - staged: a durable file.
  ///   - name: the name that its content gives it.
  ///   - hidesExistence: whether the time taken must not tell if the file was there. Then the
  ///     file is read from the disk and hashed in either case.
  /// - Throws: what the system says; `io` where the file does not read back as it was written.
  func place(
    _ staged: StagedOriginal, as name: OriginalName, hidesExistence: Bool
  ) throws(StoreError) {
    let shard = try originals.makeFolder(name.shard)
    let isMoved = try staged.folder.move(staged.name, to: shard, as: name.fileName)
    if isMoved { staged.markMoved() }
    if isMoved, !hidesExistence { return }
    if isIntact(name, in: shard, byteSize: staged.byteSize, fromDisk: hidesExistence) { return }
    guard !isMoved else {
      throw StoreError(code: .io, message: "the copy does not read back as it was written")
    }
    try staged.folder.exchange(staged.name, with: name.fileName, in: shard)
    staged.markMoved()
    // What now has the staged name is the bad file, or the good one of another importer that found
    // the same; nothing is lost either way.
    let quarantine = try library.root.makeFolder(LibraryFolder.quarantine)
    let aside = name.fileName + "." + (try RandomBytes.make(4).hexadecimal)
    _ = try staged.folder.move(staged.name, to: quarantine, as: aside)
    try quarantine.descriptor.synchronize("a damaged original could not be set aside")
  }

  private func isIntact(
    _ name: OriginalName, in shard: Folder, byteSize: Int64, fromDisk: Bool
  ) -> Bool {
    guard let file = try? shard.openForReading(name.fileName),
      let status = try? file.status(), status.isRegularFile, status.size == byteSize
    else { return false }
    // Cached pages would tell a file that was just written from one that has long been there.
    if fromDisk { posix_fadvise(file.raw, 0, 0, POSIX_FADV_DONTNEED) }
    guard let found = try? file.hash(buffers)
    else { return false }
    return found.sha256 == name.sha256 && found.byteSize == byteSize
  }

  /// Makes the entries of a shard durable, and the shard's own where this importer has not yet done
  /// so.
  func synchronize(shard name: String) throws(StoreError) {
    let action = "the originals could not be made durable"
    guard let shard = try originals.folder(name) else {
      throw StoreError(code: .io, message: "\(action): a folder vanished")
    }
    try shard.descriptor.synchronize(action)
    guard durableShards.withLock({ !$0.contains(name) }) else { return }
    // Also where another importer made the shard: it may have died before its own fsync.
    try originals.descriptor.synchronize(action)
    durableShards.withLock { _ = $0.insert(name) }
  }
}
