import ImageContainer

/// Which decoder takes a JPEG picture.
///
/// The one place where that is decided.
enum JPEGRoute {
  /// libjpeg-turbo, which takes everything that can be read here.
  case reference

  init(_ structure: ImageStructure) {
    self = .reference
  }

  /// What the decoder allocates for a picture, apart from the file's bytes and the scaler.
  func memory(_ structure: ImageStructure) -> JPEGMemory {
    switch self {
    case .reference: JPEGMemory(reference: structure)
    }
  }

  func reduce(
    _ bytes: [UInt8], _ reduction: Reduction, memory: JPEGMemory, limits: DecodeLimits,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> ReducedPicture {
    switch self {
    case .reference:
      try JPEGReferenceDecoder(limits: limits, coefficientMemory: memory.coefficients)
        .reduce(bytes, reduction, checkpoint: checkpoint)
    }
  }

  func missingRows(
    _ bytes: [UInt8], memory: JPEGMemory, limits: DecodeLimits,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> String? {
    switch self {
    case .reference:
      try JPEGReferenceDecoder(limits: limits, coefficientMemory: memory.coefficients)
        .missingRows(bytes, checkpoint: checkpoint)
    }
  }
}
