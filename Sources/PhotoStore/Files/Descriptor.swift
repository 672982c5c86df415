import Glibc

/// An open file or folder; closed with this object.
final class Descriptor: Sendable {
  let raw: Int32

  /// Takes over a descriptor.
  init(_ raw: Int32) { self.raw = raw }

  deinit { close(raw) }

  /// Makes what was written, or a folder's entries, durable.
  func synchronize(_ action: String) throws(StoreError) {
    while fsync(raw) != 0 {
      guard errno == EINTR else { throw StoreError(errorNumber: errno, action) }
    }
  }

  /// The file's status.
  func status() throws(StoreError) -> FileStatus {
    var status = stat()
    guard unsafe fstat(raw, &status) == 0 else {
      throw StoreError.reading(errorNumber: errno, "a file's status could not be read")
    }
    return FileStatus(status)
  }

  /// Reads up to `buffer.count` bytes at an offset; fewer only at the end of the file.
  ///
  /// - Returns: the number of bytes read.
  func read(into buffer: inout [UInt8], at offset: Int64) throws(StoreError) -> Int {
    var done = 0
    while done < buffer.count {
      let result = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe pread(
          raw, bytes.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset) + done)
      }
      if result == 0 { break }
      if result < 0 {
        if errno == EINTR { continue }
        throw StoreError.reading(errorNumber: errno, "it could not be read")
      }
      done += result
    }
    return done
  }

  /// Writes all of `bytes` at an offset.
  func write(_ bytes: Span<UInt8>, at offset: Int64, _ action: String) throws(StoreError) {
    var done = 0
    while done < bytes.count {
      let result = unsafe bytes.withUnsafeBytes { raw in
        unsafe pwrite(
          self.raw, raw.baseAddress?.advanced(by: done), raw.count - done, off_t(offset) + done)
      }
      if result < 0 {
        if errno == EINTR { continue }
        throw StoreError(errorNumber: errno, action)
      }
      done += result
    }
  }
}

/// What `stat` tells of a file, as far as it is asked for here.
struct FileStatus: Hashable, Sendable {
  let device, inode: UInt64
  let size: Int64
  let mode: UInt32
  let modified: Int64
  let changed: Int64
  let links: UInt64
  let owner: UInt32

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    mode = UInt32(status.st_mode)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
    links = UInt64(status.st_nlink)
    owner = UInt32(status.st_uid)
  }

  var isRegularFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
  /// The permission bits.
  var permissions: UInt32 { mode & 0o7777 }
  /// Whether both are the same file with the same bytes, as far as the file system can tell.
  func isUnchanged(_ later: FileStatus) -> Bool {
    device == later.device && inode == later.inode && size == later.size
      && modified == later.modified
  }
}
