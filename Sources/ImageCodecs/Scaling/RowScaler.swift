import PhotoModel

/// Scales a picture that arrives row by row from the top: box average by a whole factor where the
/// reduction is large, then Lanczos on both axes.
///
/// It keeps as many scaled rows as the filter is high, whatever the picture's size.
struct RowScaler {
  private let channels: Int
  private let output: PixelSize
  /// Whether nothing is to be scaled or cut: the filter would give every sample back as it is.
  private let isCopy: Bool
  private var box: BoxReducer
  private let across: ResampleWeights
  private let down: ResampleWeights
  /// The last rows, scaled across, of which row `n` lies in slot `n % slots`.
  private var ring: [Float]
  private let slots: Int
  private var boxedRows = 0
  private var sourceRows = 0
  private let sourceSize: PixelSize
  private var accumulator: [Float]
  private var result: [UInt8] = []
  private var rowsWritten = 0

  private var rowLength: Int { output.width * channels }

  /// What box averaging leaves for Lanczos to do: at 3 its own droop is out of sight.
  private static let residualFactor = 3.0

  init(_ reduction: Reduction, channels: Int) {
    let (horizontal, vertical) = Self.boxFactors(reduction)
    self.channels = channels
    output = reduction.output
    sourceSize = reduction.source
    isCopy = reduction.isWhole
    box = BoxReducer(
      source: reduction.source, channels: channels, horizontal: horizontal, vertical: vertical)
    if isCopy {
      // Of no use.
      across = ResampleWeights(inputs: 1, origin: 0, length: 1, outputs: 1)
      down = across
      slots = 0
      (ring, accumulator) = ([], [])
      result.reserveCapacity(output.pixelCount * channels)
      return
    }
    across = ResampleWeights(
      inputs: box.output.width, origin: reduction.cropX / Double(horizontal),
      length: reduction.cropWidth / Double(horizontal), outputs: output.width)
    down = ResampleWeights(
      inputs: box.output.height, origin: reduction.cropY / Double(vertical),
      length: reduction.cropHeight / Double(vertical), outputs: output.height)
    slots = down.taps
    ring = [Float](repeating: 0, count: slots * output.width * channels)
    accumulator = [Float](repeating: 0, count: output.width * channels)
    result.reserveCapacity(output.pixelCount * channels)
  }

  /// Bytes that a scaler for it allocates, at most.
  static func memory(_ reduction: Reduction, channels: Int) -> Int {
    let (horizontal, vertical) = boxFactors(reduction)
    let tapsAcross = ResampleWeights.taps(
      scale: reduction.cropWidth / Double(horizontal * reduction.output.width))
    let tapsDown = ResampleWeights.taps(
      scale: reduction.cropHeight / Double(vertical * reduction.output.height))
    let weights = reduction.output.width * tapsAcross + reduction.output.height * tapsDown
    return BoxReducer.memory(
      reduction.source, channels: channels, horizontal: horizontal, vertical: vertical)
      + (tapsDown + 1) * reduction.output.width * channels * 4
      + weights * 4 + (reduction.output.width + reduction.output.height) * 8
      + reduction.output.pixelCount * channels
  }

  private static func boxFactors(_ reduction: Reduction) -> (horizontal: Int, vertical: Int) {
    let horizontal = reduction.cropWidth / Double(reduction.output.width) / residualFactor
    let vertical = reduction.cropHeight / Double(reduction.output.height) / residualFactor
    return (max(1, Int(horizontal)), max(1, Int(vertical)))
  }

  /// Whether the output is whole; rows beyond it need not be decoded.
  var isDone: Bool { rowsWritten == output.height }

  /// Rows of the source that have not come.
  var rowsLeft: Int { sourceSize.height - sourceRows }

  /// Takes the next row of the source.
  mutating func push(_ row: Span<UInt8>) {
    guard !isDone, sourceRows < sourceSize.height else { return }
    sourceRows += 1
    if isCopy {
      precondition(row.count == rowLength, "a whole row of pixels")
      unsafe row.withUnsafeBufferPointer { unsafe result.append(contentsOf: $0) }
      rowsWritten += 1
      return
    }
    guard box.take(row) else { return }
    // Rows above the crop are of no use to any output.
    if boxedRows >= down.starts[0] {
      across.apply(box.row, channels: channels, to: &ring, at: boxedRows % slots * rowLength)
    }
    boxedRows += 1
    while !isDone, down.starts[rowsWritten] + down.taps <= boxedRows { writeRow() }
  }

  /// Ends the picture: rows that never came are as `value`.
  ///
  /// Returns `output` rows of packed pixels.
  mutating func finish(missing value: UInt8) -> [UInt8] {
    let row = [UInt8](repeating: value, count: sourceSize.width * channels)
    while !isDone && sourceRows < sourceSize.height { push(row.span) }
    return result
  }

  private mutating func writeRow() {
    down.combine(ring, slots: slots, output: rowsWritten, into: &accumulator)
    for value in accumulator { result.append(UInt8(min(max(value + 0.5, 0), 255))) }
    rowsWritten += 1
  }
}
