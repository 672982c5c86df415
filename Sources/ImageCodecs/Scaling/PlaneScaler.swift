import PhotoModel

/// Turns the planes of a picture into packed pixels of the target's size: one plane into grey, three into
/// RGB.
///
/// Each plane is scaled from its own grid, samples standing for areas, and colours are made at the target's
/// size, where nothing has been rounded yet. With `isRGB` the planes are red, green and blue already, else
/// JFIF's luma and colour differences.
func scalePlanes(
  _ planes: [ReducedPlane], to reduction: Reduction, isRGB: Bool = false,
  cache: PlaneWeightsCache = .shared
) -> [UInt8] {
  precondition(planes.count == 1 || planes.count == 3, "grey, or three colour components")
  let output = reduction.output
  let channels = planes.count
  var result = [UInt8](repeating: 0, count: output.pixelCount * channels)
  var scalers = planes.map { PlaneScaler($0, to: reduction, cache: cache) }
  for row in 0..<output.height {
    for index in scalers.indices { scalers[index].makeRow(row, from: planes[index].samples) }
    let base = row * output.width * channels
    if channels == 1 {
      PlaneKernels.store(scalers[0].row, count: output.width, into: &result, at: base)
    } else {
      PlaneKernels.store(
        scalers[0].row, scalers[1].row, scalers[2].row, isRGB: isRGB, count: output.width,
        into: &result, at: base)
    }
  }
  return result
}

/// Scales one plane to the target, row by row from the top.
///
/// Rows are added up first, since that is the loop which SIMD does best, then the one sum is scaled along
/// itself.
struct PlaneScaler {
  /// The row made last, in levels that may lie outside 0 to 255.
  private(set) var row: [Float]
  private let size: PixelSize
  private let stride: Int
  private let across: PlaneWeights
  private let down: PlaneWeights
  /// The last rows of the plane as numbers, of which row `n` lies in slot `n % down.taps`.
  private var ring: [Float]
  private var rowsTaken: Int
  private var sum: [Float]

  init(_ plane: ReducedPlane, to reduction: Reduction, cache: PlaneWeightsCache) {
    size = plane.size
    stride = plane.stride
    let (x, y) = (Double(plane.pixelsPerSample.x), Double(plane.pixelsPerSample.y))
    across = cache.weights(
      PlaneWeights.Axis(
        inputs: plane.size.width, origin: reduction.cropX / x, length: reduction.cropWidth / x,
        outputs: reduction.output.width, samplesPerBlock: plane.samplesPerBlock))
    down = cache.weights(
      PlaneWeights.Axis(
        inputs: plane.size.height, origin: reduction.cropY / y, length: reduction.cropHeight / y,
        outputs: reduction.output.height, samplesPerBlock: plane.samplesPerBlock))
    let length = Self.padded(width: plane.size.width)
    ring = [Float](repeating: 0, count: down.taps * length)
    sum = [Float](repeating: 0, count: length)
    row = [Float](repeating: 0, count: reduction.output.width)
    // Rows above the crop are of no use to any output.
    rowsTaken = down.starts[0]
  }

  /// Makes output row `index`; call it for each in order.
  mutating func makeRow(_ index: Int, from samples: [UInt16]) {
    while rowsTaken < down.starts[index] + down.taps {
      PlaneKernels.levels(
        samples, from: rowsTaken * stride, count: size.width, into: &ring,
        at: rowsTaken % down.taps * sum.count)
      rowsTaken += 1
    }
    PlaneKernels.combine(ring, slots: down.taps, weights: down, output: index, into: &sum)
    PlaneKernels.scale(sum, weights: across, into: &row)
  }

  /// Bytes that scaling of `planes` planes allocates at most, the result included.
  ///
  /// `samplesPerBlock` is the largest among the planes.
  static func memory(_ reduction: Reduction, planes: Int, samplesPerBlock: Int = 4) -> Int {
    let output = reduction.output
    let pixels = 8 / samplesPerBlock
    let width = (reduction.source.width + pixels - 1) / pixels
    let tapsAcross = PlaneWeights.taps(
      scale: reduction.cropWidth / Double(pixels * output.width))
    let tapsDown = PlaneWeights.taps(
      scale: reduction.cropHeight / Double(pixels * output.height))
    let weights = output.width * (tapsAcross * 8 + 16) + output.height * (tapsDown * 8 + 16)
    return planes * ((tapsDown + 1) * padded(width: width) * 4 + output.width * 4 + weights)
      + output.pixelCount * planes
  }

  /// Numbers in a row: whole blocks, and what the last stride of weights may take beyond the plane.
  private static func padded(width: Int) -> Int {
    (width + PlaneWeights.unit + PlaneKernels.block - 1) / PlaneKernels.block * PlaneKernels.block
  }
}
