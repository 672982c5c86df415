import PhotoModel

/// Turns and mirrors packed pixels so that the picture stands upright.
func upright(
  _ bytes: [UInt8], size: PixelSize, channels: Int, orientation: Orientation
) -> [UInt8] {
  guard orientation != .up else { return bytes }
  let (width, height) = (size.width, size.height)
  let upright = orientation.displayedSize(of: size)
  var result: [UInt8] = []
  result.reserveCapacity(bytes.count)
  for y in 0..<upright.height {
    for x in 0..<upright.width {
      // Where the upright pixel lies in the stored picture (EXIF 2.32, Orientation: the value tells
      // which side of the scene the stored row 0 and column 0 are).
      let (column, row): (Int, Int) =
        switch orientation {
        case .up: (x, y)
        case .upMirrored: (width - 1 - x, y)
        case .down: (width - 1 - x, height - 1 - y)
        case .downMirrored: (x, height - 1 - y)
        case .leftMirrored: (y, x)
        case .right: (y, height - 1 - x)
        case .rightMirrored: (width - 1 - y, height - 1 - x)
        case .left: (width - 1 - y, x)
        }
      let start = (row * width + column) * channels
      result.append(contentsOf: bytes[start..<start + channels])
    }
  }
  return result
}
