import ImageContainer
import ImageMetadata
import PhotoModel
import Testing

/// The bytes without places, and what the plan is once more.
func redacted(_ bytes: [UInt8]) throws -> [UInt8] {
  let source = MemoryByteSource(bytes)
  let plan = try RedactionPlan.make(source, structure: try ImageStructure.scan(source))
  let result = RedactedByteSource(source, plan: plan)
  let whole = try result.read(at: 0, count: result.count)
  // Read in small windows it is the same.
  var pieces: [UInt8] = []
  while pieces.count < result.count { pieces += try result.read(at: pieces.count, count: 7) }
  #expect(pieces == whole)
  let again = MemoryByteSource(whole)
  let second = try RedactionPlan.make(again, structure: try ImageStructure.scan(again))
  #expect(second.isIdentity(forCount: whole.count))
  return whole
}

private let place: [TIFFBuilder.Entry] = [
  (0, .raw(1, 4, [2, 3, 0, 0])), (1, .text("N")),
  (2, .rational([(47, 1), (33, 1), (2345, 100)])), (3, .text("E")),
  (4, .rational([(7, 1), (35, 1), (1234, 100)])), (6, .rational([(260, 1)])),
  (7, .rational([(10, 1), (11, 1), (12, 1)])), (0x1D, .text("2024:05:06")),
]

private let camera: [TIFFBuilder.Entry] = [(0x010F, .text("Maker")), (0x0110, .text("Model"))]

@Suite("Redaction of places")
struct RedactionTests {
  @Test("The GPS directory is emptied and nothing else is touched", arguments: [false, true])
  func exif(bigEndian: Bool) throws {
    var tiff = TIFFBuilder()
    tiff.bigEndian = bigEndian
    tiff.main = camera
    tiff.exif = [(0x9003, .text("2024:05:06 12:11:12")), (0x9011, .text("+02:00"))]
    tiff.gps = place
    let bytes = jpeg([exifSegment(tiff.bytes)])
    let result = try redacted(bytes)
    #expect(result.count == bytes.count)
    let before = try metadata(bytes)
    let after = try metadata(result)
    #expect(before.location != nil && after.location == nil)
    #expect(after.camera == before.camera && after.camera?.make == "Maker")
    #expect(after.date(.exifDateTimeOriginal) == "2024-05-06T12:11:12.000+02:00")
    #expect(after.date(.gps) == nil)
    // IFD0 with 4 entries, EXIF with 2: the GPS table of 8 entries begins at 8 + 54 + 30.
    let table = 12 + 8 + 54 + 30
    #expect(result[..<table] == bytes[..<table])
    #expect(result[table..<(table + 2 + 8 * 12)].allSatisfy { $0 == 0 })
    // Latitude's degrees, 47, are nowhere any more.
    let degrees = tiff.number(47, 4) + tiff.number(1, 4)
    #expect(contains(bytes, degrees) && !contains(result, degrees))
  }

  @Test("Every EXIF block counts, also one that goes on in a second segment")
  func severalBlocks() throws {
    var first = TIFFBuilder()
    first.main = camera
    var second = TIFFBuilder()
    second.gps = place
    var bytes = jpeg([exifSegment(first.bytes), exifSegment(second.bytes)])
    #expect(try metadata(try redacted(bytes)).location == nil)
    let half = second.bytes.count / 2
    bytes = jpeg([
      exifSegment(Array(second.bytes[..<half])), exifSegment(Array(second.bytes[half...])),
    ])
    let result = try redacted(bytes)
    #expect(!contains(result, [47, 0, 0, 0, 1, 0, 0, 0]))
  }

  @Test(
    "Bytes before an EXIF block's name, or other letters in it, hide nothing",
    arguments: ["Exif\0\0", "EXIF\0\0", "eXiF\0\0", "x\0yzExif\0\0", "\0Exif\0\0"])
  func oddNames(_ name: String) throws {
    var tiff = TIFFBuilder()
    tiff.main = camera
    tiff.gps = place
    let bytes = jpeg([(0xE1, Array(name.utf8) + tiff.bytes)])
    #expect(try metadata(bytes).location != nil)
    #expect(try metadata(try redacted(bytes)).location == nil)
  }

