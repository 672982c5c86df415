/// The size of a picture, in pixels.
public struct PixelSize: Hashable, Sendable, CustomStringConvertible {
  /// Pixels a row.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Makes a size of two sides in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Width times height; `Int.max` where that overflows, so that limits still hold.
  public var pixelCount: Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : count
  }

  /// The text form.
  public var description: String { "\(width)x\(height)" }
}

/// How stored rows and columns map to the upright picture (EXIF 2.32, tag 0x0112).
public enum Orientation: Int, Sendable, Hashable, CaseIterable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// Whether the upright picture has the stored one's width as its height (values 5 to 8).
  public var swapsAxes: Bool { rawValue >= 5 }

  /// The size of the upright picture, given the size as stored.
  public func displayedSize(of stored: PixelSize) -> PixelSize {
    swapsAxes ? PixelSize(width: stored.height, height: stored.width) : stored
  }
}

/// How a picture is fitted to the size that is asked for; never enlarged.
public enum ContentMode: Int, Sendable, Hashable {
  /// The whole picture inside the size, its aspect kept.
  case aspectFit = 0
  /// The size wholly covered, what juts out cut off evenly on both sides.
  case aspectFill = 1
}
