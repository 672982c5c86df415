import ImageContainer
import PhotoModel
import Testing

@testable import ImageMetadata

/// How real pictures are read.
@Suite("Reading real pictures", .enabled(if: Corpus.folder != nil))
struct ReadingTests {
  @Test("exempi takes every packet that looks regular, and reads what the tolerant reader reads")
  func packets() throws {
    let signature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    var regular = 0
    var irregular: [String] = []
    _ = try Corpus.forEachPicture { picture in
      for segment in picture.structure.segments where segment.marker == 0xE1 {
        let payload = picture.bytes[segment.offset..<(segment.offset + segment.length)]
        guard payload.starts(with: signature) else { continue }
        let packet = XMPProperties.utf8(Array(payload.dropFirst(signature.count)))
        var budget = XMPBudget()
        let markup = XMPMarkup(packet, budget: &budget)
        guard markup.isRegular else {
          irregular.append(picture.row.name)
          continue
        }
        regular += 1
        let parsed = XMPPacket.properties(of: packet)
        // exempi joins xmp:CreateDate with its older names, of EXIF's and PDF's namespaces.
        let joined: Set<XMPProperties.Name> = [.createDate, .exifDateTimeDigitized]
        let expected = markup.properties.values.filter { !joined.contains($0.key) }
        #expect(
          parsed?.values.filter { !joined.contains($0.key) } == expected, "\(picture.row.name)")
      }
    }
    print("XMP: \(regular) regular packets, irregular: \(irregular)")
    #expect(regular > 100)
    #expect(irregular.count * 10 < regular)
  }

  @Test("metadata of half of the files needs less than 64 KiB")
  func bytesRead() throws {
    var counts: [Int] = []
    _ = try Corpus.forEachPicture { picture in
      guard picture.bytes.count > 200_000, picture.structure.format == .jpeg else { return }
      let source = CountingSource(picture.bytes)
      let structure = try ImageStructure.scanHeaders(source)
      _ = PhotoMetadata.read(source, structure: structure)
      counts.append(source.bytesRead)
    }
    counts.sort()
    #expect(counts.count > 50)
    #expect(counts[counts.count / 2] < 64 << 10)
  }
}
