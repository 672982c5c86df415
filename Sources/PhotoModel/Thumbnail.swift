/// How a thumbnail is to be made and written.
public struct ThumbnailRecipe: Hashable, Sendable {
  /// The size to fit or to fill, in pixels; each side 1 to 8192.
  public var size: PixelSize
  /// Whether the whole picture is fitted or the size is filled.
  public var contentMode: ContentMode
  /// In what form the pixels are written.
  public var encoding: Encoding

  /// The form in which a thumbnail's pixels are encoded.
  public enum Encoding: Hashable, Sendable {
    /// JPEG of the given quality, 1 to 100.
    case jpeg(quality: Int)
    case png

    /// The kind of file that comes out.
    public var format: ImageFormat {
      switch self {
      case .jpeg: .jpeg
      case .png: .png
      }
    }
  }

  /// The default of every command and call: fit into 256x256, JPEG of quality 85.
  public init(
    size: PixelSize = PixelSize(width: 256, height: 256), contentMode: ContentMode = .aspectFit,
    encoding: Encoding = .jpeg(quality: 85)
  ) {
    self.size = size
    self.contentMode = contentMode
    self.encoding = encoding
  }
}

/// An encoded thumbnail: upright, sRGB, without metadata.
public struct Thumbnail: Hashable, Sendable {
  /// A whole JPEG or PNG file.
  public let data: [UInt8]
  /// Its size in pixels.
  public let size: PixelSize
  /// Where it comes from.
  public let source: Source
  /// What was wrong with the original though a picture could be made, or nil.
  public let warning: String?

  /// Where the pixels came from.
  public enum Source: String, Hashable, Sendable {
    case cache
    /// A small picture inside the original, as a camera put it there: degraded, and perhaps of the picture
    /// before an edit.
    case preview
    case decoded
  }

  /// Makes a value of its parts.
  public init(data: [UInt8], size: PixelSize, source: Source, warning: String? = nil) {
    self.data = data
    self.size = size
    self.source = source
    self.warning = warning
  }
}
