import ImageMetadata
import PhotoModel
import Testing

@Suite("Dates in text")
struct DateTextTests {
  @Test(
    "forms of EXIF and ISO 8601",
    arguments: [
      ("2024:05:17 14:03:22", "2024-05-17T14:03:22.000~"),
      ("2024-05-17 14:03:22", "2024-05-17T14:03:22.000~"),
      ("2024/05/17 14:03:22", "2024-05-17T14:03:22.000~"),
      (" 2024:05:17  14:03:22 \0\0", "2024-05-17T14:03:22.000~"),
      ("2024-05-17T14:03:22Z", "2024-05-17T14:03:22.000Z"),
      ("2024-05-17T14:03:22.5+02:00", "2024-05-17T14:03:22.500+02:00"),
      ("2024-05-17T14:03:22,25-0730", "2024-05-17T14:03:22.250-07:30"),
      ("2024:05:17 14:03:22.123456789012+05:45", "2024-05-17T14:03:22.123+05:45"),
      ("2024-05-17T14:03+02:00", "2024-05-17T14:03:00.000+02:00"),
      ("2024-05-17T14:03:22+00:00", "2024-05-17T14:03:22.000Z"),
      ("2024-05-17", "2024-05-17T00:00:00.000~"), ("2002:06:20", "2002-06-20T00:00:00.000~"),
      ("2024-05-17 14-03-22", "2024-05-17T14:03:22.000~"),
      ("2024.05.17 14.03.22", "2024-05-17T14:03:22.000~"),
      ("2024-05-17T14-03-22.5-07:00", "2024-05-17T14:03:22.500-07:00"),
      ("1969:07:20 20:17:40", "1969-07-20T20:17:40.000~"),
      ("2024:02:29 23:59:59", "2024-02-29T23:59:59.000~"),
      ("1826:01:01 00:00:00", "1826-01-01T00:00:00.000~"),
      ("2099:12:31 23:59:59", "2099-12-31T23:59:59.000~"),
    ])
  func valid(given: String, expected: String) throws {
    let date = try #require(DateText(given))
    let candidate = DateCandidate(
      source: .xmpCreateDate, wallClock: date.wallClock, offset: date.offset)
    #expect(text(candidate) == expected)
  }

  @Test(
    "what is no whole, possible date is absent, never a date with made-up parts",
    arguments: [
      "", "    :  :     :  :  ", "0000:00:00 00:00:00", "\0\0\0\0", "2024", "2024-05", "2024-05-",
      "2024:13:01 00:00:00", "2024:00:10 00:00:00", "2023:02:29 12:00:00", "2024:04:31 12:00:00",
      "2024:05:17 24:00:00", "2024:05:17 12:60:00", "2024:05:17 12:00:60", "1825:12:31 00:00:00",
      "2100:01:01 00:00:00", "9999:99:99 99:99:99", "12:05:07", "120507", "2024:05:17 14",
      "2024:05:17 14:03:  ", "2024:05:17 14:  :  ", "2024-05-17T", "2024:05-17 14:03:22",
      "2024:05:17 14:03:22 Uhr", "2024:05:17 14:03:22+25:00", "2024:05:17 14:03:22+02:75",
      "<?php phpinfo(); ?>", "2024:05:17 14:03:22; DROP TABLE asset", "17.05.2024 14:03:22",
      "٢٠٢٤:٠٥:١٧ ١٤:٠٣:٢٢", "1700000000", "-2024:05:17 14:03:22",
      "24:05:17 14:03:22", "05/17/24 14:03:22", "2024:05:17 14-03", "2024:05:17 14.03",
      "2024-05-17 14:03-22", "2024:05:17 14-03:22", "2024: 5:17 14:03:22", "2024:05:17 14:03:2",
    ])
  func invalid(given: String) {
    #expect(DateText(given) == nil)
  }

