import Glibc
import PhotoLibrary

/// A folder that files are written into, each of them whole or not at all.
///
/// The folder is held open: if it is moved or replaced meanwhile, the files still go into the one
/// that was named at the beginning.
struct OutputFolder: ~Copyable {
  fileprivate let descriptor: Int32
  fileprivate let path: FilePath

  /// Opens a folder, and makes it, with those above it, if it is not there.
  init(creating path: FilePath) throws(Failure) {
    let problem = makeFolders(path, mode: 0o777)
    if problem != 0 { throw Failure(.cannotCreate, printable(path.bytes), systemMessage(problem)) }
    try self.init(path)
  }

  /// Opens a folder that is there.
  init(_ path: FilePath) throws(Failure) {
    descriptor = unsafe withCString(of: path) {
      unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    self.path = path
    if descriptor < 0 {
      throw Failure(.cannotCreate, printable(path.bytes), systemMessage(errno))
    }
  }

  deinit { close(descriptor) }

  /// Writes a file in place of one of that name, if there is any.
  func write(_ data: [UInt8], as name: String) throws(Failure) {
    var file = try AtomicFile(Array(name.utf8), in: self)
    try file.append(data)
    try file.commit()
  }
}

/// A file that is written under a temporary name, and takes its own when it is complete.
struct AtomicFile: ~Copyable {
  /// A descriptor of the folder of its own, so that the file can outlive the `OutputFolder`.
  private let folder: Int32
  private let descriptor: Int32
  private let name: FilePath
  private let temporaryName: FilePath
  private let shownPath: String
  private var isCommitted = false

  init(_ name: [UInt8], in folder: borrowing OutputFolder) throws(Failure) {
    self.name = FilePath(bytes: name)
    shownPath = printable(folder.path.appending(name).bytes)
    let random = String(UInt64.random(in: .min ... .max), radix: 16)
    temporaryName = FilePath(".photolib-\(random).tmp")
    self.folder = fcntl(folder.descriptor, F_DUPFD_CLOEXEC, 3)
    let directory = self.folder
    // O_EXCL never follows a link that stands there, and never takes a file of somebody else.
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    descriptor = unsafe withCString(of: temporaryName) {
      unsafe openat(directory, $0, flags, 0o666)
    }
    if descriptor < 0 { throw failure(errno) }
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
      if !isCommitted {
        _ = unsafe withCString(of: temporaryName) { unsafe unlinkat(folder, $0, 0) }
      }
    }
    if folder >= 0 { close(folder) }
  }

  mutating func append(_ data: [UInt8]) throws(Failure) {
    let problem = writeAll(data, to: descriptor)
    if problem != 0 { throw failure(problem) }
  }

  /// Gives the file its name.
  mutating func commit() throws(Failure) {
    let answer = unsafe withCString(of: temporaryName) { old in
      unsafe withCString(of: name) { unsafe renameat(folder, old, folder, $0) }
    }
    if answer != 0 { throw failure(errno) }
    isCommitted = true
  }

  private func failure(_ number: Int32) -> Failure {
    let isFull = number == ENOSPC || number == EDQUOT || number == EIO || number == EFBIG
    return Failure(isFull ? .io : .cannotCreate, shownPath, systemMessage(number))
  }
}
