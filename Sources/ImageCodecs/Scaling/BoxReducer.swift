import PhotoModel

/// Averages blocks of whole pixels, row by row: the cheap first part of a large reduction.
///
/// Rows are added up first, column by column, which a vector unit does sixteen bytes at a time; across it
/// is added only once for each row of blocks. With a factor of 1 on both axes it only turns bytes into
/// numbers.
struct BoxReducer {
  let output: PixelSize
  private let source: PixelSize
  private let channels: Int
  private let horizontal, vertical: Int
  /// Of each byte of a row the sum over rows, until 16 bits could be full.
  private var columns: [UInt16]
  private var rowsInColumns = 0
  private var sums: [UInt32]
  private var rowsInSum = 0
  private var rowsTaken = 0
  /// The last row of the output, and one number more for those who load three channels as four.
  private(set) var row: [Float]

  /// 257 rows of 255 are 65,535.
  private static let columnRows = 257

  /// `horizontal * vertical` may not pass 65,536 * 256, where the sums would end.
  init(source: PixelSize, channels: Int, horizontal: Int, vertical: Int) {
    self.source = source
    self.channels = channels
    self.horizontal = horizontal
    self.vertical = vertical
    output = Self.outputSize(source, horizontal: horizontal, vertical: vertical)
    let isCopy = horizontal == 1 && vertical == 1
    columns = [UInt16](repeating: 0, count: isCopy ? 0 : source.width * channels)
    sums = [UInt32](repeating: 0, count: isCopy ? 0 : output.width * channels)
    row = [Float](repeating: 0, count: output.width * channels + 1)
  }

  /// Blocks at the right and lower edge may be partial; they count as whole.
  static func outputSize(_ source: PixelSize, horizontal: Int, vertical: Int) -> PixelSize {
    PixelSize(
      width: (source.width + horizontal - 1) / horizontal,
      height: (source.height + vertical - 1) / vertical)
  }

  /// Bytes that a reducer allocates.
  static func memory(
    _ source: PixelSize, channels: Int, horizontal: Int, vertical: Int
  ) -> Int {
    let output = outputSize(source, horizontal: horizontal, vertical: vertical)
    return source.width * channels * 2 + output.width * channels * 8 + 4
  }

  /// Takes one row of `source.width * channels` bytes; true when it completed a row of the output,
  /// which is then in `row`.
  mutating func take(_ bytes: Span<UInt8>) -> Bool {
    precondition(bytes.count == source.width * channels, "a whole row of pixels")
    rowsTaken += 1
    if horizontal == 1 && vertical == 1 {
      for index in bytes.indices { row[index] = Float(bytes[index]) }
      return true
    }
    addRow(bytes)
    rowsInColumns += 1
    rowsInSum += 1
    let isRow = rowsInSum == vertical || rowsTaken == source.height
    if isRow || rowsInColumns == Self.columnRows {
      addColumns()
      rowsInColumns = 0
    }
    if isRow { divide() }
    return isRow
  }

  private mutating func divide() {
    let full = 1 / Float(horizontal * rowsInSum)
    let lastWidth = source.width - (output.width - 1) * horizontal
    let last = 1 / Float(lastWidth * rowsInSum)
    let whole = (output.width - 1) * channels
    unsafe sums.withUnsafeMutableBufferPointer { sums in
      unsafe row.withUnsafeMutableBufferPointer { row in
        if horizontal * rowsInSum < 1 << 23 {
          // The sums have a bit to spare, and signed numbers are turned into Float by one instruction.
          for index in 0..<whole {
            unsafe row[index] = Float(Int32(truncatingIfNeeded: sums[index])) * full
          }
        } else {
          for index in 0..<whole { unsafe row[index] = Float(sums[index]) * full }
        }
        for index in whole..<sums.count { unsafe row[index] = Float(sums[index]) * last }
        unsafe sums.update(repeating: 0)
      }
    }
    rowsInSum = 0
  }

  /// Adds a row to the columns' sums; the first one begins them.
  private mutating func addRow(_ bytes: Span<UInt8>) {
    let isFirst = rowsInColumns == 0
    unsafe bytes.withUnsafeBufferPointer { row in
      unsafe columns.withUnsafeMutableBufferPointer { columns in
        // Loops so plain that the compiler makes vectors of them.
        if isFirst {
          for index in 0..<row.count { unsafe columns[index] = UInt16(row[index]) }
        } else {
          for index in 0..<row.count { unsafe columns[index] &+= UInt16(row[index]) }
        }
      }
    }
  }

  /// Adds the columns' sums to the blocks'.
  ///
  /// One loop for each channel count: with the channels' sums in registers they run several times
  /// faster than one general loop.
  private mutating func addColumns() {
    let count = source.width * channels
    unsafe columns.withUnsafeBufferPointer { columns in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        switch channels {
        case 1: unsafe Self.add1(columns, count: count, horizontal, to: sums)
        case 3: unsafe Self.add3(columns, count: count, horizontal, to: sums)
        default: unsafe Self.add4(columns, count: count, horizontal, to: sums)
        }
      }
    }
  }

  private static func add1(
    _ columns: UnsafeBufferPointer<UInt16>, count: Int, _ horizontal: Int,
    to sums: UnsafeMutableBufferPointer<UInt32>
  ) {
    var index = 0
    for block in sums.indices {
      var sum: UInt32 = 0
      let end = min(index &+ horizontal, count)
      while index < end {
        unsafe sum &+= UInt32(columns[index])
        index &+= 1
      }
      unsafe sums[block] &+= sum
    }
  }

  private static func add3(
    _ columns: UnsafeBufferPointer<UInt16>, count: Int, _ horizontal: Int,
    to sums: UnsafeMutableBufferPointer<UInt32>
  ) {
    var index = 0
    for block in stride(from: 0, to: sums.count, by: 3) {
      var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
      let end = min(index &+ horizontal &* 3, count)
      while index < end {
        unsafe red &+= UInt32(columns[index])
        unsafe green &+= UInt32(columns[index &+ 1])
        unsafe blue &+= UInt32(columns[index &+ 2])
        index &+= 3
      }
      unsafe sums[block] &+= red
      unsafe sums[block &+ 1] &+= green
      unsafe sums[block &+ 2] &+= blue
    }
  }

  private static func add4(
    _ columns: UnsafeBufferPointer<UInt16>, count: Int, _ horizontal: Int,
    to sums: UnsafeMutableBufferPointer<UInt32>
  ) {
    var index = 0
    for block in stride(from: 0, to: sums.count, by: 4) {
      var sum = SIMD4<UInt32>.zero
      let end = min(index &+ horizontal &* 4, count)
      while index < end {
        unsafe sum &+= SIMD4(
          UInt32(columns[index]), UInt32(columns[index &+ 1]), UInt32(columns[index &+ 2]),
          UInt32(columns[index &+ 3]))
        index &+= 4
      }
      for channel in 0..<4 { unsafe sums[block &+ channel] &+= sum[channel] }
    }
  }
}
