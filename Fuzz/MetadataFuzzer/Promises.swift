import ImageContainer
import ImageMetadata
import PhotoModel

/// What holds for every answer, whatever the bytes: a breach stops the process, which libFuzzer reports
/// as it does a trap.
enum Promises {
  /// Hundred time zones would find nothing more: rules are looked up by a date, however it came.
  private static let policy = try? CreationDatePolicy(timeZone: "Europe/Berlin")

  static func check(_ structure: ImageStructure, fileSize: Int) {
    precondition(structure.segments.count <= ImageStructure.maximumSegments, "too many segments")
    precondition(structure.endOffset <= fileSize, "the picture ends behind the file")
    for segment in structure.segments {
      precondition(
        segment.offset >= 0 && segment.length >= 0 && segment.offset <= fileSize - segment.length,
        "a segment lies outside of the file")
    }
  }

  static func check(
    _ metadata: PhotoMetadata, fileName: FileName, fileSize: Int,
    pictureSize: PixelSize = PixelSize(width: 1, height: 1)
  ) {
    let sources = metadata.dates.map(\.source)
    precondition(sources == sources.sorted(), "dates are not in the order of trust")
    precondition(Set(sources).count == sources.count, "a source gives two dates")
    if let place = metadata.location {
      precondition((-90...90).contains(place.latitude), "latitude \(place.latitude)")
      precondition((-180...180).contains(place.longitude), "longitude \(place.longitude)")
      precondition(place.altitude?.isFinite != false, "altitude")
    }
    for preview in metadata.previews {
      precondition(
        preview.range.lowerBound >= 0 && preview.range.upperBound <= fileSize,
        "a preview lies outside of the file")
      _ = preview.fit(pictureSize: pictureSize, orientation: metadata.orientation)
    }
    precondition(metadata.rating.map { (-1...5).contains($0) } != false, "rating")
    for text in [metadata.camera?.make, metadata.camera?.model] {
      precondition(text != "", "an empty name of a camera")
    }
    guard let policy else { preconditionFailure("no rules for Europe/Berlin: is tzdata there?") }
    let candidates = policy.candidates(
      metadata: metadata, fileName: fileName, modificationTime: Instant(nanoseconds: 0))
    let date = policy.choose(candidates, gpsDerivedOffset: metadata.gpsDerivedOffset)
    precondition(date.source == candidates.map(\.source).min(), "not the most trusted date")
    for candidate in candidates {
      precondition(
        WallClock.yearsOfPhotography.contains(candidate.wallClock.year), "an impossible year")
      // The forms that are stored and printed are made, to see that they can be.
      precondition(candidate.wallClock.rfc3339(offset: date.offset).utf8.count >= 24)
    }
  }
}
