import CImageCodecs

/// libpng's decoder on bytes in memory.
///
/// The bytes must outlive it; one thread at a time.
@safe
struct PNGHandle: ~Copyable {
  private let handle: OpaquePointer
  let info: cimg_png_info

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: DecodeLimits) throws(CodecError) {
    var error = cimg_error()
    let bounds = cimg_png_limits(
      side: UInt32(clamping: limits.maximumSide), chunk: limits.pngChunk, cached_chunks: 128,
      warnings: Int32(clamping: limits.warnings))
    guard let base = bytes.baseAddress else { throw .damaged("the file is empty") }
    guard let handle = unsafe cimg_png_open(base, bytes.count, bounds, &error) else {
      throw CodecError(error)
    }
    unsafe self.handle = unsafe handle
    info = unsafe cimg_png_get_info(handle)
  }

  deinit { unsafe cimg_png_close(handle) }

  var report: cimg_png_report { unsafe cimg_png_get_report(handle) }

  /// The embedded ICC profile, if it is not larger than `limit` bytes.
  func profile(limit: Int) -> [UInt8]? {
    var size = 0
    guard let bytes = unsafe cimg_png_get_profile(handle, &size), size <= limit else { return nil }
    return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: size))
  }

  /// Reads the next `count` rows of a pass into `rows` from `offset` on; how many came.
  func read(into rows: inout [UInt8], at offset: Int, count: Int) throws(CodecError) -> Int {
    let stride = info.row_bytes
    let fitting = min(count, (rows.count - offset) / max(1, stride))
    guard offset >= 0, fitting > 0 else { return 0 }
    var error = cimg_error()
    let read = unsafe rows.withUnsafeMutableBufferPointer { buffer -> Int32 in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe cimg_png_read_rows(handle, base + offset, stride, Int32(fitting), &error)
    }
    if read < 0 { throw CodecError(error) }
    return Int(read)
  }

  /// Reads what is behind the picture's last row, for its checksums.
  func finish() { unsafe cimg_png_finish(handle) }
}
