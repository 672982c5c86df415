package import ImageContainer
package import PhotoModel

/// What a picture's metadata says.
package struct PhotoMetadata: Sendable {
  package var orientation: Orientation            // 1 where absent or nonsense
  package var dates: [DateCandidate]              // sorted by source (trust order), at most one a source
  package var location: Location?
  package var camera: Camera?
  /// The offset derived from GPS UTC time against DateTimeOriginal, where the file has both (design section 4).
  package var gpsDerivedOffset: UTCOffset?
  /// Damage found in metadata, for people; never stops a picture.
  package var warnings: [String]

  /// Reads EXIF, XMP, PNG text of a scanned picture. Never fails: what cannot be read is absent plus a warning.
  package static func read(_ source: some ByteSource, structure: ImageStructure) -> PhotoMetadata { fatalError("contract") }
}

/// The date policy of the product, in one place.
package struct CreationDatePolicy: Sendable {
  /// Throws for a zone that Foundation does not know.
  package init(timeZone: String) throws(UnknownTimeZone) { fatalError("contract") }
  /// The name of the system's zone ("Europe/Berlin"; "UTC" if unknown).
  package static var systemTimeZoneName: String { fatalError("contract") }
  package var timeZoneName: String { fatalError("contract") }
  /// All candidates: the metadata's, one from the file name, one from the modification time; sorted by trust.
  package func candidates(metadata: PhotoMetadata, fileName: FileName, modificationTime: Instant) -> [DateCandidate] { fatalError("contract") }
  /// The first candidate wins; its offset: own, else GPS-derived, else the zone's at that wall clock.
  package func choose(_ candidates: [DateCandidate], gpsDerivedOffset: UTCOffset?) -> CreationDate { fatalError("contract") }
  /// The zone's offset when its clocks show this (first one where ambiguous; the one before in a gap).
  package func offset(at wallClock: WallClock) -> UTCOffset { fatalError("contract") }
}
package struct UnknownTimeZone: Error, Hashable { package let name: String }
