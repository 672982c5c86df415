import Synchronization

/// Bytes that lie in an importer's staging folder: hashed, whole, not yet durable.
///
/// The staged file is removed with this object, unless a commit has moved it among the originals.
package final class StagedOriginal: Sendable {
  package let sha256: [UInt8]
  package let byteSize: Int64
  let folder: Folder
  let name: String
  let file: Descriptor
  private let isMoved = Atomic(false)

  /// An open descriptor for reading, valid as long as this object lives.
  package var descriptor: Int32 { file.raw }

  init(sha256: [UInt8], byteSize: Int64, folder: Folder, name: String, file: Descriptor) {
    self.sha256 = sha256
    self.byteSize = byteSize
    self.folder = folder
    self.name = name
    self.file = file
  }

  deinit { if !isMoved.load(ordering: .acquiring) { try? folder.remove(name) } }

  /// Says that the name in the staging folder is no longer this file's.
  func markMoved() { isMoved.store(true, ordering: .releasing) }
}
