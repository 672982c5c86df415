import ImageContainer
import PhotoModel
import Testing

@testable import ImageMetadata

/// Previews of real files (environment PHOTOLIB_CORPUS).
@Suite("Corpus previews", .enabled(if: Corpus.folder != nil))
struct PreviewCorpusTests {
  private func read(_ row: Corpus.Row) throws -> (bytes: [UInt8], metadata: PhotoMetadata)? {
    let bytes = try Corpus.bytes(of: row)
    let source = MemoryByteSource(bytes)
    guard let structure = try? ImageStructure.scanHeaders(source) else { return nil }
    let metadata = PhotoMetadata.read(source, structure: structure)
    let alone = EmbeddedPreview.find(in: source, structure: structure)
    #expect(alone == metadata.previews, "\(row.name)")
    return (bytes, metadata)
  }

  @Test("thumbnails have the length that exiftool says, and are pictures of their own")
  func thumbnails() throws {
    var found = 0
    var missing: [String] = []
    for row in try Corpus.rows() where row["exiftool_warning"].isEmpty {
      guard let expected = Int(row["exif_thumb_bytes"]), expected > 0,
        let (bytes, metadata) = try read(row)
      else { continue }
      guard let preview = metadata.previews.first(where: { $0.source == .exifThumbnail }) else {
        missing.append(row.name)
        continue
      }
      found += 1
      #expect(preview.range.count == expected, "\(row.name)")
      #expect(bytes[preview.range].starts(with: [0xFF, 0xD8, 0xFF]), "\(row.name)")
      #expect(preview.pixelSize.width <= 2048 && preview.pixelSize.height <= 2048, "\(row.name)")
    }
    print("thumbnails: \(found) found, not found: \(missing)")
    #expect(found > 150)
    // exiftool's own test files keep only a few bytes of their thumbnails, which are no picture.
    #expect(missing.count * 5 < found)
  }

  @Test("of thumbnails most have the picture's shape, some bars, and all lie in their file")
  func shapes() throws {
    var whole = 0
    var other: [String] = []
    for row in try Corpus.rows() where row["magic"] == "jpeg" {
      guard let (bytes, metadata) = try read(row),
        let width = Int(row["width"]), let height = Int(row["height"])
      else { continue }
      for preview in metadata.previews {
        #expect(preview.range.upperBound <= bytes.count, "\(row.name)")
        let size = PixelSize(width: width, height: height)
        switch preview.fit(pictureSize: size, orientation: metadata.orientation) {
        case .whole: whole += 1
        case .barsAboveAndBelow(let lines), .barsLeftAndRight(let lines):
          #expect(lines.lowerBound >= 0, "\(row.name)")
          other.append("\(row["file"]) \(size) in \(preview.pixelSize): \(lines)")
        }
      }
    }
    print("previews: \(whole) of the picture's shape, others: \(other.count)")
    for line in other { print("  \(line)") }
    #expect(whole > 50)
  }
}
