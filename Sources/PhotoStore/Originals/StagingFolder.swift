/// One importer's folder below `staging/`, held by `flock` on the folder itself as long as the
/// importer lives, with the list of the originals that it is about to put in place.
struct StagingFolder: Sendable {
  let name: String
  let parent: Folder
  let folder: Folder

  private static let list = "names"

  /// Makes a folder with a random name and holds it.
  init(in library: LibraryFolder) throws(StoreError) {
    let parent = try library.root.makeFolder(LibraryFolder.staging)
    for _ in 0..<16 {
      let name = try RandomBytes.make(8).hexadecimal
      guard try parent.createFolder(name, mustBeNew: true),
        let folder = try parent.folder(name)
      else { continue }
      // A sweep may have come between making and locking; then the name is gone or another's.
      guard FileLock.take(.exclusive, on: folder.descriptor),
        StagingFolder(name: name, parent: parent, folder: folder).isThere
      else {
        try? parent.removeFolder(name)
        continue
      }
      // The list in the folder is worth nothing if a power cut takes the folder's own name.
      try parent.descriptor.synchronize("the staging folder could not be made durable")
      self.init(name: name, parent: parent, folder: folder)
      return
    }
    throw StoreError(code: .io, message: "no staging folder could be made")
  }

  private init(name: String, parent: Folder, folder: Folder) {
    self.name = name
    self.parent = parent
    self.folder = folder
  }

  /// All folders below `staging/`, of importers that live and of dead ones.
  static func all(in library: LibraryFolder) throws(StoreError) -> [StagingFolder] {
    guard let parent = try library.root.folder(LibraryFolder.staging) else { return [] }
    var folders: [StagingFolder] = []
    for name in try parent.names() where parent.status(name)?.isFolder == true {
      guard let folder = try parent.folder(name) else { continue }
      folders.append(StagingFolder(name: name, parent: parent, folder: folder))
    }
    return folders
  }

  /// Whether the name still is this folder's.
  var isThere: Bool {
    guard let status = try? folder.descriptor.status() else { return false }
    return parent.status(name)?.inode == status.inode
  }

  /// Writes down durably which originals are about to be put in place.
  func writeList(_ names: [OriginalName]) throws(StoreError) {
    let action = "the import's list could not be written"
    // Written beside and renamed: until then the old list holds.
    let temporary = Self.list + ".new"
    try folder.remove(temporary)
    let file = try folder.createFile(temporary)
    let text = Array(names.map { $0.fileName + "\n" }.joined().utf8)
    try file.write(text.span, at: 0, action)
    try file.synchronize(action)
    try folder.replace(temporary, as: Self.list)
    try folder.descriptor.synchronize(action)
  }

  /// The originals of the list; lines that are no names of originals are left out.
  func readList(_ buffers: BufferPool) throws(StoreError) -> [OriginalName] {
    guard let file = try folder.openForReading(Self.list) else { return [] }
    let text = try buffers.withBuffer { (buffer) throws(StoreError) -> [UInt8] in
      var text: [UInt8] = []
      while true {
        let count = try file.read(into: &buffer, at: Int64(text.count))
        text += buffer[..<count]
        if count < buffer.count { return text }
      }
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap {
      OriginalName($0)
    }
  }

  /// Removes the folder with all its files, the list last.
  func remove() throws(StoreError) {
    for name in try folder.names() where name != Self.list { try folder.remove(name) }
    try folder.remove(Self.list)
    try parent.removeFolder(name)
  }
}
