import Glibc
import PhotoModel
import PhotoStore

/// A file or folder outside the library, opened without following a link or waiting for a peer.
final class SourceFile {
  enum Kind: Equatable {
    case regular
    case folder
    /// Neither, with its name for counting: `link`, `fifo`, `socket`, `device`.
    case special(String)
  }

  let descriptor: Int32
  let kind: Kind
  /// Bytes; of a regular file.
  let size: Int64
  /// When the bytes were last changed.
  let modificationTime: Instant
  /// Tells one file system object from all others.
  let identity: Identity
  /// Where it was opened, for the sidecar beside it.
  private let name: [UInt8]
  private let folder: Folder

  /// The folder that names are looked up in.
  private enum Folder {
    case working
    /// Kept open as long as the file is.
    case open(SourceFile)

    var descriptor: Int32 {
      switch self {
      case .working: AT_FDCWD
      case .open(let folder): folder.descriptor
      }
    }
  }

  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// Opens `name` in an open folder, or in the working directory.
  ///
  /// Special files are recognised before they are opened: opening a device can have effects, and a
  /// FIFO's writer would be woken.
  convenience init(_ name: [UInt8], in folder: SourceFile) throws(SystemError) {
    try self.init(name, at: .open(folder))
  }

  private init(_ name: [UInt8], at folder: Folder) throws(SystemError) {
    let path = name.map { CChar(bitPattern: $0) } + [0]
    var status = stat()
    guard unsafe fstatat(folder.descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw SystemError(errno)
    }
    if case .special(let type) = Self.kind(of: status) { throw SystemError(special: type) }
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY
    let opened = unsafe openat(folder.descriptor, path, flags)
    guard opened >= 0 else {
      // Replaced by a link between the two calls.
      if errno == ELOOP { throw SystemError(special: "link") }
      throw SystemError(errno)
    }
    guard unsafe fstat(opened, &status) == 0 else {
      let code = errno
      close(opened)
      throw SystemError(code)
    }
    kind = Self.kind(of: status)
    if case .special(let type) = kind {
      close(opened)
      throw SystemError(special: type)
    }
    descriptor = opened
    self.name = name
    self.folder = folder
    size = Int64(status.st_size)
    let (seconds, overflow) = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(
      by: 1_000_000_000)
    modificationTime = Instant(
      nanoseconds: overflow
        ? (status.st_mtim.tv_sec < 0 ? .min / 2 : .max / 2)
        : seconds &+ Int64(status.st_mtim.tv_nsec))
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  deinit { close(descriptor) }

  private static func kind(of status: stat) -> Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .folder
    case S_IFLNK: .special("link")
    case S_IFIFO: .special("fifo")
    case S_IFSOCK: .special("socket")
    default: .special("device")
    }
  }

  /// The first bytes of the file, at most `count`.
  func prefix(_ count: Int) throws(SystemError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled,
          off_t(filled))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { code = errno }
        if got <= 0 { return }
        filled += got
      }
    }
    if code != 0 { throw SystemError(code) }
    return bytes
  }

  /// The bytes of the XMP file beside a picture, at most `limit` + 1 of them, or nil where there is none.
  ///
  /// `IMG_1.jpg.xmp`, else `IMG_1.xmp`, as editors name them. A link, a device or a FIFO of that name counts as
  /// none, and so does what cannot be read: a sidecar never stops its picture.
  func sidecar(limit: Int) -> [UInt8]? {
    let slash = name.lastIndex(of: UInt8(ascii: "/")) ?? -1
    var stems = [name]
    if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > slash + 1 {
      stems.append(Array(name[..<dot]))
    }
    for stem in stems {
      for suffix in [".xmp", ".XMP"] {
        guard let file = try? SourceFile(stem + Array(suffix.utf8), at: folder),
          file.kind == .regular, file.identity != identity
        else { continue }
        return try? file.prefix(Int(min(Int64(limit) + 1, max(0, file.size))))
      }
    }
    return nil
  }

  /// The names in an open folder, without `.` and `..`, in the order of their bytes.
  func entries() throws(SystemError) -> [[UInt8]] {
    // fdopendir takes the descriptor over, so it gets one of its own.
    let copy = unsafe ".".withCString { unsafe openat(descriptor, $0, O_RDONLY | O_CLOEXEC) }
    guard copy >= 0 else { throw SystemError(errno) }
    guard let stream = unsafe fdopendir(copy) else {
      let code = errno
      close(copy)
      throw SystemError(code)
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { raw in
        unsafe Array(raw.prefix { $0 != 0 })
      }
      if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
    }
    if errno != 0 { throw SystemError(errno) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The SHA-256 of a file that the caller names; a link is followed.
  static func sha256(of path: FilePath) throws(LibraryError) -> [UInt8] {
    let file: SourceFile
    do {
      file = try SourceFile(named: path)
    } catch {
      throw LibraryError(code: .io, message: error.message)
    }
    guard file.kind == .regular else {
      throw LibraryError(code: .io, message: SystemError(EISDIR).message)
    }
    do {
      return try Store.sha256(of: file.descriptor, isCancelled: { false }).sha256
    } catch {
      throw LibraryError(error)
    }
  }

  /// Opens what a person names: links in the path are resolved once, then never again.
  convenience init(named path: FilePath) throws(SystemError) {
    let resolved: [UInt8]? = unsafe (path.bytes + [0]).withUnsafeBytes { raw in
      guard let base = unsafe raw.baseAddress?.assumingMemoryBound(to: CChar.self),
        let found = unsafe realpath(base, nil)
      else { return nil }
      defer { unsafe free(found) }
      return unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
    }
    guard let resolved else { throw SystemError(errno) }
    try self.init(resolved, at: .working)
  }
}

/// Why the system refused a call, or what kind of special file stands in the way.
struct SystemError: Error, Hashable {
  let code: Int32
  /// The counting name where the file is neither regular nor a folder.
  let specialType: String?

  init(_ code: Int32) {
    self.code = code
    specialType = nil
  }

  init(special type: String) {
    code = EINVAL
    specialType = type
  }

  /// The reason in words, the same in every locale.
  var message: String {
    if let specialType {
      return switch specialType {
      case "link": "it is a symbolic link"
      case "fifo": "it is a FIFO, not a file"
      case "socket": "it is a socket, not a file"
      default: "it is a device, not a file"
      }
    }
    return switch code {
    case ENOENT: "no such file or folder"
    case EACCES, EPERM: "permission denied"
    case ELOOP: "too many symbolic links"
    case ENAMETOOLONG: "the name is too long"
    case ENOTDIR: "a part of the path is no folder"
    case EISDIR: "it is a folder"
    case EMFILE, ENFILE: "too many open files"
    case EIO: "input/output error"
    default: unsafe String(cString: strerror(code))
    }
  }
}
