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
      // A blank for a zero in front, as C's %2d writes it.
      ("2020:03:04  5:06:07", "2020-03-04T05:06:07.000~"),
      ("2020:03:04 5:06:07", "2020-03-04T05:06:07.000~"),
      ("2020: 3: 4  5: 6: 7", "2020-03-04T05:06:07.000~"),
      ("2020-03-04T 5:06:07Z", "2020-03-04T05:06:07.000Z"),
      ("2020: 3: 4", "2020-03-04T00:00:00.000~"),
      // NULs between day and time; behind the time they end the text.
      ("2020:03:04\0 05:06:07", "2020-03-04T05:06:07.000~"),
      ("2020:03:04\u{0}05:06:07", "2020-03-04T05:06:07.000~"),
      ("2020:03:04\0\0 5:06:07\0junk", "2020-03-04T05:06:07.000~"),
      ("2020:03:04\0\0\0", "2020-03-04T00:00:00.000~"),
      // An offset that no clock has, or that cannot be, costs only itself.
      ("2024:05:17 14:03:22+25:00", "2024-05-17T14:03:22.000~"),
      ("2024:05:17 14:03:22+02:75", "2024-05-17T14:03:22.000~"),
      ("2024-05-17T14:03:22-12:15", "2024-05-17T14:03:22.000~"),
      ("2024-05-17T14:03:22+14:00", "2024-05-17T14:03:22.000+14:00"),
      ("2024-05-17T14:03:22+5:45", "2024-05-17T14:03:22.000+05:45"),
      ("2024-05-17T14:03:22 +0545", "2024-05-17T14:03:22.000+05:45"),
      ("2024-05-17T14:03:22+05", "2024-05-17T14:03:22.000+05:00"),
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
      "2024:05:17 14:03:22 Uhr", "2024:05:17 14:03:22+545", "2024:05:17 14:03:22+02:7",
      "2024:05:17\0junk", "2024:05:17\u{0}14", "2024:05:17  :  :  ", "2024:  :17 14:03:22",
      "2024:05:17 14:03:22+", "2024:05:17 14:03:22 CET", "2024:05:17 14: :22",
      "<?php phpinfo(); ?>", "2024:05:17 14:03:22; DROP TABLE asset", "17.05.2024 14:03:22",
      "٢٠٢٤:٠٥:١٧ ١٤:٠٣:٢٢", "1700000000", "-2024:05:17 14:03:22",
      "24:05:17 14:03:22", "05/17/24 14:03:22", "2024:05:17 14-03", "2024:05:17 14.03",
      "2024-05-17 14:03-22", "2024:05:17 14-03:22", "2024:05:17 14:03:2",
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
      (" +02:00 ", 120), ("+0200", 120), ("+14:00", 840), ("-12:00", -720), ("+5:45", 345),
      ("-3:30", -210), ("+0545", 345), ("+05", 300), ("-9", -540), ("+14:01", nil),
      ("+14:15", nil), ("-12:15", nil), ("+15:59", nil), ("-18:00", nil), ("+99:99", nil),
      ("+9900", nil), ("02:00", nil), ("+545", nil), ("+02:0", nil), ("+05450", nil), ("+", nil),
      ("   :  ", nil), ("", nil), ("+02:60", nil), ("+02:00:30", nil), ("CET", nil),
    ] as [(String, Int?)])
  func offset(given: String, expected: Int?) throws {
    let block = TIFFBuilder(exif: [
      (0x9003, .text("2024:05:17 14:03:22")), (0x9011, .text(given)),
    ])
    let date = try #require(
      try metadata(tiff: block).dates.first { $0.source == .exifDateTimeOriginal })
    #expect(date.offset?.minutes == expected)
    #expect(
      date.wallClock == WallClock(year: 2024, month: 5, day: 17, hour: 14, minute: 3, second: 22))
  }

  @Test(
    "EXIF dates with NULs between day and time",
    arguments: [
      ("2020:03:04\0 05:06:07", "2020-03-04T05:06:07.000~"),
      ("2020:03:04\u{0}05:06:07", "2020-03-04T05:06:07.000~"),
      ("2020:03:04 \u{0}05:06:07", "2020-03-04T05:06:07.000~"),
      ("2020:03:04 05:06:07\0junk", "2020-03-04T05:06:07.000~"),
      ("2020:03:04\0\0\0\0\0\0\0\0\0", "2020-03-04T00:00:00.000~"),
      ("2020:03:04\0 junk", nil), ("2020:03:04\0 05", nil), ("2020:03\u{0}04 05:06:07", nil),
    ] as [(String, String?)])
  func nuls(given: String, expected: String?) throws {
    let block = TIFFBuilder(
      main: [(0x0132, .text(given))], exif: [(0x9003, .text(given)), (0x9004, .text(given))])
    let result = try metadata(tiff: block)
    for source: DateSource in [.exifDateTimeOriginal, .exifDateTimeDigitized, .exifDateTime] {
      #expect(result.date(source) == expected)
    }
  }

  // exiftool prints these values so, and takes the digits behind the decimal point.
  @Test("sub-seconds that are numbers count by their decimal digits")
  func numericFraction() throws {
    let values: [(TIFFBuilder.Value, Int)] = [
      (.short([5]), 500_000_000), (.short([50]), 500_000_000), (.long([123_456]), 123_456_000),
      (.short([0]), 0), (.long([4_000_000_000]), 400_000_000), (.text("05"), 50_000_000),
      // A signed number below zero is none.
      (.raw(9, 1, [0xFB, 0xFF, 0xFF, 0xFF]), 0),
    ]
    for (value, nanosecond) in values {
      let block = TIFFBuilder(
        main: [(0x0132, .text("2024:05:17 14:03:22"))],
        exif: [
          (0x9003, .text("2024:05:17 14:03:22")), (0x9004, .text("2024:05:17 14:03:22")),
          (0x9290, value), (0x9291, value), (0x9292, value),
        ])
      let dates = try metadata(tiff: block).dates
      #expect(dates.map(\.wallClock.nanosecond) == [nanosecond, nanosecond, nanosecond])
    }
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
      // `date`, with and without AM and PM, in the C locale and others, and with zones that have no letters.
      ("Wed Mar  4 05:06:07 CET 2020", "2020-03-04T05:06:07.000~"),
      ("Wed Mar  4 05:06:07 UTC 2020\n", "2020-03-04T05:06:07.000Z"),
      ("Wed Mar  4 05:06:07 PDT 2020", "2020-03-04T05:06:07.000-07:00"),
      ("Wed Mar  4 05:06:07 +0545 2020", "2020-03-04T05:06:07.000+05:45"),
      ("Wed Mar  4 05:06:07 +03 2020", "2020-03-04T05:06:07.000+03:00"),
      ("Wed Mar  4 05:06:07 AM CET 2020", "2020-03-04T05:06:07.000~"),
      ("Wed 04 Mar 2020 05:06:07 AM CET", "2020-03-04T05:06:07.000~"),
      ("Wed 04 Mar 2020 05:06:07 PM GMT", "2020-03-04T17:06:07.000Z"),
      ("Wed 04 Mar 2020 12:06:07 AM CEST", "2020-03-04T00:06:07.000~"),
      ("Wed 04 Mar 2020 12:06:07 PM", "2020-03-04T12:06:07.000~"),
      ("Wed  4 Mar 05:06:07 CET 2020", nil),
      // RFC 822, 850, 1123 and 5322.
      ("4 Mar 2020 05:06:07 GMT", "2020-03-04T05:06:07.000Z"),
      ("Wed, 04 Mar 2020 05:06:07 +0100", "2020-03-04T05:06:07.000+01:00"),
      ("Wed, 4 Mar 2020 05:06 UT", "2020-03-04T05:06:00.000Z"),
      ("Wed, 04 Mar 2020 05:06:07 +0100 (CET)", "2020-03-04T05:06:07.000+01:00"),
      ("Wednesday, 04-Mar-2020 05:06:07 GMT", "2020-03-04T05:06:07.000Z"),
      ("Wed, 04 Mar 2020 05:06:07 A", "2020-03-04T05:06:07.000~"),
      ("Wed, 04 Mar 2020 05:06:07 +2500", "2020-03-04T05:06:07.000~"),
      ("March 4, 2020 5:06:07 PM", "2020-03-04T17:06:07.000~"),
      // ISO 8601 and its like, also with the name of a zone.
      ("2020-03-04T05:06:07Z", "2020-03-04T05:06:07.000Z"),
      ("2020-03-04 05:06:07 +0100", "2020-03-04T05:06:07.000+01:00"),
      ("2020-03-04 05:06:07 UTC", "2020-03-04T05:06:07.000Z"),
      ("2020-03-04 05:06:07 CET", "2020-03-04T05:06:07.000~"),
      ("2020-03-04", "2020-03-04T00:00:00.000~"),
      ("2020-03-04 05:06:07 PM", nil), ("Wed Mar  4 13:06:07 PM 2020", nil),
      ("Wed Mar  4 05:06:07 Uhr 2020", nil), ("Wed Mar  4 05:06:07", nil),
      ("Wed Mar  4 05:06:60 CET 2020", nil), ("Wed Mar  4 2020", nil),
      ("4 Mar 2020 05:06:07 GMT junk", nil), ("4 Mar 2020 05:06:07 ABCDEF", nil),
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
