import ImageContainer
import ImageMetadata
import PhotoModel
import Testing

@Suite("Redaction of places in XMP and PNG text")
struct RedactionTextTests {
  private func packet(_ inner: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:q="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
     xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:d="http://www.dji.com/drone-dji/1.0/"
     xmlns:ext="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" \(inner)
    </rdf:RDF></x:xmpmeta>
    """
  }

  private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  @Test("XMP values become blanks as attributes and as elements, whatever the prefix")
  func forms() throws {
    func text(_ blank: Bool) -> String {
      let lat = blank ? blanks(8) : "59,54.5N"
      let city = blank ? blanks(4) : "Oslo"
      return packet(
        """
        xmp:CreateDate="2024-05-06" q:GPSLatitude="\(lat)" d:GpsLongitude='\(blank ? blanks(6) : "+10.75")'>
        <q:GPSLongitude>\(blank ? blanks(8) : "10,44.7E")</q:GPSLongitude>
        <photoshop:City>\(city)</photoshop:City><photoshop:Headline>Oslo</photoshop:Headline>
        <ext:LocationShown><rdf:Bag><rdf:li rdf:parseType="Resource"><ext:City>\(city)</ext:City>
        <ext:LocationName><rdf:Alt><rdf:li xml:lang="x-default">\(city)</rdf:li></rdf:Alt></ext:LocationName>
        </rdf:li></rdf:Bag></ext:LocationShown>
        <xmp:Rating>3</xmp:Rating></rdf:Description>
        """)
    }
    let bytes = jpeg([xmpSegment(text(false))])
    #expect(try metadata(bytes).location != nil)
    #expect(try redacted(bytes) == jpeg([xmpSegment(text(true))]))
  }

  @Test("UTF-16 and broken markup are no way around")
  func odd() throws {
    let text = packet("q:GPSLatitude=\"59,54.5N\" q:GPSLongitude=\"10,44.7E\"/>")
    let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let signature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    let wide = try redacted(jpeg([(0xE1, signature + [0xFE, 0xFF] + units)]))
    #expect(contains(wide, Array("\0q\0:\0G\0P\0S\0L\0a\0t\0i\0t\0u\0d\0e\0=\0\"\0 \0 \0 ".utf8)))
    let broken = text.replacingOnce(" xmlns:q=", " <&xmlns:q=")
    #expect(!contains(try redacted(jpeg([xmpSegment(broken)])), Array("59,54".utf8)))
  }

  @Test("Behind a damaged signature, NULs in it or not, only the places become blanks")
  func signatures() throws {
    for signature in ["XMP\0://ns.adobe.com/xap/1.0/\0", "http://ns.adobe.com/xap/1.1/\0", "\0"] {
      func file(_ latitude: String) -> [UInt8] {
        let text = packet("q:GPSLatitude=\"\(latitude)\" photoshop:Headline=\"Oslo\"/>")
        return jpeg([(0xE1, Array((signature + text).utf8))])
      }
      #expect(try redacted(file("59,54.5N")) == file(blanks(8)))
    }
    let before = "XMP\0<q:a q:GPSLatitude='59,54.5N'/>" + packet("/>")
    #expect(!contains(try redacted(jpeg([(0xE1, Array(before.utf8))])), Array("59,54".utf8)))
  }

  @Test("An extended packet is redacted over its parts and gets another name")
  func extended() throws {
    let name = "0123456789ABCDEF0123456789ABCDEF"
    func file(_ value: String, _ name: String) -> [UInt8] {
      let body = Array(packet("q:GPSLatitude=\"\(value)\"/>").utf8)
      // Cut within the value.
      let cut = (body.indices.first { body[$0...].starts(with: Array(value.utf8)) } ?? 0) + 3
      func part(_ range: Range<Int>) -> (marker: UInt8, payload: [UInt8]) {
        let numbers = [body.count, range.lowerBound].flatMap { number in
          [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
        }
        return (
          0xE1,
          Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array(name.utf8) + numbers
            + body[range]
        )
      }
      let main = packet("xmlns:n=\"http://ns.adobe.com/xmp/note/\" n:HasExtendedXMP=\"\(name)\"/>")
      return jpeg([xmpSegment(main), part(0..<cut), part(cut..<body.count)])
    }
    let zero = String(repeating: "0", count: 32)
    #expect(try redacted(file("59,54.5N", name)) == file("        ", zero))
  }

  // MARK: - PNG

  @Test("A packet in a coding that is not read, or of too many parts, is blanked as a whole")
  func wholePackets() throws {
    let text = packet("q:GPSLatitude=\"59,54.5N\" q:GPSLongitude=\"10,44.7E\"/>")
    let signature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    let wide = text.unicodeScalars.flatMap { [0, 0, UInt8($0.value >> 8), UInt8($0.value & 0xFF)] }
    let shifted: [UInt8] = [0, 0x20] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let strays = Array((text + String(repeating: "<a></b>", count: 2_000)).utf8)
    let parts = Array((text + String(repeating: "<a/>", count: 15_000)).utf8)
    let flood = Array(repeating: (UInt8(0xE1), signature + parts), count: 4)
    for content in [wide, shifted, strays] {
      let result = try redacted(jpeg([(0xE1, signature + content)]))
      #expect(!contains(result, Array("59,54".utf8)))
      #expect(!contains(result, [0, 0x35, 0, 0x39, 0, 0x2C]))
      #expect(!contains(result, [0, 0, 0, 0x35, 0, 0, 0, 0x39]))
    }
    #expect(!contains(try redacted(jpeg(flood)), Array("59,54".utf8)))
  }

  @Test("PNG chunks change in place, with a new CRC")
  func png() throws {
    func file(_ lat: String, _ city: String) -> [UInt8] {
      checkedPNG([
        ("tEXt", Array("exif:GPSLatitude\0\(lat)".utf8)), ("tEXt", Array("Title\0Oslo".utf8)),
        (
          "iTXt",
          Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)
            + Array(packet("photoshop:City=\"\(city)\"/>").utf8)
        ),
      ])
    }
    #expect(try redacted(file("59/1", "Oslo")) == file("    ", "    "))
    var tiff = TIFFBuilder()
    tiff.main = [(0x010F, .text("Maker"))]
    tiff.gps = [
      (1, .text("N")), (2, .rational([(59, 1), (0, 1), (0, 1)])), (3, .text("E")),
      (4, .rational([(10, 1), (0, 1), (0, 1)])),
    ]
    let bytes = checkedPNG([("eXIf", tiff.bytes)])
    #expect(try metadata(bytes).location != nil)
    let result = try redacted(bytes)
    #expect(try ImageStructure.scan(MemoryByteSource(result)).completeness == .complete)
    #expect(try metadata(result).camera?.make == "Maker")
    #expect(try metadata(result).location == nil)
  }

  @Test(
    "A raw profile's digits change in place, however its name is spelt",
    arguments: ["Raw profile type iptc", "raw profile type IPTC"])
  func profileDigits(_ name: String) throws {
    func file(_ city: String) -> [UInt8] {
      let records: [UInt8] = [0x1C, 2, 90, 0, 4] + Array(city.utf8)
      let digits = records.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return checkedPNG([
        (
          "tEXt",
          Array(
            "\(name)\0\niptc\n       9\n\(digits.prefix(10))\n\(digits.dropFirst(10))\n"
              .utf8)
        )
      ])
    }
    #expect(try redacted(file("Oslo")) == file("    "))
  }

  @Test("Compressed text that tells a place becomes a chunk of zeros, other compressed text stays")
  func compressed() throws {
    func chunk(_ text: String) -> (type: String, data: [UInt8]) {
      textChunk("zTXt", "Raw profile type xmp", rawProfile("xmp", Array(text.utf8)))
    }
    let harmless = chunk(packet("xmp:CreateDate=\"2024-05-06\"/>"))
    let telling = chunk(packet("q:GPSLatitude=\"59,54.5N\"/>"))
    #expect(try redacted(checkedPNG([harmless])) == checkedPNG([harmless]))
    let zeros = ("prVt", [UInt8](repeating: 0, count: telling.data.count))
    #expect(try redacted(checkedPNG([harmless, telling])) == checkedPNG([harmless, zeros]))
    // A stream that cannot be unpacked cannot be judged.
    let broken = ("zTXt", Array("Raw profile type exif\0\0".utf8) + [0x78, 0x9C, 1, 2, 3])
    let gone = ("prVt", [UInt8](repeating: 0, count: broken.1.count))
    #expect(try redacted(checkedPNG([broken])) == checkedPNG([gone]))
  }
}

extension String {
  fileprivate func replacingOnce(_ old: String, _ new: String) -> String {
    guard let range = firstRange(of: old) else { return self }
    return replacingCharacters(range, with: new)
  }

  private func replacingCharacters(_ range: Range<Index>, with new: String) -> String {
    String(self[..<range.lowerBound]) + new + String(self[range.upperBound...])
  }
}
