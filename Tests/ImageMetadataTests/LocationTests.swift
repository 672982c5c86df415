import ImageMetadata
import PhotoModel
import Testing

@Suite("Place and GPS time")
struct LocationTests {
  private typealias Parts = [(UInt32, UInt32)]

  private func gps(
    latitude: [(UInt32, UInt32)] = [(10, 1), (30, 1), (0, 1)], latitudeRef: String? = "N",
    longitude: [(UInt32, UInt32)] = [(20, 1), (0, 1), (36, 1)], longitudeRef: String? = "E"
  ) throws -> Location? {
    var entries: [TIFFBuilder.Entry] = [(2, .rational(latitude)), (4, .rational(longitude))]
    if let latitudeRef { entries.append((1, .text(latitudeRef))) }
    if let longitudeRef { entries.append((3, .text(longitudeRef))) }
    return try metadata(tiff: TIFFBuilder(gps: entries)).location
  }

  @Test("degrees, minutes and seconds, the hemisphere from its letter")
  func degrees() throws {
    #expect(try gps() == Location(latitude: 10.5, longitude: 20.01))
    #expect(
      try gps(latitudeRef: "S", longitudeRef: "W") == Location(latitude: -10.5, longitude: -20.01))
    #expect(try gps(latitude: [(105, 10)]) == Location(latitude: 10.5, longitude: 20.01))
    #expect(try gps(latitude: [(0, 1), (0, 1), (0, 1)])?.latitude == 0)
  }

  @Test("0/0, out of range, or no letter: no place")
  func absent() throws {
    #expect(try gps(latitude: [(0, 0), (0, 0), (0, 0)]) == nil)
    #expect(try gps(longitude: [(20, 1), (0, 0), (0, 1)]) == nil)
    #expect(try gps(latitude: [(91, 1), (0, 1), (0, 1)]) == nil)
    #expect(try gps(longitude: [(180, 1), (1, 1), (0, 1)]) == nil)
    #expect(try gps(latitudeRef: nil) == nil)
    #expect(try gps(longitudeRef: "X") == nil)
    #expect(try gps(latitude: [(10, 1), (0, 1), (0, 1), (0, 1)]) == nil)
  }

  private func dates(
    original: String, offset: String? = nil, gpsDate: String = "2024:05:17",
    time: [(UInt32, UInt32)]
  ) throws -> PhotoMetadata {
    var exif: [TIFFBuilder.Entry] = [(0x9003, .text(original))]
    if let offset { exif.append((0x9011, .text(offset))) }
    return try metadata(
      tiff: TIFFBuilder(exif: exif, gps: [(7, .rational(time)), (0x1D, .text(gpsDate))]))
  }

  @Test(
    "the offset from GPS time: within 3 minutes of a quarter hour, -12:00 to +14:00",
    arguments: [
      ("2024:05:17 14:00:00", 12, 0, 120), ("2024:05:17 14:02:59", 12, 0, 120),
      ("2024:05:17 13:57:01", 12, 0, 120), ("2024:05:17 14:04:00", 12, 0, nil),
      ("2024:05:17 06:30:10", 12, 0, -330), ("2024:05:17 17:45:00", 12, 0, 345),
      ("2024:05:18 01:00:00", 11, 0, 840), ("2024:05:18 01:15:00", 11, 0, nil),
      ("2024:05:16 23:00:00", 11, 0, -720), ("2024:05:16 22:45:00", 11, 0, nil),
      ("2024:05:17 12:00:00", 12, 0, 0),
    ] as [(String, UInt32, UInt32, Int?)])
  func derived(original: String, hour: UInt32, minute: UInt32, expected: Int?) throws {
    let result = try dates(original: original, time: [(hour, 1), (minute, 1), (0, 1)])
    #expect(result.gpsDerivedOffset?.minutes == expected)
  }

  @Test("an own offset needs none from GPS; impossible GPS times are absent")
  func absentTimes() throws {
    let noon: [(UInt32, UInt32)] = [(12, 1), (0, 1), (0, 1)]
    let original = "2024:05:17 14:00:00"
    #expect(try dates(original: original, offset: "+02:00", time: noon).gpsDerivedOffset == nil)
    #expect(try dates(original: original, gpsDate: "0000:00:00", time: noon).date(.gps) == nil)
    #expect(try dates(original: original, time: [(24, 1), (0, 1), (0, 1)]).date(.gps) == nil)
    #expect(try dates(original: original, time: [(0, 0), (0, 0), (0, 0)]).date(.gps) == nil)
    #expect(try dates(original: original, time: [(12, 1), (0, 1), (60, 1)]).date(.gps) == nil)
    #expect(try dates(original: original, time: [(12, 1), (0, 1)]).date(.gps) == nil)
    let largest = UInt32.max
    let text = try dates(original: original, time: [(12, 1), (0, 1), (largest, largest)]).date(.gps)
    #expect(text == "2024-05-17T12:00:01.000Z")
  }

  @Test("GPS gives an offset to dates of taking only, the most trusted one")
  func derivedSources() throws {
    let gps: [TIFFBuilder.Entry] = [
      (7, .rational([(12, 1), (0, 1), (0, 1)])), (0x1D, .text("2024:05:17")),
    ]
    let digitized = TIFFBuilder(exif: [(0x9004, .text("2024:05:17 14:00:30"))], gps: gps)
    #expect(try metadata(tiff: digitized).gpsDerivedOffset?.minutes == 120)
    // Of an edit a year later, by chance at a quarter hour.
    let edited = TIFFBuilder(
      main: [(0x0132, .text("2024:05:17 18:00:00"))],
      exif: [(0x9003, .text("0000:00:00 00:00:00"))], gps: gps)
    let result = try metadata(tiff: edited)
    #expect(result.gpsDerivedOffset == nil)
    let policy = try CreationDatePolicy(timeZone: "UTC")
    let chosen = policy.choose(result.dates, gpsDerivedOffset: UTCOffset(minutes: 120))
    #expect(chosen.source == .exifDateTime)
    #expect(!chosen.isOffsetKnown)
  }

  @Test("XMP coordinates, in its own form and as fractions")
  func xmp() throws {
    func place(_ latitude: String, _ longitude: String) throws -> Location? {
      let packet = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
         xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="\(latitude)"
         exif:GPSLongitude="\(longitude)" exif:GPSAltitude="1250/100"
         exif:GPSAltitudeRef="1"/></rdf:RDF></x:xmpmeta>
        """
      return try metadata(jpeg([xmpSegment(packet)])).location
    }
    let expected = Location(latitude: 55.5, longitude: -1.25, altitude: -12.5)
    #expect(try place("55,30N", "1,15.0W") == expected)
    #expect(try place("55,30,0N", "1,15,0W") == expected)
    #expect(try place("55/1,30/1,0/1N", "1/1 15/1W") == expected)
    #expect(try place("55,30", "1,15W") == nil)
    #expect(try place("0/0,0/0N", "1,15W") == nil)
    #expect(try place("nanN", "infE") == nil)
    #expect(try place("95,0N", "1,15W") == nil)
  }
}
