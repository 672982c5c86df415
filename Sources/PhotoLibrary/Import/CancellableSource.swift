import ImageContainer

/// A file whose reading ends when the import is cancelled.
struct CancellableSource: ByteSource {
  let file: FileByteSource
  let flag: CancellationFlag

  var count: Int { file.count }

  func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    if flag.isCancelled { throw ByteSourceError(message: LibraryError.cancelled.message) }
    return try file.read(at: offset, count: count)
  }
}