  @Test("A draft's deflated EXIF chunk becomes one of zeros")
  func draftChunk() throws {
    let result = try redacted(checkedPNG([("zxIf", [1, 2, 3, 4])]))
    #expect(!contains(result, Array("zxIf".utf8)) && contains(result, Array("prVt".utf8)))
    #expect(try ImageStructure.scan(MemoryByteSource(result)).completeness == .complete)
  }

  @Test("A file that tells no place stays as it is")
  func nothing() throws {
    var tiff = TIFFBuilder()
    tiff.main = camera
    tiff.exif = [(0x9003, .text("2024:05:06 12:11:12"))]
    let text =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><a photoshop:LegacyIPTCDigest='AB'/></x:xmpmeta>"
    let bytes = jpeg([exifSegment(tiff.bytes), xmpSegment(text)])
    #expect(try redacted(bytes) == bytes)
    // Zeros behind the picture say nothing.
    #expect(try redacted(bytes + [0, 0, 0]) == bytes + [0, 0, 0])
  }

  @Test("A GPS pointer at another directory is taken away, and that directory stays")
  func sharedDirectory() throws {
    var tiff = TIFFBuilder()
    tiff.main = camera + [(1, .text("N")), (0x8825, .long([8]))]
    let result = try redacted(jpeg([exifSegment(tiff.bytes)]))
    #expect(try metadata(result).camera?.model == "Model")
  }

  @Test("Wild pointers and counts neither trap nor cost the rest")
  func wild() throws {
    for offset: UInt32 in [0, 7, 40, 60, 0xFFFF_FFFF] {
      var tiff = TIFFBuilder()
      tiff.main = [(0x8825, .long([offset]))] + camera
      tiff.gps = [(2, .elsewhere(5, 0x2000_0000, offset: 8)), (4, .elsewhere(5, 3, offset: 9999))]
      let bytes = jpeg([exifSegment(tiff.bytes)])
      let result = try redacted(bytes)
      #expect(result.count == bytes.count)
    }
  }

  @Test("A preview's own EXIF is redacted in its place")
  func preview() throws {
    var inner = TIFFBuilder()
    inner.gps = place
    var tiff = TIFFBuilder()
    tiff.main = camera
    tiff.preview = jpeg([exifSegment(inner.bytes)])
    let bytes = jpeg([exifSegment(tiff.bytes)])
    let result = try redacted(bytes)
    #expect(result.count == bytes.count)
    #expect(!contains(result, [47, 0, 0, 0, 1, 0, 0, 0]))
    #expect(try metadata(result).previews.count == 1)
  }

  @Test("Panasonic's, Nikon's and Samsung's places in maker notes are blanked")
  func makerNotes() throws {
    for (maker, note) in [
      ("Panasonic", Array("Panasonic\0\0\0".utf8) + directory(0x6D)),
      ("Samsung", directory(0x30)), ("Casio", Array("QVC\0\0\0".utf8) + directory(0x3006)),
    ] {
      var tiff = TIFFBuilder()
      tiff.main = [(0x010F, .text(maker))]
      tiff.exif = [(0x927C, .raw(7, UInt32(note.count), note))]
      let bytes = jpeg([exifSegment(tiff.bytes)])
      // "Oslo" fits into the entry.
      let expected = replacing("Oslo", "    ", in: bytes)
      #expect(try redacted(bytes) == expected, "\(maker)")
    }
    var inner = TIFFBuilder()
    inner.main = [
      (
        0x39,
        .raw(7, 18, Array("0100".utf8) + [0] + Array("NOR".utf8) + [1] + Array("Oslo City".utf8))
      )
    ]
    let note = Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + inner.bytes
    var tiff = TIFFBuilder()
    tiff.exif = [(0x927C, .raw(7, UInt32(note.count), note))]
    let bytes = jpeg([exifSegment(tiff.bytes)])
    let expected = replacing("Oslo City", "    \u{20}    ", in: replacing("NOR", "   ", in: bytes))
    #expect(try redacted(bytes) == expected)
  }

