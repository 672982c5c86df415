import ImageContainer
import PhotoModel

/// One way to decode a picture.
///
/// Where it gives up, the next one gets the file, with a memory need of its own.
protocol DecodeRoute {
  /// What takes a picture that this one does not.
  var next: Self? { get }

  /// Bytes that decoding and scaling allocate at most, apart from the file's.
  func memory(_ structure: ImageStructure, _ reduction: Reduction) -> Int

  /// Decodes and scales; nil where the next route has to.
  func reduce(
    _ bytes: [UInt8], _ structure: ImageStructure, _ reduction: Reduction, limits: DecodeLimits,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> ReducedPicture?

  /// Reads the whole picture to see whether all rows are there.
  func missingRows(
    _ bytes: [UInt8], _ structure: ImageStructure, limits: DecodeLimits,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> RowsAnswer
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
