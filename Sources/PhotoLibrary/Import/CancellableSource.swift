import ImageContainer

/// A file whose reading ends when the work that reads it is cancelled.
struct CancellableSource: ByteSource {
  let file: FileByteSource
  let flag: CancellationFlag

  var count: Int { file.count }

  func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    try check()
    return try file.read(at: offset, count: count)
  }

  func read(
    at offset: Int, count: Int, appendingTo bytes: inout [UInt8]
  ) throws(ByteSourceError) {
    try check()
    try file.read(at: offset, count: count, appendingTo: &bytes)
  }

  private func check() throws(ByteSourceError) {
    if flag.isCancelled { throw ByteSourceError(message: LibraryError.cancelled.message) }
  }
}