  /// A little-endian directory with one text of four bytes, "Oslo".
  private func directory(_ tag: UInt16) -> [UInt8] {
    [1, 0, UInt8(tag & 0xFF), UInt8(tag >> 8), 7, 0, 4, 0, 0, 0] + Array("Oslo".utf8)
      + [0, 0, 0, 0]
  }

  @Test("IPTC's places are blanked and the digest that could prove a guess is zeroed")
  func iptc() throws {
    func set(_ number: UInt8, _ text: String) -> [UInt8] {
      [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    func resource(_ id: UInt8, _ data: [UInt8]) -> [UInt8] {
      Array("8BIM".utf8) + [4, id, 0, 0, 0, 0, 0, UInt8(data.count)] + data
        + (data.count % 2 == 1 ? [0] : [])
    }
    func file(_ blank: Bool) -> [UInt8] {
      let texts = ["Oslo", "Vika", "Viken", "NOR", "Norway"].map {
        blank ? String(repeating: " ", count: $0.count) : $0
      }
      let records =
        set(5, "Title") + set(90, texts[0]) + set(92, texts[1]) + set(95, texts[2])
        + set(100, texts[3]) + set(101, texts[4]) + set(55, "20240506")
      let digest = [UInt8](repeating: blank ? 0 : 0xAB, count: 16)
      return jpeg([
        (0xED, Array("Photoshop 3.0\0".utf8) + resource(4, records) + resource(0x25, digest))
      ])
    }
    #expect(try redacted(file(false)) == file(true))
  }

  @Test("Pictures behind the first one are kept and redacted, all else there goes")
  func trail() throws {
    var tiff = TIFFBuilder()
    tiff.gps = place
    let second = jpeg([exifSegment(tiff.bytes)])
    func file(offset: Int) -> [UInt8] {
      var index = TIFFBuilder()
      let entries =
        index.number(0, 12) + index.number(0, 4) + index.number(0x2_0002, 4)
        + index.number(second.count, 4) + index.number(offset, 4) + index.number(0, 4)
      index.main = [(0xB002, .raw(7, 32, entries))]
      return jpeg([(0xE2, Array("MPF\0".utf8) + index.bytes)])
    }
    let first = file(offset: 0)
    // Offsets count from the TIFF header, which stands at 2 + 4 + 4; ten bytes lie between.
    let bytes = file(offset: first.count + 3 - 10) + [1, 2, 3] + second
    let video = Array("\0\0\0\u{18}ftypmp42 and so on".utf8)
    let result = try redacted(bytes + video)
    #expect(result.count == bytes.count)
    #expect(result[..<first.count] == bytes[..<first.count])
    #expect(result[first.count..<(first.count + 3)].elementsEqual([0, 0, 0]))
    #expect(try metadata(Array(result[(first.count + 3)...])).location == nil)
    #expect(try metadata(second).location != nil)
    // Without an index nothing tells what it is.
    #expect(try redacted(second + video).count == second.count)
  }

  @Test("Random damage neither traps nor leaves a place that the readers find")
  func damage() throws {
    var tiff = TIFFBuilder()
    tiff.gps = place
    var outer = TIFFBuilder()
    outer.main =
      camera + [(0x02BC, .raw(1, 24, Array("<a exif:GPSLatitude='1'/>".utf8.prefix(24))))]
    outer.exif = [(0x927C, .raw(7, 26, Array("Panasonic\0\0\0".utf8) + directory(0x6D)))]
    outer.gps = place
    outer.preview = jpeg([exifSegment(tiff.bytes)])
    let text =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><exif:GPSLatitude>1,2N</exif:GPSLatitude></x:xmpmeta>"
    let resources = Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 9, 0x1C, 2, 90, 0, 4]
    let files = [
      jpeg([
        exifSegment(outer.bytes), xmpSegment(text), (0xED, resources + Array("Oslo".utf8) + [0]),
      ]),
      png([
        ("eXIf", outer.bytes),
        textChunk("zTXt", "Raw profile type exif", rawProfile("exif", tiff.bytes)),
        textChunk("iTXt", "XML:com.adobe.xmp", Array(text.utf8)),
      ]),
    ]
    var random = SplitMix(state: 7)
    var served = 0
    for file in files {
      for _ in 0..<400 {
        var bytes = file
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let index = Int.random(in: 20..<bytes.count, using: &random)
          bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
        let source = MemoryByteSource(bytes)
        guard let structure = try? ImageStructure.scan(source),
          let plan = try? RedactionPlan.make(source, structure: structure)
        else { continue }
        let result = RedactedByteSource(source, plan: plan)
        served += 1
        #expect(PhotoMetadata.read(result, structure: structure).location == nil)
      }
    }
    #expect(served > 300)
  }

  @Test("The memory of a plan follows from the metadata, not from the picture or a video behind it")
  func requiredMemory() throws {
    func need(_ bytes: [UInt8]) throws -> Int {
      let structure = try ImageStructure.scan(MemoryByteSource(bytes))
      return RedactionPlan.requiredMemory(structure, fileSize: bytes.count)
    }
    let video = [UInt8](repeating: 1, count: 1_000_000)
    #expect(try need(jpeg([])) == 4 << 20)
    #expect(try need(jpeg([]) + video) == 4 << 20)
    // Eight times 1,000 bytes a segment; comments are looked into too.
    let segment = [UInt8](repeating: 0x20, count: 1_000)
    #expect(try need(jpeg([(0xFE, segment), (0xE1, segment)])) == (4 << 20) + 16_000)
    // An index may name what is behind.
    let indexed = jpeg([(0xE2, segment)])
    #expect(try need(indexed + video) == (4 << 20) + 8 * (1_000 + 1_000_000))
  }

  @Test("A block with more pointers than any camera writes goes as a whole")
  func overload() throws {
    var tiff = TIFFBuilder()
    tiff.main = camera + (0..<200).map { (0x8825, .long([UInt32(3000 + $0)])) }
    tiff.gps = place
    let result = try redacted(jpeg([exifSegment(tiff.bytes)]))
    #expect(try metadata(result).camera == nil)
  }

  @Test("FLIR's, GoPro's and Ricoh's segments lose their places")
  func vendors() throws {
    func word(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) } }
    var record = Array("FFF\0".utf8) + [UInt8](repeating: 0, count: 16) + word(100)
    record += word(64) + word(1) + [UInt8](repeating: 0, count: 32)
    record +=
      [0, 0x2B, 0, 1] + word(1) + word(1) + word(96) + word(8) + word(0) + word(0) + word(0)
    let flir = record + Array("GPS here".utf8)
    let gpmf =
      Array("DEVC".utf8) + [0, 1, 0, 24] + Array("GPS5".utf8) + [0x6C, 4, 0, 1] + word(47)
      + Array("ISOE".utf8) + [0x53, 2, 0, 1, 0, 100, 0, 0]
    let bytes = jpeg([
      (0xE1, Array("FLIR\0".utf8) + [1, 0, 0] + flir), (0xE6, Array("GoPro\0".utf8) + gpmf),
    ])
    let expected = replacing(
      "GPS here", String(repeating: "\0", count: 8),
      in: replacing("\0\0\0\u{2F}ISOE", "\0\0\0\0ISOE", in: bytes))
    #expect(try redacted(bytes) == expected)
  }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers in each run.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
  bytes.indices.contains { bytes[$0...].starts(with: part) }
}

/// Every occurrence of a text replaced by one of the same length.
func replacing(_ old: String, _ new: String, in bytes: [UInt8]) -> [UInt8] {
  var result = bytes
  let (old, new) = (Array(old.utf8), Array(new.utf8))
  precondition(old.count == new.count)
  for index in bytes.indices where bytes[index...].starts(with: old) {
    result.replaceSubrange(index..<(index + old.count), with: new)
  }
  return result
}
