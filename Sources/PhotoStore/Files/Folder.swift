import CFiles
import Glibc

/// An open folder of the library.
///
/// Everything in it is reached by name from its descriptor, so that a folder that is moved or
/// replaced meanwhile leads nowhere else.
struct Folder: Sendable {
  let descriptor: Descriptor

  private static let openFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

  /// Opens a folder by path, links resolved; nil with `errno` where that fails.
  init?(path: String) {
    let raw = unsafe open(path, Self.openFlags)
    guard raw >= 0 else { return nil }
    descriptor = Descriptor(raw)
  }

  init(_ descriptor: Descriptor) { self.descriptor = descriptor }

  /// Opens a folder inside this one, never through a link; nil where there is none.
  func folder(_ name: String) throws(StoreError) -> Folder? {
    let raw = unsafe openat(descriptor.raw, name, Self.openFlags | O_NOFOLLOW)
    if raw >= 0 { return Folder(Descriptor(raw)) }
    guard errno == ENOENT else {
      throw StoreError.reading(errorNumber: errno, "a folder of the library could not be opened")
    }
    return nil
  }

  /// Opens a folder inside this one, made with mode 0700 whatever the umask if it is missing.
  func makeFolder(_ name: String) throws(StoreError) -> Folder {
    try createFolder(name, mustBeNew: false)
    guard let folder = try folder(name) else {
      throw StoreError(code: .io, message: "a folder of the library vanished")
    }
    return folder
  }

  /// Makes a folder with mode 0700 whatever the umask.
  ///
  /// - Returns: false where the name is taken, or the folder was taken away again at once.
  @discardableResult
  func createFolder(_ name: String, mustBeNew: Bool) throws(StoreError) -> Bool {
    let action = "a folder of the library could not be made"
    guard unsafe mkdirat(descriptor.raw, name, 0o700) == 0 else {
      guard errno == EEXIST else { throw StoreError(errorNumber: errno, action) }
      return false
    }
    guard unsafe fchmodat(descriptor.raw, name, 0o700, 0) == 0 else {
      // A sweep by another process took it between the two calls.
      guard errno == ENOENT else { throw StoreError(errorNumber: errno, action) }
      return false
    }
    return true
  }

  /// The bytes that this user may still write on the folder's file system; nil where that is not told.
  var freeSpace: Int64? {
    var status = statvfs()
    guard unsafe fstatvfs(descriptor.raw, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(
      by: UInt64(status.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// Opens a file for reading, never through a link and never waiting for a FIFO; nil where there
  /// is none.
  func openForReading(_ name: String) throws(StoreError) -> Descriptor? {
    let raw = unsafe openat(descriptor.raw, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if raw >= 0 { return Descriptor(raw) }
    guard errno == ENOENT else {
      throw StoreError.reading(errorNumber: errno, "a file of the library could not be opened")
    }
    return nil
  }

  /// Makes a file that must be new, for reading and writing, with exactly this mode whatever the
  /// umask.
  func createFile(_ name: String, mode: UInt32 = 0o600) throws(StoreError) -> Descriptor {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let raw = unsafe openat(descriptor.raw, name, flags, 0o600)
    let action = "a file of the library could not be made"
    guard raw >= 0 else { throw StoreError(errorNumber: errno, action) }
    let file = Descriptor(raw)
    guard fchmod(raw, mode) == 0 else { throw StoreError(errorNumber: errno, action) }
    return file
  }

  /// Opens a file for reading and writing, made with mode 0600 whatever the umask if it is missing.
  func openOrCreateFile(_ name: String) throws(StoreError) -> Descriptor {
    for _ in 0..<16 {
      let raw = unsafe openat(descriptor.raw, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
      if raw >= 0 { return Descriptor(raw) }
      guard errno == ENOENT else {
        throw StoreError(errorNumber: errno, "a file of the library could not be opened")
      }
      do {
        return try createFile(name)
      } catch {
        // Another process may have made it in between; then it is opened in the next round.
        guard status(name) != nil else { throw error }
      }
    }
    throw StoreError(code: .io, message: "a file of the library could not be opened")
  }

  /// The status of an entry (of a link itself), or nil where there is none.
  func status(_ name: String) -> FileStatus? {
    var status = stat()
    guard unsafe fstatat(descriptor.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    return FileStatus(status)
  }

  /// Whether the calling user may write to an entry; "." is the folder itself.
  func isWritable(_ name: String) -> Bool {
    unsafe faccessat(descriptor.raw, name, W_OK, AT_EACCESS) == 0
  }

  /// Removes a file; a missing one is no error.
  func remove(_ name: String) throws(StoreError) {
    guard unsafe unlinkat(descriptor.raw, name, 0) == 0 || errno == ENOENT else {
      throw StoreError(errorNumber: errno, "a file of the library could not be removed")
    }
  }

  /// Removes an empty folder; a missing one is no error.
  func removeFolder(_ name: String) throws(StoreError) {
    guard unsafe unlinkat(descriptor.raw, name, Int32(AT_REMOVEDIR)) == 0 || errno == ENOENT else {
      throw StoreError(errorNumber: errno, "a folder of the library could not be removed")
    }
  }

  /// Moves a file to another folder, where the name must be free.
  ///
  /// - Returns: false where the name is taken.
  func move(
    _ name: String, to folder: Folder, as newName: String
  ) throws(StoreError) -> Bool {
    let from = descriptor.raw
    let to = folder.descriptor.raw
    var error = unsafe cfiles_rename_noreplace(from, name, to, newName)
    if error == EINVAL || error == ENOSYS {
      // The file system has no such rename: a second name, and then the first one away.
      error = unsafe linkat(from, name, to, newName, 0) == 0 ? 0 : errno
      if error == 0 { try remove(name) }
    }
    switch error {
    case 0: return true
    case EEXIST: return false
    default: throw StoreError(errorNumber: error, "a file could not be moved into the library")
    }
  }

  /// Renames a file within the folder; whatever has the new name is replaced.
  func replace(_ name: String, as newName: String) throws(StoreError) {
    guard unsafe renameat(descriptor.raw, name, descriptor.raw, newName) == 0 else {
      throw StoreError(errorNumber: errno, "a file of the library could not be renamed")
    }
  }

  /// Lets a file here and one in another folder trade names.
  func exchange(_ name: String, with other: String, in folder: Folder) throws(StoreError) {
    let error = unsafe cfiles_rename_exchange(
      descriptor.raw, name, folder.descriptor.raw, other)
    guard error == 0 else {
      throw StoreError(errorNumber: error, "a file could not be moved into the library")
    }
  }

  /// The name of the network file system that holds the folder, or nil for a local one.
  var networkFileSystem: String? {
    guard let name = unsafe cfiles_network_filesystem(descriptor.raw) else { return nil }
    return unsafe String(cString: name)
  }

  /// The names of all entries, sorted.
  ///
  /// Names that are not UTF-8 are shown with replacement.
  func names() throws(StoreError) -> [String] {
    let action = "a folder of the library could not be read"
    // Opened anew, so that the position in the listing is this call's own.
    let raw = unsafe openat(descriptor.raw, ".", Self.openFlags)
    guard raw >= 0 else { throw StoreError.reading(errorNumber: errno, action) }
    guard let stream = unsafe fdopendir(raw) else {
      let error = errno
      close(raw)
      throw StoreError.reading(errorNumber: error, action)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw StoreError.reading(errorNumber: errno, action) }
        break
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) {
          unsafe String(cString: $0)
        }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
