import ImageContainer
import PhotoModel
import Testing

/// Real files that others made, with what other programs say of them (environment PHOTOLIB_CORPUS).
@Suite("Corpus structure", .enabled(if: Corpus.folder != nil))
struct CorpusTests {
  @Test("every file gets an answer; type, size and wholeness agree with other programs")
  func structures() throws {
    var examined = 0
    for row in try Corpus.rows() {
      let bytes = try Corpus.bytes(of: row)
      let type = FileType.recognise(Array(bytes.prefix(64)))
      switch row["magic"] {
      case "jpeg": #expect(type == .image(.jpeg), "\(row.name)")
      case "png": #expect(type == .image(.png), "\(row.name)")
      default:
        guard case .other = type else {
          Issue.record("\(row.name): \(type)")
          continue
        }
      }
      let source = MemoryByteSource(bytes)
      let result = try? ImageStructure.scan(source)
      let headers = try? ImageStructure.scanHeaders(source)
      #expect((result == nil) == (headers == nil), "\(row.name)")
      #expect(result?.codedSize == headers?.codedSize, "\(row.name)")
      if let result {
        #expect(result.endOffset <= bytes.count, "\(row.name)")
        for segment in result.segments {
          #expect(segment.offset + segment.length <= bytes.count, "\(row.name)")
        }
      }
      guard row["consensus"] == "full" else { continue }
      examined += 1
      #expect(result?.codedSize.width == Int(row["width"]), "\(row.name)")
      #expect(result?.codedSize.height == Int(row["height"]), "\(row.name)")
      // Decoders forgive a wrong CRC of a chunk that they can do without; a library does not.
      let isForgiven = row["pngcheck"] == "fail"
      if case .damaged(let reason)? = result?.completeness, !(isForgiven && reason.contains("CRC"))
      {
        Issue.record("\(row.name) is read by all, yet: \(reason)")
      }
      if let unsupported = result?.unsupported {
        Issue.record("\(row.name) is read by all, yet: \(unsupported)")
      }
    }
    #expect(examined > 800)
  }

  @Test("a PNG file whose checks other programs fail is damaged")
  func brokenChunks() throws {
    for row in try Corpus.rows() where row["magic"] == "png" {
      let note = row["pngcheck_note"]
      let isBroken =
        note.contains("CRC error") || note.contains("EOF while reading")
        || note.contains("no IDAT")
      guard isBroken, let result = try? ImageStructure.scan(MemoryByteSource(Corpus.bytes(of: row)))
      else { continue }
      if case .damaged = result.completeness { continue }
      if result.completeness == .uncertain(reason: "the IEND chunk is cut short") { continue }
      Issue.record("\(row.name): \(note), yet \(result.completeness)")
    }
  }
}
