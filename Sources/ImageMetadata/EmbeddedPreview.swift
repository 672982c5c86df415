package import ImageContainer
package import PhotoModel

/// A small JPEG picture inside a photograph's file, which a camera or editor put there.
///
/// It may be out of date, since editors change the picture and keep it: `fit` tells what its shape says.
package struct EmbeddedPreview: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// IFD1 of EXIF (CIPA DC-008 4.5.5).
    case exifThumbnail
    /// A large thumbnail of a multi-picture file (CIPA DC-007).
    case multiPicture
  }

  package let source: Source
  /// Where its bytes lie in the file.
  package let range: Range<Int>
  /// As its own frame header says, before orientation.
  package let pixelSize: PixelSize
  /// What its own tag says; nil where it has none, and is turned as the picture is.
  package let orientation: Orientation?

  package init(
    source: Source, range: Range<Int>, pixelSize: PixelSize, orientation: Orientation?
  ) {
    self.source = source
    self.range = range
    self.pixelSize = pixelSize
    self.orientation = orientation
  }

  /// Finds the previews of a picture, as ``PhotoMetadata/previews`` has them.
  ///
  /// Reads EXIF and the multi-picture index, and of the previews themselves the headers; no other metadata is
  /// looked at. Never fails, whatever the bytes. Safe from any thread.
  package static func find(
    in source: some ByteSource, structure: ImageStructure
  ) -> [EmbeddedPreview] {
    MetadataBlocks(source, structure: structure, scope: .previews).previews
  }

  /// How a picture's shape compares with the preview's; rows and columns are those of the preview as stored.
  package enum Fit: Hashable, Sendable {
    /// The same aspect, a pixel of rounding allowed.
    case whole
    /// The picture is wider: either black bars of so many rows lie above and below it, or the preview is
    /// stale.
    ///
    /// Only its pixels tell.
    case barsAboveAndBelow(rows: ClosedRange<Int>)
    /// The picture is narrower: bars of so many columns at both sides, or stale.
    case barsLeftAndRight(columns: ClosedRange<Int>)
  }

  /// Compares with a picture of `codedSize` as stored, both turned upright.
  package func fit(pictureSize codedSize: PixelSize, orientation picture: Orientation) -> Fit {
    let upright = picture.displayedSize(of: codedSize)
    // Swapping axes is its own inverse: the picture in the axes of the preview as stored.
    let size = (orientation ?? picture).displayedSize(of: upright)
    // Sides are at most 2^31: products of two fit.
    let wide = pixelSize.width * size.height
    let tall = pixelSize.height * size.width
    guard size.width > 0, size.height > 0, abs(wide - tall) > max(size.width, size.height) else {
      return .whole
    }
    if wide < tall {
      let bars = Self.bars(total: tall - wide, over: size.width)
      return .barsAboveAndBelow(rows: bars)
    }
    return .barsLeftAndRight(columns: Self.bars(total: wide - tall, over: size.height))
  }

  /// Half of a fraction, rounded either way at each of the two steps.
  private static func bars(total: Int, over divisor: Int) -> ClosedRange<Int> {
    let least = total / divisor
    let most = least + (total % divisor == 0 ? 0 : 1)
    return (least / 2)...((most + 1) / 2)
  }
}
