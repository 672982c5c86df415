import ImageCodecs
import ImageContainer
import PhotoModel

/// What the fast paths and the reference libraries make of the same file.
enum Comparison {
  private static let limits: DecodeLimits = {
    var limits = DecodeLimits()
    // What is large only makes each try slow.
    limits.maximumPixels = 1 << 16
    return limits
  }()
  private static let fast = ThumbnailDecoder(budget: DecodeBudget(limits: limits))
  private static let reference = ThumbnailDecoder(
    budget: DecodeBudget(limits: limits), referenceOnly: true)

  private enum Answer: Equatable {
    case picture(PixelSize, [UInt8], warning: String?, isComplete: Bool)
    case failure(CodecError)
  }

  /// Stops the process where answers differ.
  ///
  /// `reduction`: by how much at most pictures are reduced.
  static func check(_ file: [UInt8], reduction: Int) {
    let source = MemoryByteSource(file)
    guard let structure = try? ImageStructure.scan(source) else { return }
    let (width, height) = (structure.codedSize.width, structure.codedSize.height)
    for divisor in [1, reduction] {
      let recipe = ThumbnailRecipe(
        size: PixelSize(
          width: (width + divisor - 1) / divisor, height: (height + divisor - 1) / divisor))
      let answers = [fast, reference].map { answer($0, source, structure, recipe) }
      precondition(answers[0] == answers[1], "the fast path differs from the reference")
    }
    let missing = [fast, reference].map { missingRows($0, source, structure) }
    precondition(missing[0] == missing[1], "the paths do not agree on what is missing")
  }

  private static func answer(
    _ decoder: ThumbnailDecoder, _ source: MemoryByteSource, _ structure: ImageStructure,
    _ recipe: ThumbnailRecipe
  ) -> Answer {
    do {
      let picture = try decoder.decode(
        source, structure: structure, orientation: .up, recipe: recipe, isCancelled: { false })
      return .picture(
        picture.pixels.size, picture.pixels.bytes, warning: picture.warning,
        isComplete: picture.isComplete)
    } catch {
      return .failure(error)
    }
  }

  private static func missingRows(
    _ decoder: ThumbnailDecoder, _ source: MemoryByteSource, _ structure: ImageStructure
  ) -> String? {
    do {
      return try decoder.missingRows(source, structure: structure)
    } catch {
      return error.message
    }
  }
}
