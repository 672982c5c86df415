import PhotoModel

/// What a decoder is asked for, in the picture's stored orientation: scaling comes before turning,
/// since turning the small result costs nothing.
struct Reduction: Hashable {
  /// The coded size that the numbers below refer to.
  var source: PixelSize
  var output: PixelSize
  /// The part that is shown, in coded pixels.
  var cropX, cropY, cropWidth, cropHeight: Double

  init(stored: PixelSize, orientation: Orientation, recipe: ThumbnailRecipe) {
    let geometry = ThumbnailGeometry(
      source: orientation.displayedSize(of: stored), recipe: recipe)
    source = stored
    // Crops are centred, so mirroring and turning by 180 degrees leave them where they are.
    if orientation.swapsAxes {
      output = PixelSize(width: geometry.outputSize.height, height: geometry.outputSize.width)
      (cropX, cropY) = (geometry.cropY, geometry.cropX)
      (cropWidth, cropHeight) = (geometry.cropHeight, geometry.cropWidth)
    } else {
      output = geometry.outputSize
      (cropX, cropY) = (geometry.cropX, geometry.cropY)
      (cropWidth, cropHeight) = (geometry.cropWidth, geometry.cropHeight)
    }
  }

  /// By how much the less reduced axis is reduced, 1 or more.
  var factor: Double {
    max(1, min(cropWidth / Double(output.width), cropHeight / Double(output.height)))
  }

  /// Whether the output is the source, pixel by pixel.
  var isWhole: Bool {
    source == output && (cropX, cropY) == (0, 0) && cropWidth == Double(source.width)
      && cropHeight == Double(source.height)
  }

  /// The same picture decoded at 1/denominator, where its size is `size`. (Sizes are rounded up
  /// there, so the last column may stand for less than a whole one; the crop keeps the exact
  /// extent.)
  func scaled(by denominator: Int, size: PixelSize) -> Reduction {
    var result = self
    result.source = size
    result.cropX /= Double(denominator)
    result.cropY /= Double(denominator)
    result.cropWidth /= Double(denominator)
    result.cropHeight /= Double(denominator)
    return result
  }
}
