import ImageContainer
import PhotoModel

/// What a preview's own JPEG headers say.
struct PreviewHeader {
  let pixelSize: PixelSize
  let orientation: Orientation?

  /// The headers of a preview end within so many bytes, or it counts as none: what is no picture is
  /// not searched to its end.
  static let maximumLength = 256 << 10

  /// Nil where the bytes are no JPEG picture that can be decoded.
  ///
  /// Reads a window or two from the front.
  init?(_ source: some ByteSource) {
    let source = PartByteSource(source, 0..<min(source.count, Self.maximumLength))
    guard let structure = try? ImageStructure.scanHeaders(source), structure.format == .jpeg,
      structure.unsupported == nil
    else { return nil }
    pixelSize = structure.codedSize
    var orientation: Orientation?
    for segment in structure.segments where segment.marker == 0xE1 && orientation == nil {
      guard let bytes = try? source.read(at: segment.offset, count: segment.length),
        let header = MetadataSignature.exifHeaderLength(bytes),
        let reader = ExifReader(Array(bytes.dropFirst(header)))
      else { continue }
      orientation = reader.fields.orientationValue
    }
    self.orientation = orientation
  }
}
