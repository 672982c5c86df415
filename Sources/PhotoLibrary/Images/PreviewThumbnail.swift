import ImageCodecs
import ImageContainer
import ImageMetadata
import PhotoModel

/// Makes a degraded thumbnail of a preview that a camera put into the file, where one will do.
///
/// A preview may be out of date: an editor may have kept it while it cropped, turned or covered the
/// picture. What shape and black bars tell of that is heeded; what else there may be, nobody can
/// see, so the result is for requests that allow it and never kept.
struct PreviewThumbnail {
  /// Bytes that are read at once from the front, where nearly all files have their metadata and smallest
  /// preview.
  private static let headLength = 64 << 10
  /// Bytes; a preview of more would not be quick.
  private static let maximumLength = 4 << 20
  /// How many are decoded before the picture itself is.
  private static let maximumAttempts = 2
  /// Pixels a side, enough to see bars.
  private static let glance = 128

  private let source: HeadSource
  private let decoder: ThumbnailDecoder
  /// The picture's headers.
  let structure: ImageStructure

  /// Walks the picture's headers.
  init(
    _ file: CancellableSource, decoder: ThumbnailDecoder
  ) throws {
    source = try HeadSource(file, length: Self.headLength)
    structure = try ImageStructure.scanHeaders(source)
    self.decoder = decoder
  }

  /// The thumbnail, of exactly the size that the picture's own would have, or nil where no preview will
  /// do, whatever the reason.
  func make(
    orientation: Orientation, recipe: ThumbnailRecipe, isCancelled: @Sendable () -> Bool
  ) -> EncodedPicture? {
    // What is refused without previews is refused with them.
    guard structure.unsupported == nil,
      (try? decoder.budget.limits.check(structure.codedSize)) != nil
    else { return nil }
    let target = ThumbnailGeometry(
      source: orientation.displayedSize(of: structure.codedSize), recipe: recipe
    ).outputSize
    let candidates = EmbeddedPreview.find(in: source, structure: structure)
      .filter { isUsable($0, for: target, orientation) }
      .sorted { $0.pixelSize.pixelCount < $1.pixelSize.pixelCount }
    for preview in candidates.prefix(Self.maximumAttempts) {
      // The aspects differ by a pixel of rounding at most. To fill the target makes its size exact.
      let whole = ThumbnailRecipe(
        size: target, contentMode: .aspectFill, encoding: recipe.encoding)
      let picture = decode(
        preview, orientation: preview.orientation ?? orientation, recipe: whole,
        showsWhole: recipe.contentMode == .aspectFit, isCancelled)
      if let picture { return picture }
    }
    return nil
  }

  private func isUsable(
    _ preview: EmbeddedPreview, for target: PixelSize, _ orientation: Orientation
  ) -> Bool {
    let own = preview.orientation ?? orientation
    let size = own.displayedSize(of: preview.pixelSize)
    return size.width >= target.width && size.height >= target.height
      && preview.pixelSize.pixelCount <= structure.codedSize.pixelCount
      && preview.range.count <= Self.maximumLength
      && preview.fit(pictureSize: structure.codedSize, orientation: orientation) == .whole
      && (own == orientation || isTurnedBySize(own, orientation))
  }

  /// Whether the shape proves that the preview is to be turned otherwise than the picture.
  ///
  /// By a quarter turn it can. Upside down and mirrored have the same shape, and which of the two tags is
  /// out of date nobody knows.
  private func isTurnedBySize(_ own: Orientation, _ picture: Orientation) -> Bool {
    own.swapsAxes != picture.swapsAxes && structure.codedSize.width != structure.codedSize.height
  }

  private func decode(
    _ preview: EmbeddedPreview, orientation: Orientation, recipe: ThumbnailRecipe,
    showsWhole: Bool, _ isCancelled: @Sendable () -> Bool
  ) -> EncodedPicture? {
    let part = PartByteSource(source, preview.range)
    guard let structure = try? ImageStructure.scan(part), structure.completeness == .complete
    else { return nil }
    do throws(CodecError) {
      if !showsWhole {
        // Bars may lie in what is cut off.
        let glance = try decoder.decode(
          part, structure: structure, orientation: orientation,
          recipe: ThumbnailRecipe(size: PixelSize(width: Self.glance, height: Self.glance)),
          isCancelled: isCancelled)
        guard Self.isSound(glance) else { return nil }
      }
      return try decoder.thumbnail(
        part, structure: structure, orientation: orientation, recipe: recipe,
        isCancelled: isCancelled, isAccepted: Self.isSound)
    } catch {
      return nil
    }
  }

  /// Whether all is there, and no black bars, which a preview has whose picture had another shape once.
  private static func isSound(_ picture: DecodedPicture) -> Bool {
    guard picture.isComplete, picture.warning == nil else { return false }
    let bars = LetterboxBars.detect(in: picture.pixels)
    return !bars.cover(rows: 1, columns: 0) && !bars.cover(rows: 0, columns: 1)
  }
}

/// A file whose front is in memory.
private struct HeadSource: ByteSource {
  private let file: CancellableSource
  private let head: [UInt8]

  init(_ file: CancellableSource, length: Int) throws(ByteSourceError) {
    self.file = file
    head = try file.read(at: 0, count: length)
  }

  var count: Int { file.count }

  func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    let length = min(count, self.count - offset)
    guard offset >= 0, length > 0, offset <= head.count - length else {
      return try file.read(at: offset, count: count)
    }
    return Array(head[offset..<(offset + length)])
  }
}
