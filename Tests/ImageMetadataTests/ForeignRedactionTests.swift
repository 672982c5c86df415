import ImageContainer
import ImageMetadata
import Testing

@Suite("Redaction of places outside of their known carriers")
struct ForeignRedactionTests {
  private func packet(_ latitude: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="\(latitude)"
       exif:UserComment="59,54.5N"/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  private let latitude = "59,54.5N"
  private let blanks = "        "

  private func block(bigEndian: Bool) -> [UInt8] {
    var tiff = TIFFBuilder()
    tiff.bigEndian = bigEndian
    tiff.main = [(0x010F, .text("Maker"))]
    tiff.gps = [(1, .text("N")), (2, .rational([(47, 1), (33, 1), (2345, 100)]))]
    return tiff.bytes
  }

  @Test(
    "XMP in comments and in segments of any number is redacted as where it belongs",
    arguments: [0xE0, 0xE1, 0xE2, 0xE3, 0xE5, 0xE9, 0xED, 0xEE, 0xEF, 0xFE] as [UInt8])
  func xmp(marker: UInt8) throws {
    for head in ["", "Someone\0"] {
      func file(_ latitude: String) -> [UInt8] {
        jpeg([(marker, Array(head.utf8) + packet(latitude))])
      }
      #expect(try redacted(file(latitude)) == file(blanks))
    }
  }

  @Test("RDF in a default namespace, and of two bytes a character, is found too")
  func oddXMP() throws {
    let text = """
      <RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Description
      xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="59,54.5N"/></RDF>
      """
    for head in ["", "<?xpacket begin='' id='x'?>"] {
      for marker: UInt8 in [0xE1, 0xFE] {
        let result = try redacted(jpeg([(marker, Array((head + text).utf8))]))
        #expect(!contains(result, Array("59,54".utf8)))
      }
    }
    let wide = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let result = try redacted(jpeg([(0xFE, Array("Someone".utf8) + wide)]))
    #expect(!contains(result, [0x35, 0, 0x39, 0, 0x2C]))
  }

  @Test(
    "EXIF in comments and in segments of any number loses its GPS directory and nothing else",
    arguments: [0xE0, 0xE1, 0xE3, 0xE5, 0xED, 0xEF, 0xFE] as [UInt8])
  func exif(marker: UInt8) throws {
    for bigEndian in [false, true] {
      for head in ["", "Exif\0\0", "Meta\0\0", "Someone's\0"] {
        let payload = Array(head.utf8) + block(bigEndian: bigEndian)
        let file = jpeg([(marker, payload)])
        let result = try redacted(file)
        let degrees: [UInt8] = bigEndian ? [0, 0, 0, 47, 0, 0, 0, 1] : [47, 0, 0, 0, 1, 0, 0, 0]
        #expect(contains(file, degrees) && !contains(result, degrees))
        #expect(contains(result, Array("Maker".utf8)))
        // IFD0 with its two entries and the link is as it was.
        let kept = 4 + 2 + head.utf8.count + 8 + 30
        #expect(result[..<kept] == file[..<kept])
      }
    }
  }

  @Test("What holds neither stays as it is, whatever it says")
  func harmless() throws {
    let plain = TIFFBuilder(main: [(0x010F, .text("Maker"))]).bytes
    let file = jpeg([
      (0xE0, Array("JFIF\0\u{1}\u{2}\0\0\u{1}\0\u{1}\0\0".utf8)), (0xFE, Array("City: Oslo".utf8)),
      (0xE3, plain), (0xE2, Array("ICC_PROFILE\0".utf8) + block(bigEndian: true)),
      (0xE7, Array("GPSLatitude=\"59,54.5N\"".utf8)),
    ])
    #expect(try redacted(file) == file)
  }

  @Test("More TIFF blocks in a segment than anybody writes are filled with zeros")
  func manyBlocks() throws {
    let blocks = (0..<12).flatMap { _ in block(bigEndian: false) }
    let result = try redacted(jpeg([(0xE3, blocks)]))
    #expect(!contains(result, [47, 0, 0, 0, 1, 0, 0, 0]))
  }

  // MARK: - Names

  @Test(
    "PNG text under a keyword that is a place's is blanked",
    arguments: [
      "Place", "Location", "Geo", "Lat", "Lon", "Long", "Lng", "Latitude", "Longitude", "Altitude",
      "GPS", "GPS Position", "gps_lat", "City2", "Sub-location", "Geo Location", "Place of birth",
      "exif:GPSInfo", "Landmark", "Address", "Coordinates", "photo.address",
    ])
  func keywords(_ keyword: String) throws {
    let file = checkedPNG([("tEXt", Array((keyword + "\0Oslo").utf8))])
    #expect(try redacted(file) == checkedPNG([("tEXt", Array((keyword + "\0    ").utf8))]))
    let packed = textChunk("zTXt", keyword, Array("Oslo".utf8))
    let zeros = ("prVt", [UInt8](repeating: 0, count: packed.data.count))
    #expect(try redacted(checkedPNG([packed])) == checkedPNG([zeros]))
  }

  @Test(
    "PNG text under other keywords stays",
    arguments: [
      "Title", "Comment", "Long description", "Platform", "Flat", "Replaced", "Geometry", "Alt",
      "date:create", "exif:Flash", "Relocated", "George", "Thumb::URI", "Statement",
    ])
  func otherKeywords(_ keyword: String) throws {
    let file = checkedPNG([
      ("tEXt", Array((keyword + "\0Oslo").utf8)), textChunk("zTXt", keyword, Array("Oslo".utf8)),
      ("zTXt", Array((keyword + "\0\0").utf8) + [0x78, 0x9C, 1, 2, 3]),
    ])
    #expect(try redacted(file) == file)
  }

  @Test("XMP in PNG text under any keyword is redacted")
  func packetsInText() throws {
    func file(_ latitude: String) -> [UInt8] {
      checkedPNG([("tEXt", Array("Comment\0".utf8) + packet(latitude))])
    }
    #expect(try redacted(file(latitude)) == file(blanks))
    for type in ["zTXt", "iTXt"] {
      let packed = textChunk(type, "Comment", packet(latitude))
      let zeros = ("prVt", [UInt8](repeating: 0, count: packed.data.count))
      #expect(try redacted(checkedPNG([packed])) == checkedPNG([zeros]))
    }
  }

  @Test(
    "XMP properties of place names are blanked in any namespace",
    arguments: [
      "Place", "PlaceName", "place_name", "Address", "Landmark", "Coordinates", "City2", "lat",
      "lon", "Lat_Long", "Street", "PostalCode", "District", "GeoLocation",
    ])
  func names(_ name: String) throws {
    func file(_ value: String) -> [UInt8] {
      let text = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
         xmlns:n="http://example.org/" n:\(name)="\(value)"><n:Placement>Oslo</n:Placement>
         <n:Title><rdf:Alt><rdf:li>Oslo</rdf:li></rdf:Alt></n:Title><n:\(name)>\(value)</n:\(name)>
         </rdf:Description></rdf:RDF></x:xmpmeta>
        """
      return jpeg([xmpSegment(text)])
    }
    #expect(try redacted(file("Oslo")) == file("    "))
  }
}
