package import ImageContainer
package import PhotoModel

/// What a picture's metadata says.
package struct PhotoMetadata: Sendable {
  /// `.up` where absent or nonsense.
  package var orientation: Orientation
  /// Sorted by source, the most trusted first, at most one a source.
  package var dates: [DateCandidate]
  package var location: Location?
  package var camera: Camera?
  /// The offset that GPS time gives for DateTimeOriginal, where the file has both and names no offset.
  package var gpsDerivedOffset: UTCOffset?
  /// Damage found in metadata, for people; never stops a picture.
  package var warnings: [String]
  /// The raw EXIF values, of several blocks the first of each. `preview` in it is nil: see below.
  package var exif: ExifFields
  /// Where in the file the EXIF preview's JPEG bytes lie.
  package var preview: Range<Int>?
  /// How the preview is to be turned, where its directory says so; else as the picture.
  package var previewOrientation: Orientation?

  package init(
    orientation: Orientation = .up, dates: [DateCandidate] = [], location: Location? = nil,
    camera: Camera? = nil, gpsDerivedOffset: UTCOffset? = nil, warnings: [String] = [],
    exif: ExifFields = ExifFields(), preview: Range<Int>? = nil,
    previewOrientation: Orientation? = nil
  ) {
    self.orientation = orientation
    self.dates = dates
    self.location = location
    self.camera = camera
    self.gpsDerivedOffset = gpsDerivedOffset
    self.warnings = warnings
    self.exif = exif
    self.preview = preview
    self.previewOrientation = previewOrientation
  }

  /// Reads EXIF, XMP, IPTC and PNG text of a scanned picture.
  ///
  /// Never fails: what cannot be read is absent, with a warning. Memory is bounded by the largest
  /// block, at most 8 MB; safe from any thread.
  package static func read(
    _ source: some ByteSource, structure: ImageStructure
  ) -> PhotoMetadata {
    let blocks = MetadataBlocks(source, structure: structure)
    let exif = blocks.exif
    let xmp = blocks.xmp
    let camera = exif.camera
    let dates = exif.dateCandidates + xmp.dateCandidates + blocks.otherDates
    return PhotoMetadata(
      // XMP counts only where EXIF says nothing at all: nonsense there means upright.
      orientation: exif.orientation == nil ? xmp.orientation ?? .up : exif.orientationValue ?? .up,
      dates: dates.sorted { $0.source < $1.source },
      location: exif.location ?? xmp.location,
      camera: Camera(
        make: camera?.make ?? ExifFields.trimmed(xmp[.make]),
        model: camera?.model ?? ExifFields.trimmed(xmp[.model])),
      gpsDerivedOffset: exif.gpsDerivedOffset, warnings: blocks.warnings, exif: exif,
      preview: blocks.preview,
      previewOrientation: blocks.previewOrientation.flatMap(Orientation.init(rawValue:)))
  }
}
