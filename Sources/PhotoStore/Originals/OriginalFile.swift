import Glibc

/// An open original; closed with this object.
///
/// Read it by `pread`: a mapped file that shrinks would kill the process.
package final class OriginalFile: Sendable {
  private let file: Descriptor
  package let byteSize: Int64

  /// Valid as long as this object lives.
  package var descriptor: Int32 { file.raw }

  init(_ file: Descriptor, byteSize: Int64) {
    self.file = file
    self.byteSize = byteSize
  }

  /// Asks the kernel to have it in memory soon.
  func announce() {
    var offset: Int64 = 0
    while offset < byteSize {
      _ = posix_fadvise(
        descriptor, off_t(offset), off_t(Self.announcedBytes), POSIX_FADV_WILLNEED)
      offset += Self.announcedBytes
    }
  }

  /// Of one call Linux heeds no more than the device's read-ahead, whose default this is
  /// (mm/readahead.c, `force_page_cache_ra`).
  private static let announcedBytes: Int64 = 128 << 10
}

extension LibraryFolder {
  /// The status of an original's file, or nil where there is none.
  func status(_ name: OriginalName) -> FileStatus? {
    (try? folder(Self.originals).folder(name.shard))?.status(name.fileName)
  }

  /// Opens an original whose size is as recorded.
  ///
  /// Errors do not name it: its hash is not for every client.
  func openOriginal(_ name: OriginalName, byteSize: Int64) throws(StoreError) -> OriginalFile {
    let missing = StoreError(
      code: .damaged, message: "its original is missing from the library")
    guard let shard = try folder(Self.originals).folder(name.shard),
      let file = try shard.openForReading(name.fileName)
    else { throw missing }
    let status = try file.status()
    guard status.isRegularFile, status.size == byteSize else {
      throw StoreError(
        code: .damaged, message: "its original is damaged: it does not have its size")
    }
    return OriginalFile(file, byteSize: byteSize)
  }
}
