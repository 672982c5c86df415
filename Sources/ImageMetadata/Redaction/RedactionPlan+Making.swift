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
  /// Blocks are looked into one at a time, and what changes is kept until the plan is there:
  /// ``requiredMemory(_:fileSize:)`` says how much that takes.
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

  /// The most memory that making and holding a plan takes, in bytes, to be charged before it is made.
  ///
  /// All metadata twice, as changed bytes and as edits; of what is put together, 16 MB at most, six copies:
  /// old, new, and one or two in each of the readers inside each other; windows and inflated texts, 4 MB. Of
  /// pictures behind the first one at most 16 MB of metadata are looked at.
  ///
  /// - Parameters:
  ///   - structure: what `ImageStructure.scan` found.
  ///   - fileSize: in bytes.
  /// - Returns: At least 4 MB.
  package static func requiredMemory(_ structure: ImageStructure, fileSize: Int) -> Int {
    let hasIndex = structure.segments.contains { $0.marker == 0xE2 }
    let behind = hasIndex ? max(0, fileSize - structure.endOffset) : 0
    let metadata =
      RedactionPlanner.metadataSize(structure) + min(behind, RedactionPlanner.maximumStitched)
    return 2 * metadata + 6 * min(metadata, RedactionPlanner.maximumStitched) + (4 << 20)
  }
}
