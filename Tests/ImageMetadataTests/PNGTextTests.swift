import ImageContainer
import PhotoModel
import Testing

@testable import ImageMetadata

@Suite("Text chunks of PNG")
struct PNGTextTests {
  private let packet = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:DateTimeOriginal="2009-05-17T14:03:22Z"/>
    </rdf:RDF></x:xmpmeta>
    """

  private let block = TIFFBuilder(
    main: [(0x010F, .text("Maker")), (0x0112, .short([6]))],
    exif: [(0x9003, .text("2024:05:17 14:03:22"))]
  ).bytes

  @Test("compressed and plain texts are read alike", arguments: ["tEXt", "zTXt", "iTXt"])
  func kinds(type: String) throws {
    let date = textChunk(type, "Creation Time", Array("2024-05-17T14:03:22Z".utf8))
    #expect(try metadata(png([date])).date(.pngCreationTime) == "2024-05-17T14:03:22.000Z")
    let xmp = textChunk(type, "XML:com.adobe.xmp", Array(packet.utf8))
    #expect(try metadata(png([xmp])).date(.xmpDateTimeOriginal) == "2009-05-17T14:03:22.000Z")
  }

  @Test("a stream of Huffman codes, as another program wrote it")
  func compressed() throws {
    // zlib.compress(b"2024-05-17T14:03:22Z" * 3) of Python: fixed codes and a match.
    let stream: [UInt8] = [
      0x78, 0x9C, 0x33, 0x32, 0x30, 0x32, 0xD1, 0x35, 0x30, 0xD5, 0x35, 0x34, 0x0F, 0x31, 0x34,
      0xB1, 0x32, 0x30, 0xB6, 0x32, 0x32, 0x8A, 0x32, 0x22, 0x52, 0x0C, 0x00, 0x7E, 0x05, 0x0C,
      0xB8,
    ]
    var inflate = Inflate()
    let text = Array(String(repeating: "2024-05-17T14:03:22Z", count: 3).utf8)
    #expect(inflate.text(of: stream[...]) == .text(text))
    #expect(inflate.bytesLeft == 8 << 20 - 60)
  }

  @Test("a wrong check sum, a cut stream and what is no stream are damaged")
  func damaged() {
    let text = Array("2024-05-17T14:03:22Z".utf8)
    let whole = zlib(text)
    var inflate = Inflate()
    #expect(inflate.text(of: whole[...]) == .text(text))
    #expect(inflate.text(of: (whole + [1, 2, 3])[...]) == .text(text))
    for length in whole.indices {
      #expect(inflate.text(of: whole[..<length]) == .damaged, "\(length)")
    }
    // The third byte has unused bits before a stored block.
    for index in whole.indices.dropFirst(3) {
      var changed = whole
      changed[index] ^= 0x10
      #expect(inflate.text(of: changed[...]) == .damaged, "\(index)")
    }
    #expect(inflate.text(of: text[...]) == .damaged)
  }

  @Test("texts are bounded each and together")
  func bounds() {
    let largest = [UInt8](repeating: 0x20, count: Inflate.maximumText)
    let whole = zlib(largest)
    var inflate = Inflate()
    #expect(inflate.text(of: whole[...]) == .text(largest))
    #expect(inflate.text(of: zlib(largest + [0x20])[...]) == .tooLong)
    for _ in 0..<6 { _ = inflate.text(of: whole[...]) }
    #expect(inflate.text(of: whole[...]) == .tooLong)
    #expect(inflate.bytesLeft == 0)
    #expect(inflate.text(of: zlib([1])[...]) == .tooLong)
  }

  @Test("a damaged text costs no more than itself")
  func damagedChunks() throws {
    var bad = textChunk("zTXt", "XML:com.adobe.xmp", Array(packet.utf8))
    bad.data[bad.data.count - 1] ^= 1
    let method = ("zTXt", Array("Creation Time\0".utf8) + [1] + zlib([0x32]))
    let cut = ("iTXt", Array("XML:com.adobe.xmp\0".utf8) + [1, 0, 0])
    let good = textChunk("zTXt", "Creation Time", Array("2024-05-17T14:03:22Z".utf8))
    let result = try metadata(png([bad, method, cut, ("tEXt", []), ("zTXt", [0x41]), good]))
    #expect(result.date(.pngCreationTime) == "2024-05-17T14:03:22.000Z")
    #expect(result.dates.count == 1)
    #expect(
      result.warnings == [
        "PNG: a compressed text is damaged", "PNG: a text chunk is damaged",
        "PNG: a text chunk is damaged",
      ])
  }

  @Test("raw profiles of EXIF, with JPEG's prefix and without", arguments: ["tEXt", "zTXt"])
  func exifProfile(type: String) throws {
    let prefixed = Array("Exif\0\0".utf8) + block
    for (keyword, name, bytes) in [
      ("exif", "exif", prefixed), ("APP1", "generic profile", prefixed), ("exif", "exif", block),
    ] {
      let chunk = textChunk(type, "Raw profile type " + keyword, rawProfile(name, bytes))
      let result = try metadata(png([chunk]))
      #expect(result.date(.exifDateTimeOriginal) == "2024-05-17T14:03:22.000~")
      #expect(result.orientation == .right)
      #expect(result.exif.make == "Maker")
      #expect(result.warnings == [])
    }
  }

  @Test("raw profiles of XMP and IPTC")
  func otherProfiles() throws {
    let xmp = Array(packet.utf8)
    let signed = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp
    for (keyword, bytes) in [("xmp", xmp), ("APP1", signed)] {
      let chunk = textChunk("zTXt", "Raw profile type " + keyword, rawProfile(keyword, bytes))
      #expect(
        try metadata(png([chunk])).date(.xmpDateTimeOriginal) == "2009-05-17T14:03:22.000Z")
    }
    let records: [UInt8] = [0x1C, 2, 55, 0, 8] + Array("20240517".utf8)
    let resource = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(records.count)] + records
    let app13 = Array("Photoshop 3.0\0".utf8) + resource
    for (keyword, bytes) in [
      ("iptc", resource), ("8bim", resource), ("iptc", records), ("iptc", app13),
    ] {
      let chunk = textChunk("tEXt", "Raw profile type " + keyword, rawProfile(keyword, bytes))
      #expect(try metadata(png([chunk])).date(.iptcDateCreated) == "2024-05-17T00:00:00.000~")
    }
  }

  @Test("PNG's own chunks come before raw profiles, wherever they stand")
  func precedence() throws {
    let own = TIFFBuilder(main: [(0x010F, .text("Own"))]).bytes
    let chunk = textChunk("zTXt", "Raw profile type exif", rawProfile("exif", block))
    let result = try metadata(png([chunk], after: [("eXIf", own)]))
    #expect(result.exif.make == "Own")
    #expect(result.date(.exifDateTimeOriginal) == "2024-05-17T14:03:22.000~")
  }

  @Test(
    "what is no raw profile of metadata gives nothing",
    arguments: [
      "", "\n", "\nexif\n", "\nexif\n4", "\nexif\n4\nzz", "\nexif\n-4\n49492a00", "exif",
      "\nexif\n99999999999\n49", "\nexif\n4\n4949", "\nicc\n4\n01020304",
    ])
  func noProfile(text: String) throws {
    let chunk = textChunk("tEXt", "Raw profile type exif", Array(text.utf8))
    let result = try metadata(png([chunk]))
    #expect(result.dates == [])
    #expect(result.warnings.count == 1)
  }

  @Test("a profile that states another length gives no more than it has and states")
  func profileLength() {
    #expect(RawProfile.bytes(Array("\nexif\n    2\n494a4b\n".utf8)) == [0x49, 0x4A])
    #expect(RawProfile.bytes(Array("\nexif\n9\n494A\n4".utf8)) == [0x49, 0x4A])
    #expect(RawProfile.isMetadata(keyword: "Raw profile type APP1"))
    #expect(!RawProfile.isMetadata(keyword: "Raw profile type icc"))
    #expect(!RawProfile.isMetadata(keyword: "exif"))
  }
}
