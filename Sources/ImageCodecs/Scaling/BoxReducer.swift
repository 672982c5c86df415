import PhotoModel

/// Averages blocks of whole pixels, row by row: the cheap first part of a large reduction.
///
/// With a factor of 1 on both axes it only turns bytes into numbers.
struct BoxReducer {
  let output: PixelSize
  private let source: PixelSize
  private let channels: Int
  private let horizontal, vertical: Int
  private var sums: [UInt32]
  private var rowsInSum = 0
  private var rowsTaken = 0
  private(set) var row: [Float]

  /// `horizontal * vertical` may not pass 65,536 * 256, where the sums would end.
  init(source: PixelSize, channels: Int, horizontal: Int, vertical: Int) {
    self.source = source
    self.channels = channels
    self.horizontal = horizontal
    self.vertical = vertical
    output = Self.outputSize(source, horizontal: horizontal, vertical: vertical)
    sums = [UInt32](repeating: 0, count: output.width * channels)
    row = [Float](repeating: 0, count: output.width * channels)
  }

  /// Blocks at the right and lower edge may be partial; they count as whole.
  static func outputSize(_ source: PixelSize, horizontal: Int, vertical: Int) -> PixelSize {
    PixelSize(
      width: (source.width + horizontal - 1) / horizontal,
      height: (source.height + vertical - 1) / vertical)
  }

  /// Takes one row of `source.width * channels` bytes; true when it completed a row of the output,
  /// which is then in `row`.
  mutating func take(_ bytes: Span<UInt8>) -> Bool {
    precondition(bytes.count == source.width * channels, "a whole row of pixels")
    rowsTaken += 1
    if horizontal == 1 && vertical == 1 {
      for index in row.indices { row[index] = Float(bytes[index]) }
      return true
    }
    switch channels {
    case 1: add1(bytes)
    case 3: add3(bytes)
    default: add4(bytes)
    }
    rowsInSum += 1
    guard rowsInSum == vertical || rowsTaken == source.height else { return false }
    divide()
    return true
  }

  private mutating func divide() {
    let full = 1 / Float(horizontal * rowsInSum)
    let lastWidth = source.width - (output.width - 1) * horizontal
    let last = 1 / Float(lastWidth * rowsInSum)
    let whole = (output.width - 1) * channels
    for index in 0..<whole { row[index] = Float(sums[index]) * full }
    for index in whole..<row.count { row[index] = Float(sums[index]) * last }
    for index in sums.indices { sums[index] = 0 }
    rowsInSum = 0
  }

  // One loop for each channel count: with the channels' sums in registers they run several times
  // faster than one general loop.
  private mutating func add1(_ bytes: Span<UInt8>) {
    for block in 0..<output.width {
      var sum: UInt32 = 0
      for index in block * horizontal..<min((block + 1) * horizontal, source.width) {
        sum &+= UInt32(bytes[index])
      }
      sums[block] &+= sum
    }
  }

  private mutating func add3(_ bytes: Span<UInt8>) {
    for block in 0..<output.width {
      var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
      var index = block * horizontal * 3
      let end = min((block + 1) * horizontal, source.width) * 3
      while index < end {
        red &+= UInt32(bytes[index])
        green &+= UInt32(bytes[index + 1])
        blue &+= UInt32(bytes[index + 2])
        index += 3
      }
      sums[block * 3] &+= red
      sums[block * 3 + 1] &+= green
      sums[block * 3 + 2] &+= blue
    }
  }

  private mutating func add4(_ bytes: Span<UInt8>) {
    for block in 0..<output.width {
      var sum = SIMD4<UInt32>.zero
      var index = block * horizontal * 4
      let end = min((block + 1) * horizontal, source.width) * 4
      while index < end {
        sum &+= SIMD4(
          UInt32(bytes[index]), UInt32(bytes[index + 1]), UInt32(bytes[index + 2]),
          UInt32(bytes[index + 3]))
        index += 4
      }
      for channel in 0..<4 { sums[block * 4 + channel] &+= sum[channel] }
    }
  }
}
