import Glibc
import ImageMetadata
import PhotoModel
import Testing

@Suite("Time zone and locale of the process")
struct SurroundingsTests {
  /// What a picture without offsets, a picture with GPS time and a name give, in one text.
  static func reading() throws -> String {
    let plain = TIFFBuilder(exif: [
      (0x9003, .text("2024:03:31 02:30:00")), (0x9291, .text("5")),
    ])
    let placed = TIFFBuilder(
      exif: [(0x9003, .text("2024:05:17 14:03:22"))],
      gps: [
        (1, .text("N")), (2, .rational([(10, 1), (305, 10), (0, 1)])), (3, .text("W")),
        (4, .rational([(20, 1), (15, 1), (9, 2)])),
        (7, .rational([(19, 1), (33, 1), (225, 10)])), (0x1D, .text("2024:05:17")),
      ])
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="55,30.75N"
       exif:GPSLongitude="1,15.5W" exif:DateTimeOriginal="2009-05-17T14:03:22.50"/></rdf:RDF>
      </x:xmpmeta>
      """
    let policy = try CreationDatePolicy(timeZone: "Asia/Kolkata")
    let files = [
      jpeg([exifSegment(plain.bytes)]), jpeg([exifSegment(placed.bytes)]),
      jpeg([xmpSegment(packet)]), png([]),
    ]
    return try files.map { file in
      let metadata = try metadata(file)
      let dates = policy.candidates(
        metadata: metadata, fileName: FileName("Screenshot 2024-01-31 at 2.22.33 PM.png"),
        modificationTime: Instant(nanoseconds: 0))
      let date = policy.choose(dates, gpsDerivedOffset: metadata.gpsDerivedOffset)
      let place = metadata.location.map { "\($0.latitude) \($0.longitude)" } ?? "-"
      return "\(date.source.name) \(date.rfc3339) \(place)"
    }.joined(separator: "\n")
  }

  @Test("dates and places are the same under every time zone and locale")
  func independence() async {
    // In a process of its own: the environment is the whole process's.
    await #expect(processExitsWith: .success) {
      let expected = """
        exif:DateTimeOriginal 2024-03-31T02:30:00.500+05:30 -
        exif:DateTimeOriginal 2024-05-17T14:03:22.000-05:30 10.508333333333333 -20.25125
        xmp:exif:DateTimeOriginal 2009-05-17T14:03:22.500+05:30 55.5125 -1.2583333333333333
        fileName 2024-01-31T14:22:33.000+05:30 -
        """
      for zone in ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati"] {
        for locale in ["C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_SA.UTF-8"] {
          unsafe setenv("TZ", zone, 1)
          unsafe setenv("LC_ALL", locale, 1)
          tzset()
          // Where a locale is not installed, only what looks at the environment sees it.
          _ = unsafe setlocale(LC_ALL, "")
          let found = try SurroundingsTests.reading()
          #expect(found == expected, "\(zone), \(locale)")
        }
      }
    }
  }
}
