import ImageContainer
import PhotoModel

/// A JPEG thumbnail by our own decoder: the components' planes at a reduced scale, each scaled to the
/// target, and colours made there.
struct JPEGFastPath {
  let limits: DecodeLimits

  /// Bytes that decoding and scaling allocate at most, apart from the file's.
  static func memory(_ structure: ImageStructure, _ reduction: Reduction) -> Int {
    let components = structure.jpeg?.components ?? []
    let sampling = JPEGSampling(components)
    let sides = components.map { component in
      (
        horizontal: component.horizontalSampling, vertical: component.verticalSampling,
        samplesPerBlock: JPEGScale.samplesPerBlock(
          horizontal: component.horizontalSampling, vertical: component.verticalSampling,
          sampling: sampling, isProgressive: structure.isProgressive, reduction: reduction)
      )
    }
    return FastJPEGDecoder.memory(
      sides, size: structure.codedSize, isProgressive: structure.isProgressive)
      + PlaneScaler.memory(
        reduction, planes: components.count,
        samplesPerBlock: min(4, sides.map(\.samplesPerBlock).max() ?? 4))
  }

  /// Decodes and scales; nil where libjpeg-turbo has to.
  func reduce(
    _ bytes: [UInt8], _ reduction: Reduction, checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> ReducedPicture? {
    let decoder = FastJPEGDecoder(limits: limits)
    let picture = try decoder.planes(
      bytes, size: reduction.source,
      samplesPerBlock: { component, headers in
        JPEGScale.samplesPerBlock(
          horizontal: component.horizontal, vertical: component.vertical,
          sampling: JPEGSampling(horizontal: headers.widest, vertical: headers.tallest),
          isProgressive: headers.isProgressive, reduction: reduction)
      }, checkpoint: checkpoint)
    guard let picture else { return nil }
    try checkpoint()
    return ReducedPicture(
      size: reduction.output, channels: picture.planes.count,
      bytes: scalePlanes(
        picture.planes, to: reduction, isRGB: picture.colours == .rgb),
      profile: picture.profile)
  }

  /// Whether every block is there.
  func isWhole(
    _ bytes: [UInt8], size: PixelSize, checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> Bool {
    try FastJPEGDecoder(limits: limits).planes(
      bytes, size: size, samplesPerBlock: { _, _ in 1 }, checkpoint: checkpoint) != nil
  }
}
