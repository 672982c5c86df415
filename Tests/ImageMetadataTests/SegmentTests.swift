import ImageContainer
import PhotoModel
import Testing

@testable import ImageMetadata

/// Blocks that are spread over several JPEG segments, or stand in one of an odd form.
@Suite("JPEG segments")
struct SegmentTests {
  private func packet(_ attributes: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
       xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
       xmlns:xmpNote="http://ns.adobe.com/xmp/note/" \(attributes)/></rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  private func xmp(_ attributes: String) -> (marker: UInt8, payload: [UInt8]) {
    (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet(attributes))
  }

  // MARK: EXIF

  @Test("EXIF that goes on in the next segments is one block", arguments: [false, true])
  func splitExif(bigEndian: Bool) throws {
    let thumbnail = picture(width: 160, height: 120)
    let block = TIFFBuilder(
      bigEndian: bigEndian, main: [(0x0110, .text("A model of a long name"))],
      exif: [(0x9003, .text("2024:05:17 14:03:22"))], preview: thumbnail
    ).bytes
    let prefix = Array("Exif\0\0".utf8)
    // The texts and the thumbnail lie behind the cut.
    for cut in [100, 110, block.count - thumbnail.count] {
      let file = jpeg([
        (0xE1, prefix + block[..<cut]), (0xE1, prefix + block[cut...]), (0xFE, [1]),
      ])
      let result = try metadata(file)
      #expect(result.camera?.model == "A model of a long name", "\(cut)")
      #expect(result.date(.exifDateTimeOriginal) == "2024-05-17T14:03:22.000~")
      #expect(result.previews.map { Array(file[$0.range]) } == [thumbnail])
      #expect(result.warnings == [])
    }
    // A thumbnail across the cut lies nowhere in the file as a whole.
    let cut = block.count - 20
    let file = jpeg([(0xE1, prefix + block[..<cut]), (0xE1, prefix + block[cut...])])
    let result = try metadata(file)
    #expect(result.previews == [])
    #expect(result.camera?.model == "A model of a long name")
  }

  @Test("of repeated blocks the first sane date counts")
  func repeated() throws {
    let dead = TIFFBuilder(
      main: [(0x0132, .text("    :  :     :  :  "))],
      exif: [(0x9003, .text("0000:00:00 00:00:00"))])
    let good = TIFFBuilder(
      main: [(0x0132, .text("2024:06:01 10:00:00"))],
      exif: [(0x9003, .text("2024:05:17 14:03:22")), (0x9291, .text("25"))])
    let result = try metadata(jpeg([exifSegment(dead.bytes), exifSegment(good.bytes)]))
    #expect(result.date(.exifDateTimeOriginal) == "2024-05-17T14:03:22.250~")
    #expect(result.date(.exifDateTime) == "2024-06-01T10:00:00.000~")
    // The raw values stay those of the first.
    #expect(result.exif.dateTimeOriginal == "0000:00:00 00:00:00")
  }

  @Test("another byte for the second NUL behind the signature is taken")
  func oddSignature() throws {
    let block = TIFFBuilder(main: [(0x0112, .short([6]))]).bytes
    let result = try metadata(jpeg([(0xE1, Array("Exif\0".utf8) + [0xFF] + block)]))
    #expect(result.orientation == .right)
  }

  // MARK: XMP

  @Test("a packet behind a damaged signature is found")
  func oddPacket() throws {
    for head in ["http://ns.adobe.com/xap/1.0 \0", "XMP\0", ""] {
      let payload = Array(head.utf8) + packet("exif:DateTimeOriginal='2009-05-17T14:03:22Z'")
      let result = try metadata(jpeg([(0xE1, payload)]))
      #expect(result.date(.xmpDateTimeOriginal) == "2009-05-17T14:03:22.000Z")
    }
  }

  private let identifier = "0123456789ABCDEF0123456789ABCDEF"

  private func part(
    _ bytes: ArraySlice<UInt8>, of total: Int, named name: String? = nil
  ) -> (marker: UInt8, payload: [UInt8]) {
    let numbers = [total, bytes.startIndex].flatMap { value in
      [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
    }
    let head = "http://ns.adobe.com/xmp/extension/\0" + (name ?? identifier)
    return (0xE1, Array(head.utf8) + numbers + bytes)
  }

  @Test("extended XMP: parts in any order, of the packet that the main one names")
  func extended() throws {
    let main = xmp("xmpNote:HasExtendedXMP='\(identifier)' xmp:CreateDate='2011-01-02T03:04Z'")
    let more = packet("exif:DateTimeOriginal='2009-05-17T14:03:22Z' xmp:Rating='3'")
    let other = packet("photoshop:DateCreated='2001-01-01'")
    let strange = String(repeating: "F", count: 32)
    let result = try metadata(
      jpeg([
        part(more[200...], of: more.count), part(other[...], of: other.count, named: strange),
        main, part(more[..<100], of: more.count), part(more[100..<200], of: more.count),
      ]))
    #expect(result.date(.xmpDateTimeOriginal) == "2009-05-17T14:03:22.000Z")
    #expect(result.date(.xmpCreateDate) == "2011-01-02T03:04:00.000Z")
    #expect(result.date(.xmpPhotoshopDateCreated) == nil)
    #expect(result.rating == 3)
    #expect(result.warnings == [])
  }

  @Test("extended XMP that is not whole, overlaps or is unnamed gives nothing")
  func brokenExtended() throws {
    let main = xmp("xmpNote:HasExtendedXMP='\(identifier)'")
    let more = packet("exif:DateTimeOriginal='2009-05-17T14:03:22Z'")
    let count = more.count
    let broken: [[(marker: UInt8, payload: [UInt8])]] = [
      [part(more[..<100], of: count)], [part(more[100...], of: count)],
      [part(more[..<100], of: count), part(more[90...], of: count)],
      [part(more[..<100], of: count), part(more[110...], of: count)],
      [part(more[..<100], of: count), part(more[100...], of: count + 1)],
      [part(more[...], of: count + 1)], [part(more[...], of: count - 1)],
      [part(more[...], of: count), part(more[...], of: count)],
    ]
    for parts in broken {
      let result = try metadata(jpeg([main] + parts))
      #expect(result.dates == [])
      #expect(result.warnings == ["XMP: the parts of an extended packet do not make a whole"])
    }
    let whole = part(more[...], of: count)
    #expect(try metadata(jpeg([whole])).dates == [])
    #expect(try metadata(jpeg([main])).warnings == [])
    // Far too long: pictures and depths, no damage.
    let long = try metadata(jpeg([main, part(more[...], of: 0xFFFF_FFFF)]))
    #expect(long.dates == [] && long.warnings == [])
    for length in whole.payload.indices {
      _ = try metadata(jpeg([main, (0xE1, Array(whole.payload[..<length]))]))
    }
  }

  @Test(
    "rating: -1 or 0 to 5, whole stars of a fraction; no number of stars makes a favourite",
    arguments: [
      ("5", 5), ("0", 0), ("-1", -1), ("3.0", 3), ("-1.0", -1), (" 4 ", 4), ("\n2\t", 2), ("+2", 2),
      ("3.5", 3), ("4.99", 4), ("0.5", 0), ("7/2", 3), ("5.5", nil), ("-0.5", nil), ("6", nil),
      ("-2", nil), ("99", nil), ("1e999", nil), ("nan", nil), ("inf", nil), ("five", nil),
      ("*****", nil), ("4 stars", nil), ("3,5", nil), ("", nil), ("1e0", nil), ("1/0", nil),
    ] as [(String, Int?)])
  func rating(text: String, expected: Int?) throws {
    let result = try metadata(jpeg([xmp("xmp:Rating='\(text)'")]))
    #expect(result.rating == expected)
    #expect(!result.isFavorite)
  }

  @Test(
    "Windows' percentages count where no stars are said, each as the nearest that it writes",
    arguments: [
      // It writes 1, 25, 50, 75 and 99; 13, 38, 63 and 88 are the first above the midpoints.
      ("0", 0), ("1", 1), ("12", 1), ("13", 2), ("25", 2), ("37", 2), ("38", 3), ("50", 3),
      ("62", 3), ("63", 4), ("75", 4), ("87", 4), ("88", 5), ("99", 5), ("100", 5), ("101", nil),
      ("-1", nil), ("x", nil),
    ] as [(String, Int?)])
  func percentage(text: String, expected: Int?) throws {
    for slash in ["", "/"] {
      let space = "xmlns:MicrosoftPhoto='http://ns.microsoft.com/photo/1.0\(slash)'"
      let percent = "\(space) MicrosoftPhoto:Rating='\(text)'"
      #expect(try metadata(jpeg([xmp(percent)])).rating == expected)
      #expect(try metadata(jpeg([xmp(percent + " xmp:Rating='2'")])).rating == 2)
      #expect(try metadata(jpeg([xmp(percent + " xmp:Rating='0'")])).rating == 0)
    }
  }

  @Test(
    "fstop:favorite makes a favourite; labels and picks make none",
    arguments: [
      ("fstop:favorite='1'", true), ("fstop:favorite='True'", true),
      ("fstop:favorite='0'", false), ("fstop:favorite='False'", false),
      ("fstop:favorite=''", false), ("fstop:favorite='5'", false),
      ("xmp:Rating='5' xmp:Label='Red'", false), ("digiKam:PickLabel='3'", false),
    ])
  func favorite(attribute: String, expected: Bool) throws {
    let spaces = """
      xmlns:fstop='http://www.fstopapp.com/xmp/' xmlns:digiKam='http://www.digikam.org/ns/1.0/'
      """
    #expect(try metadata(jpeg([xmp("\(spaces) \(attribute)")])).isFavorite == expected)
  }

  @Test("a sidecar's stars and heart go before those in the picture, also where it takes them away")
  func sidecarMarks() throws {
    let space = "xmlns:fstop='http://www.fstopapp.com/xmp/'"
    func read(beside: String, inside: String) throws -> PhotoMetadata {
      try self.read(
        jpeg([xmp("\(space) \(inside)")]), sidecar: packet("\(space) \(beside)"))
    }
    let marked = "xmp:Rating='4' fstop:favorite='1'"
    let plain = "xmp:Rating='0' fstop:favorite='0'"
    let first = try read(beside: marked, inside: plain)
    #expect(first.rating == 4 && first.isFavorite)
    let second = try read(beside: plain, inside: marked)
    #expect(second.rating == 0 && !second.isFavorite)
    // What is absent or nonsense beside the picture does not hide what is in it.
    for nothing in ["", "xmp:Rating='many' fstop:favorite='perhaps'"] {
      let third = try read(beside: nothing, inside: marked)
      #expect(third.rating == 4 && third.isFavorite, "\(nothing)")
    }
  }

  @Test("EXIF's rating counts where XMP has none")
  func exifRating() throws {
    let block = TIFFBuilder(main: [(0x4746, .short([4]))])
    #expect(try metadata(tiff: block).rating == 4)
    let both = try metadata(jpeg([exifSegment(block.bytes), xmp("xmp:Rating='2'")]))
    #expect(both.rating == 2)
    #expect(try metadata(tiff: TIFFBuilder(main: [(0x4746, .short([99]))])).rating == nil)
    #expect(try metadata(tiff: TIFFBuilder(main: [(0x0110, .text("x"))])).rating == nil)
  }

  // MARK: Sidecars

  private func read(_ file: [UInt8], sidecar: [UInt8]) throws -> PhotoMetadata {
    let source = MemoryByteSource(file)
    return PhotoMetadata.read(
      source, structure: try ImageStructure.scanHeaders(source), sidecar: sidecar)
  }

  @Test("a sidecar comes before embedded XMP and after EXIF")
  func sidecar() throws {
    let exif = TIFFBuilder(exif: [(0x9004, .text("2024:05:17 14:03:22"))])
    let embedded = xmp(
      "exif:DateTimeOriginal='2001-01-01T00:00:00Z' photoshop:DateCreated='2002-02-02' xmp:Rating='1'"
    )
    let file = jpeg([exifSegment(exif.bytes), embedded])
    let beside = packet(
      "exif:DateTimeOriginal='2009-05-17T14:03:22Z' photoshop:DateCreated='0000-00-00' xmp:Rating='4'"
    )
    let result = try read(file, sidecar: [0xEF, 0xBB, 0xBF] + beside)
    #expect(result.date(.sidecarDateTimeOriginal) == "2009-05-17T14:03:22.000Z")
    #expect(result.date(.xmpDateTimeOriginal) == "2001-01-01T00:00:00.000Z")
    // Nonsense beside the file does not hide what is in it.
    #expect(result.date(.xmpPhotoshopDateCreated) == "2002-02-02T00:00:00.000~")
    #expect(result.date(.exifDateTimeDigitized) == "2024-05-17T14:03:22.000~")
    #expect(result.rating == 4)
    #expect(
      result.dates.map(\.source)
        == [
          .sidecarDateTimeOriginal, .xmpDateTimeOriginal, .xmpPhotoshopDateCreated,
          .exifDateTimeDigitized,
        ])
  }

  @Test("a sidecar comes before embedded XMP as a whole, whichever property it has")
  func sidecarAsAWhole() throws {
    let properties = ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"]
    let inOrder: [DateSource] = [
      .exifDateTimeOriginal, .sidecarDateTimeOriginal, .sidecarPhotoshopDateCreated,
      .xmpDateTimeOriginal, .xmpPhotoshopDateCreated, .exifDateTimeDigitized, .sidecarCreateDate,
      .xmpCreateDate,
    ]
    let exif = TIFFBuilder(exif: [
      (0x9003, .text("2024:05:17 14:03:22")), (0x9004, .text("2024:05:18 14:03:22")),
    ])
    let all = properties.enumerated().map { "\($1)='200\($0 + 1)-01-01T00:00:00Z'" }
    let full = try read(
      jpeg([exifSegment(exif.bytes), xmp(all.joined(separator: " "))]),
      sidecar: packet(all.joined(separator: " ")))
    #expect(full.dates.map(\.source) == inOrder)
    // One property in each: the sidecar's wins, but that xmp:CreateDate is a weaker source in both.
    for (inFile, embedded) in all.enumerated() {
      for (besideFile, beside) in all.enumerated() {
        let result = try read(jpeg([xmp(embedded)]), sidecar: packet(beside))
        let sidecarWins = besideFile < 2 || inFile == 2
        let year = (sidecarWins ? besideFile : inFile) + 1
        #expect(result.dates.count == 2)
        #expect(result.dates.first?.wallClock.year == 2000 + year, "\(embedded), \(beside)")
        #expect(result.dates.first?.source.name.hasPrefix("sidecar:") == sidecarWins)
      }
    }
  }

  @Test("GPS time gives a sidecar's date its offset, as it does to embedded XMP's")
  func sidecarOffset() throws {
    let gps = TIFFBuilder(gps: [
      (7, .rational([(12, 1), (3, 1), (22, 1)])), (0x1D, .text("2024:05:17")),
    ])
    let file = jpeg([exifSegment(gps.bytes)])
    let taken = try read(file, sidecar: packet("exif:DateTimeOriginal='2024-05-17T14:03:22'"))
    #expect(taken.gpsDerivedOffset?.minutes == 120)
    let created = try read(file, sidecar: packet("photoshop:DateCreated='2024-05-17T14:03:22'"))
    #expect(created.gpsDerivedOffset == nil)
  }

  @Test("a sidecar's place is taken whole or not at all")
  func sidecarPlace() throws {
    let embedded = xmp("exif:GPSLatitude='10,0N' exif:GPSLongitude='20,0E'")
    let half = packet("exif:GPSLatitude='55,30N'")
    let place = try read(jpeg([embedded]), sidecar: half).location
    #expect(place == Location(latitude: 10, longitude: 20, altitude: nil))
    let whole = packet("exif:GPSLatitude='55,30N' exif:GPSLongitude='1,15W'")
    let other = try read(jpeg([embedded]), sidecar: whole).location
    #expect(other == Location(latitude: 55.5, longitude: -1.25, altitude: nil))
  }

  @Test("junk and oversize beside the file change nothing in it")
  func badSidecar() throws {
    let file = jpeg([xmp("exif:DateTimeOriginal='2001-01-01T00:00:00Z'")])
    let dates = try metadata(file).dates
    for sidecar in [[], Array("<".utf8), Array("not markup".utf8), [0, 1, 2, 0xFF]] {
      #expect(try read(file, sidecar: sidecar).dates == dates)
    }
    let long = [UInt8](repeating: 0x20, count: PhotoMetadata.maximumSidecar + 1)
    let result = try read(file, sidecar: long)
    #expect(result.dates == dates)
    #expect(result.warnings.count == 1)
  }

  // MARK: Photoshop

  private var resources: [UInt8] {
    let records: [UInt8] =
      [0x1C, 2, 55, 0, 8] + Array("20240517".utf8) + [0x1C, 2, 60, 0, 11]
      + Array("140322+0200".utf8)
    let other: [UInt8] = Array("8BIM".utf8) + [0x03, 0xED, 0, 0, 0, 0, 0, 2, 1, 2]
    return other + Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(records.count)] + records
  }

