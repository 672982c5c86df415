import PhotoModel

/// One component of a JPEG picture, decoded at a reduced scale.
struct ReducedPlane {
  /// The samples that the picture covers; the rows of `samples` may hold more.
  var size: PixelSize
  /// Samples from one row to the next.
  var stride: Int
  /// `stride * size.height` samples at least, top row first, in eighths of a level: 0 to 2,040.
  ///
  /// The mean of a block and its 2x2 inverse DCT are whole eighths. Rounded to levels before they are
  /// scaled they would cost a thumbnail about a decibel.
  var samples: [UInt16]
  /// How many samples a side of an 8x8 block became: 1, 2, 4 or 8.
  var samplesPerBlock: Int
  /// Picture pixels that one sample stands for along each axis: 8 / samplesPerBlock, times how much
  /// coarser than the picture this component is sampled.
  var pixelsPerSample: (x: Int, y: Int)
}
