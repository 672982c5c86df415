/// Some rows of a PNG picture as they come out of inflate, and the row above them: unfiltered in place.
///
/// Memory: `capacity + 9` rows.
@safe
struct PNGBand: ~Copyable {
  /// Bytes of one row without its filter byte.
  let rowBytes: Int
  /// Rows that fit.
  let capacity: Int
  private let pixelBytes: Int
  private let stride: Int
  private let memory: UnsafeMutablePointer<UInt8>
  private var filters: [UInt8]

  /// A row of filter byte and samples that kernels may read and write some bytes beyond.
  private static let margin = 32

  /// `pixelBytes`: bytes of a whole pixel, 1 where it is less (ISO/IEC 15948 9.2).
  init(rowBytes: Int, pixelBytes: Int, capacity: Int) {
    self.rowBytes = rowBytes
    self.pixelBytes = pixelBytes
    self.capacity = capacity
    stride = rowBytes + 1
    let count = Self.memory(rowBytes: rowBytes, capacity: capacity)
    unsafe memory = .allocate(capacity: count)
    // The row above the first is zero (9.2), and what kernels read beyond rows is some value.
    unsafe memory.initialize(repeating: 0, count: count)
    filters = [UInt8](repeating: 0, count: capacity + PNGWavefront.rows)
  }

  deinit { unsafe memory.deallocate() }

  /// Bytes that a band allocates.
  static func memory(rowBytes: Int, capacity: Int) -> Int {
    // One above the rows, and behind them some for the wavefront's idle lanes.
    (rowBytes + 1) * (capacity + 1 + PNGWavefront.rows) + 2 * margin
  }

  /// Where the first row's filter byte stands; the row above it is one stride before.
  private var first: UnsafeMutablePointer<UInt8> {
    unsafe memory + Self.margin + stride
  }

  /// Inflates and unfilters the next `count` rows; false where they do not come or are filtered in an
  /// unknown way.
  mutating func read(_ inflater: inout PNGInflater, count: Int) -> Bool {
    precondition(count <= capacity, "no more rows than fit")
    guard unsafe inflater.read(first, count: count * stride) else { return false }
    for row in 0..<count {
      let filter = unsafe first[row * stride]
      guard filter <= 4 else { return false }
      filters[row] = filter
    }
    for row in count..<count + PNGWavefront.rows { filters[row] = 0 }
    var row = 0
    while row < count { row += unfilter(from: row, of: count) }
    return true
  }

  /// Inflates the next `count` rows only to see whether they come and are filtered in a known way.
  func skip(_ inflater: inout PNGInflater, count: Int) -> Bool {
    precondition(count <= capacity, "no more rows than fit")
    guard unsafe inflater.read(first, count: count * stride) else { return false }
    return (0..<count).allSatisfy { unsafe first[$0 * stride] <= 4 }
  }

  /// A row that has been read.
  func withRow<Result>(_ row: Int, _ body: (UnsafePointer<UInt8>) -> Result) -> Result {
    precondition(row < capacity)
    return unsafe body(first + row * stride + 1)
  }

  /// Ends a band: its last row is the one above the next.
  mutating func moveOn(after count: Int) {
    unsafe (first - stride).update(from: first + (count - 1) * stride, count: stride)
  }

  /// Unfilters one row or some; returns how many.
  private func unfilter(from row: Int, of count: Int) -> Int {
    let start = unsafe first + row * stride + 1
    let above = unsafe start - stride
    let left = count - row
    switch PNGFilter(rawValue: filters[row]) ?? .none {
    case .none:
      return 1
    case .sub:
      unsafe PNGUnfilter.sub(start, count: rowBytes, pixelBytes: pixelBytes)
      return 1
    case .up:
      unsafe PNGUnfilter.up(start, above, count: rowBytes)
      return 1
    case .average where !hasSlowRow(behind: row):
      unsafe PNGUnfilter.average(start, above, count: rowBytes, pixelBytes: pixelBytes)
      return 1
    case .average, .paeth:
      return min(
        left,
        unsafe PNGWavefront.run(
          start, stride: stride, count: rowBytes, pixelBytes: pixelBytes,
          filters: SIMD8(filters[row..<row + PNGWavefront.rows])))
    }
  }

  /// Whether one of the next three rows is worth a lane of the wavefront.
  private func hasSlowRow(behind row: Int) -> Bool {
    filters[row + 1] >= 3 || filters[row + 2] >= 3 || filters[row + 3] >= 3
  }
}

/// The filter types (ISO/IEC 15948 9.2).
enum PNGFilter: UInt8 {
  case none, sub, up, average, paeth
}
