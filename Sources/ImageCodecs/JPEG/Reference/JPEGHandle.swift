import CImageCodecs

/// libjpeg-turbo's decoder on bytes in memory.
///
/// The bytes must outlive it; one thread at a time.
@safe
struct JPEGHandle: ~Copyable {
  private let handle: OpaquePointer
  let info: cimg_jpeg_info

  init(
    _ bytes: UnsafeBufferPointer<UInt8>, limits: DecodeLimits, coefficientMemory: Int
  ) throws(CodecError) {
    var error = cimg_error()
    let bounds = cimg_jpeg_limits(
      coefficient_memory: max(1, coefficientMemory), scans: Int32(clamping: limits.maximumScans),
      warnings: Int32(clamping: limits.warnings), profile: limits.profile)
    guard let base = bytes.baseAddress else { throw .damaged("the file is empty") }
    guard let handle = unsafe cimg_jpeg_open(base, bytes.count, bounds, &error) else {
      throw CodecError(error)
    }
    unsafe self.handle = unsafe handle
    info = unsafe cimg_jpeg_get_info(handle)
  }

  deinit { unsafe cimg_jpeg_close(handle) }

  var report: cimg_jpeg_report { unsafe cimg_jpeg_get_report(handle) }

  /// The embedded ICC profile.
  func profile() -> [UInt8]? {
    var size = 0
    guard let bytes = unsafe cimg_jpeg_get_profile(handle, &size) else { return nil }
    return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: size))
  }

  /// Prepares decoding at 1/denominator and returns the size of what will come out.
  func start(denominator: Int, coarse: Bool) throws(CodecError) -> (width: Int, height: Int) {
    var (width, height): (UInt32, UInt32) = (0, 0)
    var error = cimg_error()
    guard
      unsafe cimg_jpeg_start(handle, Int32(denominator), coarse, &width, &height, &error) == 0
    else { throw CodecError(error) }
    return (Int(width), Int(height))
  }

  /// Takes in some rows of blocks of a picture of several scans; true when there is enough for
  /// output.
  func consume(steps: Int) throws(CodecError) -> Bool {
    var error = cimg_error()
    let state = unsafe cimg_jpeg_consume(handle, Int32(steps), &error)
    if state < 0 { throw CodecError(error) }
    return state == 1
  }

  /// Treats the file as ended where `consume` failed.
  func endInput() throws(CodecError) {
    var error = cimg_error(code: Int32(CIMG_DAMAGED), message: cimg_error().message)
    if unsafe cimg_jpeg_end_input(handle, &error) != 0 { throw CodecError(error) }
  }

  /// Reads up to `count` rows into `rows`; how many came, 0 at the end.
  func read(into rows: inout [UInt8], stride: Int, count: Int) throws(CodecError) -> Int {
    let fitting = min(count, rows.count / max(1, stride))
    var error = cimg_error()
    let read = unsafe rows.withUnsafeMutableBufferPointer { buffer -> Int32 in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe cimg_jpeg_read_rows(handle, base, stride, Int32(fitting), &error)
    }
    if read < 0 { throw CodecError(error) }
    return Int(read)
  }
}
