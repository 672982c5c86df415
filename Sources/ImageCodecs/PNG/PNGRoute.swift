import ImageContainer
import PhotoModel

/// Which decoder takes a PNG picture.
///
/// The one place where that is decided.
enum PNGRoute {
  /// Our own: whole files in which nothing is unusual.
  case fast
  /// libpng, which takes everything that can be read here.
  case reference

  init(_ structure: ImageStructure) {
    self = structure.completeness == .complete ? .fast : .reference
  }

  /// What takes a picture that this one does not, with a memory need of its own.
  var next: PNGRoute? { self == .fast ? .reference : nil }

  /// What the decoder allocates for a picture, apart from the file's bytes and the scaler.
  func memory(_ structure: ImageStructure, _ reduction: Reduction) -> Int {
    switch self {
    case .fast: PNGFastDecoder.memory(structure, reduction)
    case .reference: PNGReferenceDecoder.memory(structure)
    }
  }

  /// Decodes and scales; nil where the next route has to.
  func reduce(
    _ bytes: [UInt8], _ reduction: Reduction, limits: DecodeLimits,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> ReducedPicture? {
    switch self {
    case .fast:
      try PNGFastDecoder(limits: limits).reduce(bytes, reduction, checkpoint: checkpoint)
    case .reference:
      try PNGReferenceDecoder(limits: limits).reduce(bytes, reduction, checkpoint: checkpoint)
    }
  }

  /// Reads the whole picture to see whether all rows are there.
  func missingRows(
    _ bytes: [UInt8], limits: DecodeLimits, checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> RowsAnswer {
    switch self {
    case .fast:
      try PNGFastDecoder(limits: limits).isWhole(bytes, checkpoint: checkpoint) ? .whole : .unknown
    case .reference:
      RowsAnswer(try PNGReferenceDecoder(limits: limits).missingRows(bytes, checkpoint: checkpoint))
    }
  }
}

/// Whether all rows of a picture are there.
enum RowsAnswer {
  case whole
  /// What is missing.
  case missing(String)
  /// The next route has to say.
  case unknown

  /// Nil: nothing is missing.
  init(_ missing: String?) { self = missing.map { .missing($0) } ?? .whole }
}
