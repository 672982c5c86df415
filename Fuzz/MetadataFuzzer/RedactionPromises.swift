import ImageContainer
import ImageMetadata
import PhotoModel

/// What holds for every picture that is redacted: a breach stops the process.
///
/// A redaction that gives up keeps all of them, since its bytes are given to nobody.
enum RedactionPromises {
  /// Plans the redaction of a file's bytes, applies it, and looks at what is left.
  static func check(_ bytes: [UInt8]) {
    let source = MemoryByteSource(bytes)
    guard let structure = try? ImageStructure.scan(source), let plan = plan(source, structure)
    else { return }
    check(plan, structure, fileSize: bytes.count)
    var left = bytes
    plan.apply(to: &left, at: 0)
    left.removeLast(max(0, bytes.count - plan.length))
    checkBytes(left, of: bytes, plan)
    let redacted = MemoryByteSource(left)
    guard let found = try? ImageStructure.scan(redacted) else {
      preconditionFailure("the redacted bytes are no picture")
    }
    precondition(found.format == structure.format, "another format")
    precondition(found.codedSize == structure.codedSize, "another size")
    precondition(
      found.segments.map(\.offset) == structure.segments.map(\.offset)
        && found.segments.map(\.length) == structure.segments.map(\.length),
      "segments are not where they were")
    guard let second = self.plan(redacted, found) else {
      preconditionFailure("what was redacted cannot be redacted again")
    }
    precondition(second.isIdentity(forCount: left.count), "redaction takes two goes")
    for structure in [found, try? ImageStructure.scanHeaders(redacted)].compactMap({ $0 }) {
      checkNoPlace(PhotoMetadata.read(redacted, structure: structure), in: left)
    }
  }

  private static func plan(
    _ source: MemoryByteSource, _ structure: ImageStructure
  ) -> RedactionPlan? {
    do throws(RedactionError) {
      return try RedactionPlan.make(source, structure: structure)
    } catch {
      precondition(!error.isUnreadable, "bytes in memory cannot be read: \(error.message)")
      return nil
    }
  }

  /// Edits are in order, lie in the file, and in the picture only where metadata is.
  private static func check(_ plan: RedactionPlan, _ structure: ImageStructure, fileSize: Int) {
    precondition(
      plan.length == fileSize || (structure.endOffset...fileSize).contains(plan.length),
      "more than what follows the picture is cut")
    // A removed chunk gets another type, a changed one another CRC.
    let around = structure.format == .png ? 4 : 0
    let segments = structure.segments.map {
      ($0.offset - around)..<($0.offset + $0.length + around)
    }
    var end = 0
    var index = 0
    for edit in plan.edits {
      precondition(!edit.range.isEmpty && edit.range.lowerBound >= end, "edits are not in order")
      precondition(edit.range.upperBound <= fileSize, "an edit lies outside of the file")
      if case .bytes(let bytes) = edit.content {
        precondition(bytes.count == edit.range.count, "an edit changes a length")
      }
      end = edit.range.upperBound
      guard edit.range.lowerBound < structure.endOffset else { continue }
      while index < segments.count, segments[index].upperBound < end { index += 1 }
      precondition(
        index < segments.count && segments[index].lowerBound <= edit.range.lowerBound,
        "an edit lies in the picture's own data")
    }
  }

  /// Bytes that no edit names are as they were, however they are read.
  private static func checkBytes(_ left: [UInt8], of bytes: [UInt8], _ plan: RedactionPlan) {
    var position = 0
    for edit in plan.edits {
      let start = min(edit.range.lowerBound, left.count)
      precondition(
        left[position..<start].elementsEqual(bytes[position..<start]),
        "a byte that no edit names has changed")
      position = min(edit.range.upperBound, left.count)
    }
    precondition(
      left[position...].elementsEqual(bytes[position..<left.count]),
      "a byte that no edit names has changed")
    // In pieces whose borders meet those of edits in all ways.
    let source = RedactedByteSource(MemoryByteSource(bytes), plan: plan)
    precondition(source.count == left.count, "a source of another length")
    let step = max(7, left.count / 64)
    for offset in stride(from: 0, to: left.count, by: step) {
      let piece = try? source.read(at: offset, count: step)
      precondition(
        piece?.elementsEqual(left[offset..<min(left.count, offset + step)]) == true,
        "pieces differ from the whole")
    }
  }

  private static func checkNoPlace(_ metadata: PhotoMetadata, in bytes: [UInt8]) {
    precondition(metadata.location == nil, "a place is left")
    precondition(!metadata.dates.contains { $0.source == .gps }, "a GPS time is left")
    let exif = metadata.exif
    precondition(
      exif.gpsLatitude == nil && exif.gpsLongitude == nil && exif.gpsAltitude == nil
        && exif.gpsTimeStamp == nil && exif.gpsDateStamp == nil, "a GPS tag is left")
    for preview in metadata.previews {
      let part = MemoryByteSource(Array(bytes[preview.range]))
      guard let structure = try? ImageStructure.scanHeaders(part) else { continue }
      let inner = PhotoMetadata.read(part, structure: structure)
      precondition(inner.location == nil, "a preview tells a place")
    }
  }
}