  @Test("Photoshop's resources go on in the next segment, wherever they are cut")
  func splitResources() throws {
    let signature = Array("Photoshop 3.0\0".utf8)
    for cut in resources.indices {
      let file = jpeg([
        (0xED, signature + resources[..<cut]), (0xE2, Array("ICC_PROFILE\0".utf8)),
        (0xED, signature + resources[cut...]),
      ])
      #expect(
        try metadata(file).date(.iptcDateCreated) == "2024-05-17T14:03:22.000+02:00", "\(cut)")
    }
    // A damaged first segment does not hide a whole second one.
    let damaged = Array("8BIM".utf8) + [4, 4, 0, 0, 0x7F, 0, 0, 0]
    let file = jpeg([(0xED, signature + damaged), (0xED, signature + resources)])
    #expect(try metadata(file).date(.iptcDateCreated) == "2024-05-17T14:03:22.000+02:00")
  }

  @Test(
    "resources of other programs are stepped over", arguments: ["MeSa", "PHUT", "AgHg", "DCSR"])
  func otherSignatures(name: String) throws {
    let other: [UInt8] = Array(name.utf8) + [0x1B, 0x58, 0, 0, 0, 0, 0, 3, 1, 2, 3, 0]
    #expect(IPTC.dateCandidate(resources: other + resources) != nil)
  }

  @Test(
    "IPTC times in other forms, and impossible ones",
    arguments: [
      ("14:03:22+02:00", "2024-05-17T14:03:22.000+02:00"),
      ("140322-0330", "2024-05-17T14:03:22.000-03:30"),
      ("140322+9900", "2024-05-17T14:03:22.000~"), ("140322Z", "2024-05-17T14:03:22.000Z"),
      ("1403", "2024-05-17T14:03:00.000~"), ("14:03", "2024-05-17T14:03:00.000~"),
      ("1403-0330", "2024-05-17T14:03:00.000-03:30"), ("14:03Z", "2024-05-17T14:03:00.000Z"),
      ("140322 ", "2024-05-17T14:03:22.000~"), ("140322\0\0", "2024-05-17T14:03:22.000~"),
      ("140322.25+0200", "2024-05-17T14:03:22.250+02:00"),
      // What cannot be read or cannot be is as absent as no time.
      ("", "2024-05-17T00:00:00.000~"), ("junk", "2024-05-17T00:00:00.000~"),
      ("14", "2024-05-17T00:00:00.000~"), ("14:", "2024-05-17T00:00:00.000~"),
      ("14:03:", "2024-05-17T00:00:00.000~"), ("14032", "2024-05-17T00:00:00.000~"),
      ("020322 PM", "2024-05-17T00:00:00.000~"), ("250000+0000", "2024-05-17T00:00:00.000~"),
      ("140360+0000", "2024-05-17T00:00:00.000~"), ("146000", "2024-05-17T00:00:00.000~"),
    ])
  func times(time: String, expected: String) throws {
    let records: [UInt8] =
      [0x1C, 2, 55, 0, 8] + Array("20240517".utf8) + [0x1C, 2, 60, 0, UInt8(time.utf8.count)]
      + Array(time.utf8)
    #expect(IPTC.dateCandidate(records: records[...]).map(text) == expected)
  }

  @Test(
    "IPTC dates with blanks, colons or dashes, also where the time stands with them",
    arguments: [
      ("20240517 ", "2024-05-17T14:03:22.000+02:00"),
      (" 20240517", "2024-05-17T14:03:22.000+02:00"),
      ("20240517\0", "2024-05-17T14:03:22.000+02:00"),
      ("2024:05:17", "2024-05-17T14:03:22.000+02:00"),
      ("2024-05-17", "2024-05-17T14:03:22.000+02:00"),
      ("2024-05-17  ", "2024-05-17T14:03:22.000+02:00"),
      ("2024: 5:17", "2024-05-17T14:03:22.000+02:00"),
      ("2024:05:17 10:00:00", "2024-05-17T14:03:22.000+02:00"),
      ("20240500", nil), ("20240000", nil), ("20240532", nil), ("2024", nil), ("2024051", nil),
      ("20240517x", nil), ("202405171", nil), ("2024-05:17", nil), ("2024 05 17", nil), ("", nil),
    ] as [(String, String?)])
  func days(day: String, expected: String?) throws {
    let time: [UInt8] = [0x1C, 2, 60, 0, 11] + Array("140322+0200".utf8)
    let records = [0x1C, 2, 55, 0, UInt8(day.utf8.count)] + Array(day.utf8)
    #expect(IPTC.dateCandidate(records: (records + time)[...]).map(text) == expected)
    // Without the second data set the day is its midnight, or what stands with it.
    let alone = IPTC.dateCandidate(records: records[...]).map(text)
    let clock = day.hasSuffix("10:00:00") ? "10" : "00"
    #expect(alone == expected.map { _ in "2024-05-17T\(clock):00:00.000~" })
  }
}
