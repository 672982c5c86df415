package import ImageContainer
import PhotoModel

extension RedactionPlan {
  /// Finds every place in a picture and proves that none is left.
  ///
  /// Looked at are all EXIF blocks (JPEG, PNG, Photoshop's, those of MPF pictures and of embedded
  /// previews), XMP (packets, extended packets, in PNG text and in TIFF tags), IPTC, PNG text and raw
  /// profiles, and the vendors' segments and maker notes that docs/security.md lists. Free text (a
  /// caption, a comment, keywords) is not: it is what the photographer wrote.
  ///
  /// Memory is bounded: blocks are read one at a time, at most 16 MB.
  ///
  /// - Parameters:
  ///   - source: the picture's bytes.
  ///   - structure: what `ImageStructure.scan` (not `scanHeaders`) found in them.
  /// - Returns: A plan; without edits, and of the same length, where nothing tells a place.
  /// - Throws: Where the bytes cannot be read, or a place would still be found in the result.
  package static func make(
    _ source: any ByteSource, structure: ImageStructure
  ) throws(RedactionError) -> RedactionPlan {
    var planner = RedactionPlanner(source, structure: structure)
    var plan = try planner.plan()
    if !plan.edits.isEmpty {
      // A digest of the bytes from before lets a guess at the place be confirmed.
      planner = RedactionPlanner(
        source, structure: structure, context: RedactionContext(blanksDigests: true))
      plan = try planner.plan()
    }
    try plan.verify(source, structure: structure)
    return plan
  }

  /// Reads the redacted bytes with the readers of this module, and once more for redaction.
  private func verify(
    _ source: any ByteSource, structure: ImageStructure
  ) throws(RedactionError) {
    let redacted = RedactedByteSource(source, plan: self)
    var found = structure
    if !isIdentity(forCount: source.count) {
      do {
        found = try ImageStructure.scan(redacted)
      } catch {
        throw RedactionError(message: "the bytes without places would be no picture")
      }
      guard found.codedSize == structure.codedSize, found.format == structure.format else {
        throw RedactionError(message: "the bytes without places would be another picture")
      }
      var planner = RedactionPlanner(redacted, structure: found)
      guard try planner.plan().isIdentity(forCount: redacted.count) else {
        throw RedactionError(message: "a place would be left in the bytes")
      }
    }
    let metadata = PhotoMetadata.read(redacted, structure: found)
    let exif = metadata.exif
    guard metadata.location == nil, exif.gpsLatitude == nil, exif.gpsLongitude == nil,
      exif.gpsAltitude == nil, exif.gpsTimeStamp == nil, exif.gpsDateStamp == nil
    else { throw RedactionError(message: "a place would be left in the bytes") }
  }
}
