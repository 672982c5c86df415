import ImageContainer
import PhotoModel

/// Which decoder takes a JPEG picture.
///
/// The one place where that is decided.
enum JPEGRoute: DecodeRoute {
  /// Our own: sequential and progressive Huffman coding of 8 bits, grey or of three components, where the
  /// target is small enough for a reduced scale.
  case fast
  /// libjpeg-turbo, which takes everything that can be read here.
  case reference

  init(_ structure: ImageStructure, _ reduction: Reduction) {
    let isTaken =
      structure.bitDepth == 8 && [1, 3].contains(structure.components)
      && structure.jpeg.map { (0xC0...0xC2).contains($0.marker) } ?? false
      && JPEGScale.isReduced(structure, reduction)
    self = isTaken ? .fast : .reference
  }

  var next: JPEGRoute? { self == .fast ? .reference : nil }

  func memory(_ structure: ImageStructure, _ reduction: Reduction) -> Int {
    switch self {
    case .fast: return JPEGFastPath.memory(structure, reduction)
    case .reference:
      let memory = JPEGMemory(reference: structure)
      let denominator = JPEGScale.denominator(for: reduction)
      let size = PixelSize(
        width: (reduction.source.width + denominator - 1) / denominator,
        height: (reduction.source.height + denominator - 1) / denominator)
      return memory.coefficients + memory.working
        + RowScaler.memory(
          reduction.scaled(by: denominator, size: size), channels: structure.components)
        // The band of rows.
        + size.width * structure.components * (JPEGReferenceDecoder.bandRows + 1)
    }
  }

  func reduce(
    _ bytes: [UInt8], _ structure: ImageStructure, _ reduction: Reduction, limits: DecodeLimits,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> ReducedPicture? {
    switch self {
    case .fast:
      try JPEGFastPath(limits: limits).reduce(bytes, reduction, checkpoint: checkpoint)
    case .reference:
      try reference(structure, limits).reduce(bytes, reduction, checkpoint: checkpoint)
    }
  }

  func missingRows(
    _ bytes: [UInt8], _ structure: ImageStructure, limits: DecodeLimits,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> RowsAnswer {
    switch self {
    case .fast:
      // Of a progressive picture only its first scans would be looked at.
      if structure.isProgressive { return .unknown }
      return try JPEGFastPath(limits: limits).isWhole(
        bytes, size: structure.codedSize, checkpoint: checkpoint) ? .whole : .unknown
    case .reference:
      return RowsAnswer(
        try reference(structure, limits).missingRows(bytes, checkpoint: checkpoint))
    }
  }

  private func reference(
    _ structure: ImageStructure, _ limits: DecodeLimits
  ) -> JPEGReferenceDecoder {
    JPEGReferenceDecoder(
      limits: limits, coefficientMemory: JPEGMemory(reference: structure).coefficients)
  }
}