  @Test(
    "sub-seconds are a decimal fraction of any length, junk is none",
    arguments: [
      ("5", 500_000_000), ("05", 50_000_000), ("094772", 94_772_000), ("178406", 178_406_000),
      ("1234567899", 123_456_789), ("00", 0), (" 25 ", 250_000_000), ("7\0x", 700_000_000),
      ("", nil), ("  ", nil), ("abc", nil), ("-5", nil), ("12a", 120_000_000),
    ] as [(String, Int?)])
  func fraction(given: String, expected: Int?) throws {
    let date = DateText("2024:05:17 14:03:22", fraction: given)
    #expect(date?.wallClock.nanosecond == expected ?? 0)
  }

  @Test(
    "offset tags of whole minutes",
    arguments: [
      ("+02:00", 120), ("-05:30", -330), ("+05:45", 345), ("Z", 0), ("+00:00", 0), ("-00:00", 0),
      (" +02:00 ", 120), ("+0200", 120), ("+18:00", 1080), ("+18:01", nil), ("02:00", nil),
      ("   :  ", nil), ("", nil), ("+2:00", nil), ("+02:60", nil), ("+02:00:30", nil), ("CET", nil),
    ] as [(String, Int?)])
  func offset(given: String, expected: Int?) throws {
    let block = TIFFBuilder(exif: [
      (0x9003, .text("2024:05:17 14:03:22")), (0x9011, .text(given)),
    ])
    let date = try #require(
      try metadata(tiff: block).dates.first { $0.source == .exifDateTimeOriginal })
    #expect(date.offset?.minutes == expected)
  }

  @Test("each offset goes with its own date")
  func ownOffset() throws {
    let block = TIFFBuilder(
      main: [(0x0132, .text("2024:01:01 08:00:00"))],
      exif: [(0x9003, .text("2024:07:01 12:00:00")), (0x9010, .text("+01:00"))])
    let result = try metadata(tiff: block)
    #expect(result.date(.exifDateTimeOriginal) == "2024-07-01T12:00:00.000~")
    #expect(result.date(.exifDateTime) == "2024-01-01T08:00:00.000+01:00")
  }

  @Test(
    "PNG Creation Time, in the form of mail, of the C library, ISO and EXIF",
    arguments: [
      ("Fri, 17 May 2024 14:03:22 +0200", "2024-05-17T14:03:22.000+02:00"),
      ("Fri 17 May 2024 14:03:22 GMT", "2024-05-17T14:03:22.000Z"),
      ("7 May 2024 14:03:22 EST", "2024-05-07T14:03:22.000-05:00"),
      ("17 May 2024 14:03 +0000", "2024-05-17T14:03:00.000Z"),
      ("Fri May 17 14:03:22 2024", "2024-05-17T14:03:22.000~"),
      ("Fri May  7 14:03:22 2024\n", "2024-05-07T14:03:22.000~"),
      ("2024-05-17T14:03:22.5+02:00", "2024-05-17T14:03:22.500+02:00"),
      ("2024:05:17 14:03:22", "2024-05-17T14:03:22.000~"),
      ("17 May 94 14:03:22 GMT", nil), ("Fri, 31 Apr 2024 14:03:22 GMT", nil), ("yesterday", nil),
      ("Fri, 17 Mai 2024 14:03:22 +0200", nil), ("", nil), ("May", nil), ("Fri, ", nil),
    ] as [(String, String?)])
  func creationTime(given: String, expected: String?) throws {
    let tEXt = png([("tEXt", Array("Creation Time\0".utf8) + Array(given.utf8))])
    #expect(try metadata(tEXt).date(.pngCreationTime) == expected)
    let prefix = Array("Creation Time".utf8) + [0, 0, 0, 0, 0]
    let iTXt = png([("iTXt", prefix + Array(given.utf8))])
    #expect(try metadata(iTXt).date(.pngCreationTime) == expected)
  }

  @Test("PNG tIME is UTC; an impossible one is absent")
  func time() throws {
    let good = png([("tIME", [0x07, 0xE8, 5, 17, 14, 3, 22])])
    #expect(try metadata(good).date(.pngTime) == "2024-05-17T14:03:22.000Z")
    for bytes: [UInt8] in [
      [7, 0xE8, 0, 17, 0, 0, 0], [7, 0xE8, 5, 17, 14, 3, 60], [7, 0xE8], [],
    ] {
      #expect(try metadata(png([("tIME", bytes)])).date(.pngTime) == nil)
    }
  }
}
