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
  /// The offset that GPS time gives for the most trusted date, where that is one of taking (EXIF
  /// DateTimeOriginal, else XMP's, else EXIF DateTimeDigitized) and names no offset itself.
  package var gpsDerivedOffset: UTCOffset?
  /// 1 to 5 stars, 0 for none given, -1 for rejected; nil where nothing is said.
  package var rating: Int?
  /// Whether XMP marks it as a favourite by a property of that very meaning (fstop:favorite).
  ///
  /// 5 stars, colour labels and picks are other marks, and make none.
  package var isFavorite: Bool
  /// Damage found in metadata, for people; never stops a picture.
  package var warnings: [String]
  /// The raw EXIF values, of several blocks the first of each.
  ///
  /// `preview` in it is nil: see `previews`.
  package var exif: ExifFields
  /// Pictures inside the file: EXIF's thumbnail first, then those of a multi-picture index.
  package var previews: [EmbeddedPreview]
  /// Where in the file the EXIF thumbnail's JPEG bytes lie.
  package var preview: Range<Int>? {
    previews.first { $0.source == .exifThumbnail }?.range
  }
  /// How the EXIF thumbnail is to be turned, where it says so itself; else as the picture.
  package var previewOrientation: Orientation? {
    previews.first { $0.source == .exifThumbnail }?.orientation
  }

  package init(
    orientation: Orientation = .up, dates: [DateCandidate] = [], location: Location? = nil,
    camera: Camera? = nil, gpsDerivedOffset: UTCOffset? = nil, rating: Int? = nil,
    isFavorite: Bool = false,
    warnings: [String] = [], exif: ExifFields = ExifFields(), previews: [EmbeddedPreview] = []
  ) {
    self.orientation = orientation
    self.dates = dates
    self.location = location
    self.camera = camera
    self.gpsDerivedOffset = gpsDerivedOffset
    self.rating = rating
    self.isFavorite = isFavorite
    self.warnings = warnings
    self.exif = exif
    self.previews = previews
  }

  /// A longer sidecar is not read.
  package static let maximumSidecar = MetadataBlocks<MemoryByteSource>.maximumPacket

  /// Reads EXIF, XMP, IPTC and PNG text of a scanned picture.
  ///
  /// `sidecar` holds the bytes of the XMP file beside it: what it says comes before the picture's own
  /// XMP, and after its EXIF. Never fails: what cannot be read is absent, with a warning. Memory is bounded by
  /// the largest block, at most 8 MB; safe from any thread.
  package static func read(
    _ source: some ByteSource, structure: ImageStructure, sidecar: [UInt8]? = nil
  ) -> PhotoMetadata {
    let blocks = MetadataBlocks(source, structure: structure)
    var warnings = blocks.warnings
    let exif = blocks.exif
    let xmp = blocks.xmp
    var beside = XMPProperties()
    if let sidecar {
      if sidecar.count <= maximumSidecar {
        // A file of its own, with a budget of its own.
        var budget = XMPBudget()
        beside = XMPProperties(packet: sidecar, budget: &budget)
        if budget.isExhausted {
          warnings.append("the sidecar has more parts than are read; the rest is not read")
        }
      } else {
        warnings.append("the sidecar has more than \(maximumSidecar) bytes and is not read")
      }
    }
    let camera = exif.camera
    let dates = sorted(beside.dateCandidates(ofSidecar: true), blocks.dates)
    return PhotoMetadata(
      // XMP counts only where EXIF says nothing at all: nonsense there means upright.
      orientation: exif.orientation == nil
        ? beside.orientation ?? xmp.orientation ?? .up : exif.orientationValue ?? .up,
      dates: dates,
      // Never the latitude of one and the longitude of another.
      location: exif.location ?? beside.location ?? xmp.location,
      camera: Camera(
        make: camera?.make ?? ExifFields.trimmed(beside[.make] ?? xmp[.make]),
        model: camera?.model ?? ExifFields.trimmed(beside[.model] ?? xmp[.model])),
      gpsDerivedOffset: GPSDerivedOffset.derive(from: dates),
      rating: beside.rating ?? xmp.rating ?? exif.ratingValue,
      isFavorite: beside.isFavorite ?? xmp.isFavorite ?? false, warnings: warnings, exif: exif,
      previews: blocks.previews)
  }

  /// By trust; of the dates of one source the first.
  private static func sorted(
    _ sidecar: [DateCandidate], _ embedded: [DateCandidate]
  ) -> [DateCandidate] {
    var dates: [DateCandidate] = []
    // The sidecar's GPS time is a copy, often rounded, of the picture's own.
    let inOrder = sidecar.filter { $0.source != .gps } + embedded + sidecar
    for date in inOrder where !dates.contains(where: { $0.source == date.source }) {
      dates.append(date)
    }
    return dates.sorted { $0.source < $1.source }
  }
}
