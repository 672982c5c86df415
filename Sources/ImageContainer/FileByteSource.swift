#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is read by pread, so that its descriptor may be shared and has no position to disturb.
///
/// A mapped file that shrinks would kill the process; here it only gives fewer bytes.
package struct FileByteSource: ByteSource {
  private let descriptor: Int32
  /// The size when this was made.
  package let count: Int

  /// Wraps a descriptor, which its owner keeps open for as long as this is used.
  package init(descriptor: Int32) throws(ByteSourceError) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw ByteSourceError(message: "fstat: " + Self.describe(errno))
    }
    self.descriptor = descriptor
    count = max(0, Int(status.st_size))
  }

  package func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    let range = clampedRange(offset: offset, count: count, within: self.count)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    try append(range, to: &bytes)
    return bytes
  }

  package func read(
    at offset: Int, count: Int, appendingTo bytes: inout [UInt8]
  ) throws(ByteSourceError) {
    try append(clampedRange(offset: offset, count: count, within: self.count), to: &bytes)
  }

  private func append(_ range: Range<Int>, to bytes: inout [UInt8]) throws(ByteSourceError) {
    guard !range.isEmpty else { return }
    var failure: Int32 = 0
    bytes.append(addingCapacity: range.count) { span in
      unsafe span.withUnsafeMutableBufferPointer { buffer, filled in
        guard let base = buffer.baseAddress else { return }
        while filled < range.count {
          let got = unsafe pread(
            descriptor, base + filled, range.count - filled, off_t(range.lowerBound + filled))
          if got > 0 {
            filled += got
          } else if got == 0 {
            break
          } else if errno != EINTR {
            failure = errno
            break
          }
        }
      }
    }
    guard failure == 0 else { throw ByteSourceError(message: "pread: " + Self.describe(failure)) }
  }

  private static func describe(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
