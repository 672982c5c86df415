package import PhotoModel

/// The size of a thumbnail and the part of the picture that it shows; never enlarged.
///
/// Fit: the whole picture inside the size, its aspect kept, at least 1x1. Fill: the size covered
/// and what juts out cut evenly on both sides; a source smaller than the size is only cropped.
/// Sides are rounded to the nearest pixel.
package struct ThumbnailGeometry: Hashable, Sendable {
  package let outputSize: PixelSize
  /// Which part of the upright source is shown, in source pixels.
  package let cropX, cropY, cropWidth, cropHeight: Double

  /// `source` is the upright size, both sides above 0.
  package init(source: PixelSize, recipe: ThumbnailRecipe) {
    let width = Double(max(1, source.width))
    let height = Double(max(1, source.height))
    let boundWidth = Double(max(1, recipe.size.width))
    let boundHeight = Double(max(1, recipe.size.height))
    switch recipe.contentMode {
    case .aspectFit:
      // Of the side that touches the bound nothing must be lost to rounding, so compare, then
      // divide.
      let isWidthBound = width * boundHeight >= height * boundWidth
      let scale = min(1, isWidthBound ? boundWidth / width : boundHeight / height)
      outputSize = PixelSize(
        width: Self.side(width * scale, atMost: boundWidth),
        height: Self.side(height * scale, atMost: boundHeight))
      (cropX, cropY, cropWidth, cropHeight) = (0, 0, width, height)
    case .aspectFill:
      let scale = min(1, max(boundWidth / width, boundHeight / height))
      outputSize = PixelSize(
        width: Self.side(width * scale, atMost: boundWidth),
        height: Self.side(height * scale, atMost: boundHeight))
      cropWidth = min(width, Double(outputSize.width) / scale)
      cropHeight = min(height, Double(outputSize.height) / scale)
      cropX = (width - cropWidth) / 2
      cropY = (height - cropHeight) / 2
    }
  }

  private static func side(_ length: Double, atMost bound: Double) -> Int {
    Int(min(max(1, length.rounded()), bound))
  }
}
