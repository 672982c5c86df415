import ImageCodecs
import ImageContainer
import ImageMetadata
import PhotoModel
import PhotoStore

/// Finds what the bytes of a picture say, and whether it is to be added.
struct PictureExaminer {
  let decoder: ThumbnailDecoder
  let policy: CreationDatePolicy
  /// Whether pictures that are not whole are taken too.
  let keepsDamaged: Bool

  /// Why a picture is not added.
  struct Rejection: Error {
    let reason: String
  }

  /// What the bytes of a picture say.
  struct Examination {
    let fileName: FileName
    let structure: ImageStructure
    let pixelSize: PixelSize
    let metadata: PhotoMetadata
    let candidates: [DateCandidate]
    let creationDate: CreationDate
    let damage: String?
    let undecodable: String?
    let warnings: [String]

    func asset(
      _ staged: StagedOriginal, _ format: ImageFormat, _ redacted: RedactedOriginal?
    ) -> NewAsset {
      NewAsset(
        original: staged, fileName: fileName, format: format, pixelSize: pixelSize,
        orientation: metadata.orientation, creationDate: creationDate,
        dateCandidates: candidates, location: metadata.location, camera: metadata.camera,
        damage: damage, undecodable: undecodable, rating: metadata.rating,
        isFavorite: metadata.isFavorite, redacted: redacted)
    }
  }

  /// Looks at a picture's structure, completeness and metadata.
  ///
  /// - Throws: ``Rejection`` where it is not to be added, or what reading it threw.
  func examine(
    _ source: CancellableSource, of file: SourceFile, fileName: FileName
  ) throws -> Examination {
    let structure: ImageStructure
    do {
      structure = try ImageStructure.scan(source)
    } catch {
      throw Rejection(reason: error.message)
    }
    var warnings: [String] = []
    // The record says what no process can show; this one's own limits are a matter of the moment.
    let undecodable = undecodableReason(structure, source, Self.standardDecoder)
    let problem = undecodable ?? undecodableReason(structure, source, decoder)
    if let problem { warnings.append("it is kept, but cannot be shown: \(problem)") }
    let damage = try damage(of: source, structure, isDecodable: problem == nil)
    if let damage {
      guard keepsDamaged else { throw Rejection(reason: damage) }
      warnings.append("it is kept, but damaged: \(damage)")
    }
    let metadata = PhotoMetadata.read(
      source, structure: structure,
      sidecar: file.sidecar(limit: PhotoMetadata.maximumSidecar))
    warnings += metadata.warnings
    let candidates = policy.candidates(
      metadata: metadata, fileName: fileName, modificationTime: file.modificationTime)
    return Examination(
      fileName: fileName, structure: structure,
      pixelSize: metadata.orientation.displayedSize(of: structure.codedSize),
      metadata: metadata, candidates: candidates,
      creationDate: policy.choose(candidates, gpsDerivedOffset: metadata.gpsDerivedOffset),
      damage: damage, undecodable: undecodable, warnings: warnings)
  }

  /// A decoder with the limits that hold where nobody sets others.
  private static let standardDecoder = ThumbnailDecoder(budget: DecodeBudget())

  private func undecodableReason(
    _ structure: ImageStructure, _ source: CancellableSource, _ decoder: ThumbnailDecoder
  ) -> String? {
    if let reason = structure.unsupported { return reason }
    do {
      _ = try decoder.requiredMemory(
        structure, fileSize: source.count, recipe: ThumbnailRecipe())
      return nil
    } catch {
      return error.message
    }
  }

  /// Why the picture is not whole, or nil.
  ///
  /// Decodes only where its structure alone cannot tell.
  private func damage(
    of source: CancellableSource, _ structure: ImageStructure, isDecodable: Bool
  ) throws -> String? {
    switch structure.completeness {
    case .complete: return nil
    case .damaged(let reason): return reason
    case .uncertain(let reason):
      guard isDecodable else { return reason }
      do {
        return try decoder.missingRows(source, structure: structure)
      } catch {
        if case .cancelled = error { throw Rejection(reason: error.message) }
        return error.message
      }
    }
  }
}
