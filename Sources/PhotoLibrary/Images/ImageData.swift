public import PhotoModel

/// The bytes of an original, as the client that asked may have them.
public struct ImageData: Hashable, Sendable {
  /// A whole JPEG or PNG file.
  public let data: [UInt8]
  /// The media type, for example `image/jpeg`.
  public let contentType: String
  /// How the stored picture is turned.
  public let orientation: Orientation
  /// Whether places were taken out because the client may not know them; true whether or not there
  /// was one.
  public let isLocationRedacted: Bool
  /// The name that the file had when it was added.
  public let fileName: FileName

  /// Wraps bytes and what is known of them.
  public init(
    data: [UInt8], contentType: String, orientation: Orientation, isLocationRedacted: Bool,
    fileName: FileName
  ) {
    self.data = data
    self.contentType = contentType
    self.orientation = orientation
    self.isLocationRedacted = isLocationRedacted
    self.fileName = fileName
  }
}
