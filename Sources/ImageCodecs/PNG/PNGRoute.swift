import ImageContainer
import PhotoModel

/// Which decoder takes a PNG picture.
///
/// The one place where that is decided.
enum PNGRoute: DecodeRoute {
  /// Our own: whole files in which nothing is unusual.
  case fast
  /// libpng, which takes everything that can be read here.
  case reference

  init(_ structure: ImageStructure) {
    self = structure.completeness == .complete ? .fast : .reference
  }

  var next: PNGRoute? { self == .fast ? .reference : nil }

  func memory(_ structure: ImageStructure, _ reduction: Reduction) -> Int {
    let decoder =
      switch self {
      case .fast: PNGFastDecoder.memory(structure, reduction)
      case .reference: PNGReferenceDecoder.memory(structure)
      }
    return decoder + RowScaler.memory(reduction, channels: 3)
  }

  func reduce(
    _ bytes: [UInt8], _ structure: ImageStructure, _ reduction: Reduction, limits: DecodeLimits,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> ReducedPicture? {
    switch self {
    case .fast:
      try PNGFastDecoder(limits: limits).reduce(bytes, reduction, checkpoint: checkpoint)
    case .reference:
      try PNGReferenceDecoder(limits: limits).reduce(bytes, reduction, checkpoint: checkpoint)
    }
  }

  func missingRows(
    _ bytes: [UInt8], _ structure: ImageStructure, limits: DecodeLimits,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> RowsAnswer {
    switch self {
    case .fast:
      try PNGFastDecoder(limits: limits).isWhole(bytes, checkpoint: checkpoint) ? .whole : .unknown
    case .reference:
      RowsAnswer(try PNGReferenceDecoder(limits: limits).missingRows(bytes, checkpoint: checkpoint))
    }
  }
}
