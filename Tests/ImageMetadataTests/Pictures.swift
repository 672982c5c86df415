import ImageContainer
import ImageMetadata
import PhotoModel
import Testing

/// A JPEG file with these APP segments and no real image data.
func jpeg(_ segments: [(marker: UInt8, payload: [UInt8])]) -> [UInt8] {
  var bytes: [UInt8] = [0xFF, 0xD8]
  for segment in segments {
    let length = segment.payload.count + 2
    bytes += [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 0xFF)] + segment.payload
  }
  let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
  return bytes + frame + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 5, 0xFF, 0xD9]
}

func exifSegment(_ tiff: [UInt8]) -> (marker: UInt8, payload: [UInt8]) {
  (0xE1, Array("Exif\0\0".utf8) + tiff)
}

func xmpSegment(_ packet: String) -> (marker: UInt8, payload: [UInt8]) {
  (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8))
}

/// A PNG file with these chunks around its image data.
func png(
  _ before: [(type: String, data: [UInt8])], after: [(type: String, data: [UInt8])] = []
) -> [UInt8] {
  let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]
  let chunks = [("IHDR", header)] + before + [("IDAT", [1])] + after + [("IEND", [])]
  var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  for (type, data) in chunks {
    let length = data.count
    bytes += [24, 16, 8, 0].map { UInt8(length >> $0 & 0xFF) } + Array(type.utf8) + data
    bytes += [0, 0, 0, 0]
  }
  return bytes
}

/// What the metadata of a file's bytes says.
///
/// Reads all, and sees that the previews that are found alone are the same.
func metadata(_ bytes: [UInt8]) throws -> PhotoMetadata {
  let source = MemoryByteSource(bytes)
  let structure = try ImageStructure.scanHeaders(source)
  let metadata = PhotoMetadata.read(source, structure: structure)
  #expect(EmbeddedPreview.find(in: source, structure: structure) == metadata.previews)
  return metadata
}

func metadata(tiff: TIFFBuilder) throws -> PhotoMetadata {
  try metadata(jpeg([exifSegment(tiff.bytes)]))
}

extension PhotoMetadata {
  /// The date of a source as RFC 3339; `~` for an offset that is not known.
  func date(_ source: DateSource) -> String? {
    dates.first { $0.source == source }.map(text)
  }
}

func text(_ date: DateCandidate) -> String {
  guard let offset = date.offset else {
    return String(date.wallClock.rfc3339(offset: .utc).dropLast()) + "~"
  }
  return date.wallClock.rfc3339(offset: offset)
}

/// A PNG file with right CRCs.
func checkedPNG(_ chunks: [(type: String, data: [UInt8])]) -> [UInt8] {
  let header: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]
  var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  for (type, data) in [("IHDR", header)] + chunks + [("IDAT", [1]), ("IEND", [])] {
    var crc = CRC32()
    crc.update(Array(type.utf8) + data)
    bytes += [24, 16, 8, 0].map { UInt8(data.count >> $0 & 0xFF) } + Array(type.utf8) + data
    bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc.value >> $0) }
  }
  return bytes
}
