/// A kind of original that a library holds, decided by content, never by file name.
public enum ImageFormat: Int, Sendable, Hashable, CaseIterable {
  case jpeg = 1
  case png = 2

  /// The media type, for example `image/jpeg`.
  public var contentType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    }
  }

  /// The file name extension without a dot, for example `jpg`.
  public var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    }
  }
}
