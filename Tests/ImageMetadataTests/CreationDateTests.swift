import PhotoModel
import Testing

@testable import ImageMetadata

@Suite("Creation dates")
struct CreationDateTests {
  @Test(
    "dates in file names",
    arguments: [
      ("IMG_20240131_142233.jpg", "2024-01-31T14:22:33.000~"),
      ("IMG_20240131_142233_BURST001.jpg", "2024-01-31T14:22:33.000~"),
      ("IMG_20240131_142233123.jpg", "2024-01-31T14:22:33.123~"),
      ("VID_20240131_142233.png", "2024-01-31T14:22:33.000~"),
      ("20240131_142233.jpg", "2024-01-31T14:22:33.000~"),
      ("20240131_142233(0).jpg", "2024-01-31T14:22:33.000~"),
      ("PXL_20240131_142233123.jpg", "2024-01-31T14:22:33.123Z"),
      ("PXL_20240131_142233123.PORTRAIT.jpg", "2024-01-31T14:22:33.123Z"),
      ("Copy of PXL_20240131_142233123.jpg", "2024-01-31T14:22:33.123Z"),
      ("pxl_20240131_142233123~2.jpg", "2024-01-31T14:22:33.123Z"),
      ("20240131T142233Z.jpg", "2024-01-31T14:22:33.000Z"),
      ("2024-01-31T14:22:33Z.jpg", "2024-01-31T14:22:33.000Z"),
      ("20240131T142233Zoo.jpg", "2024-01-31T14:22:33.000~"),
      ("20240131_142233Z.jpg", "2024-01-31T14:22:33.000~"),
      ("Screenshot_20240131-142233.png", "2024-01-31T14:22:33.000~"),
      ("Screenshot_20240131-142233_Chrome.png", "2024-01-31T14:22:33.000~"),
      ("Screenshot 2024-01-31 at 14.22.33.png", "2024-01-31T14:22:33.000~"),
      ("Screen Shot 2024-01-31 at 2.22.33 PM.png", "2024-01-31T14:22:33.000~"),
      ("Screenshot 2024-01-31 at 12.22.33\u{202F}AM.png", "2024-01-31T00:22:33.000~"),
      ("Screenshot from 2024-01-31 14-22-33.png", "2024-01-31T14:22:33.000~"),
      ("2024-01-31 14.22.33.jpg", "2024-01-31T14:22:33.000~"),
      ("2024-01-31 14.22.33-2.jpg", "2024-01-31T14:22:33.000~"),
      ("photo_2024-01-31_14-22-33.jpg", "2024-01-31T14:22:33.000~"),
      ("signal-2024-01-31-142233.jpg", "2024-01-31T14:22:33.000~"),
      ("Screenshot_2024-01-31-14-22-33-123_com.app.png", "2024-01-31T14:22:33.123~"),
      ("signal-2024-01-31-142233-123.jpg", "2024-01-31T14:22:33.123~"),
      ("signal-2024-01-31-14-22-33-023.jpg", "2024-01-31T14:22:33.023~"),
      ("2024-01-31 14.22.33.123.jpg", "2024-01-31T14:22:33.123~"),
      ("signal-2024-01-31-142233-12.jpg", "2024-01-31T14:22:33.000~"),
      ("signal-2024-01-31-142233-1234.jpg", "2024-01-31T14:22:33.000~"),
      ("signal-2024-01-31-142233_003.jpg", "2024-01-31T14:22:33.000~"),
      ("2024-01-31 14.22.33-123.jpg", "2024-01-31T14:22:33.000~"),
      ("\u{622A}\u{5C4F}2024-01-31 \u{4E0B}\u{5348}2.22.33.png", "2024-01-31T14:22:33.000~"),
      (
        "\u{622A}\u{5716} 2024-01-31 \u{4E0A}\u{5348}12.22.33.png", "2024-01-31T00:22:33.000~"
      ),
      ("2024-01-31 \u{5348}\u{5F8C}2.22.33.png", "2024-01-31T14:22:33.000~"),
      ("2024-01-31 \u{5348}\u{5F8C}0.22.33.png", "2024-01-31T12:22:33.000~"),
      ("2024-01-31 \u{5348}\u{524D} 9.22.33.png", "2024-01-31T09:22:33.000~"),
      ("2024-01-31 \u{C624}\u{D6C4} 2.22.33.png", "2024-01-31T14:22:33.000~"),
      ("2024-01-31 \u{C624}\u{C804} 2.22.33.png", "2024-01-31T02:22:33.000~"),
      ("2024-01-31 2.22.33 \u{C624}\u{D6C4}.png", "2024-01-31T14:22:33.000~"),
      (
        "2024-01-31 \u{110B}\u{1169}\u{1112}\u{116E}\u{202F}2.22.33.png",
        "2024-01-31T14:22:33.000~"
      ),
      (
        "2024-01-31 \u{110B}\u{1169}\u{110C}\u{1165}\u{11AB} 2.22.33.png",
        "2024-01-31T02:22:33.000~"
      ),
      ("2024-01-31 \u{4E0B}\u{5348}14.22.33.png", nil),
      ("2024-01-31 \u{4E0B}2.22.33.png", nil),
      ("IMG-20240131-WA0007.jpg", "2024-01-31T00:00:00.000~"),
      ("WhatsApp Image 2024-01-31 at 14.22.33.jpeg", "2024-01-31T14:22:33.000~"),
      ("WhatsApp Image 2024-01-31 at 14.22.33 (1).jpeg", "2024-01-31T14:22:33.000~"),
      ("VID-20240131-WA0012.jpg", "2024-01-31T00:00:00.000~"),
      ("DJI_20240131142233_0001_D.JPG", "2024-01-31T14:22:33.000~"),
      ("20240131142233123.jpg", "2024-01-31T14:22:33.123~"),
      ("00100lrPORTRAIT_00100_BURST20240131142233123_COVER.jpg", "2024-01-31T14:22:33.123~"),
      ("WIN_20240131_14_22_33_Pro.jpg", "2024-01-31T14:22:33.000~"),
      ("MVIMG_20240131_142233.jpg", "2024-01-31T14:22:33.000~"),
      ("PANO_20240131_142233.jpg", "2024-01-31T14:22:33.000~"),
      ("Resized_20240131_142233.jpeg", "2024-01-31T14:22:33.000~"),
      ("Screenshot 2024-01-31 142233.png", "2024-01-31T14:22:33.000~"),
      ("Bildschirmfoto 2024-01-31 um 14.22.33.png", "2024-01-31T14:22:33.000~"),
      ("Bildschirmfoto vom 2024-01-31 14-22-33.png", "2024-01-31T14:22:33.000~"),
      (
        "Capture d\u{2019}e\u{301}cran 2024-01-31 a\u{300} 14.22.33.png", "2024-01-31T14:22:33.000~"
      ),
      ("Capture d\u{2019}\u{E9}cran 2024-01-31 \u{E0} 14.22.33.png", "2024-01-31T14:22:33.000~"),
      ("Schermata 2024-01-31 alle 14.22.33.png", "2024-01-31T14:22:33.000~"),
      ("Captura de pantalla 2024-01-31 a las 14.22.33.png", "2024-01-31T14:22:33.000~"),
      ("Captura de pantalla 2024-01-31 a la(s) 2.22.33 p.m..png", "2024-01-31T14:22:33.000~"),
      (
        "Captura de pantalla 2024-01-31 a la(s) 12.22.33\u{202F}a.\u{A0}m..png",
        "2024-01-31T00:22:33.000~"
      ),
      ("Captura 2024-01-31 a las 2.22.33\u{A0}p. M.", "2024-01-31T14:22:33.000~"),
      ("2024-01-31 2.22.33 p.jpg", "2024-01-31T02:22:33.000~"),
      ("Schermafbeelding 2024-01-31 om 14.22.33.png", "2024-01-31T14:22:33.000~"),
      ("Sk\u{E6}rmbillede 2024-01-31 kl. 14.22.33.png", "2024-01-31T14:22:33.000~"),
      ("IMG_19690720_201740.jpg", "1969-07-20T20:17:40.000~"),
      ("WIN_20240131_14_22_333.jpg", nil), ("WIN_20240131_14_22.jpg", nil),
      ("12345678901234.jpg", nil), ("20240131142260.jpg", nil), ("2024013114223.jpg", nil),
      ("FB_IMG_1706711353000.jpg", nil), ("2024-01-31 ab 14.22.33.png", nil),
      ("IMG_1220240131_142233.jpg", nil), ("IMG_20240131_1422331.jpg", nil),
      ("IMG_20240131_14223.jpg", nil), ("120240131_142233.jpg", nil),
      ("IMG_20241331_142233.jpg", nil), ("IMG_20240131_252233.jpg", nil), ("IMG_0042.jpg", nil),
      ("DSC01234.jpg", nil), ("20240131.jpg", nil), ("2024-01-31.jpg", nil),
      ("IMG-20240131-WA.jpg", nil), ("1706711353000.jpg", nil), ("2024-01-31 14.22.339.jpg", nil),
      ("2024-01-31 13.22.33 PM.jpg", nil),
      ("2024-01-31 13.22.33 p.m..jpg", nil), ("", nil), ("20240131_", nil), ("2024-01-31 at ", nil),
    ] as [(String, String?)])
  func fileNames(name: String, expected: String?) {
    #expect(FileNameDate.candidate(FileName(name)).map(text) == expected)
  }

  @Test("a name of bytes that are no text")
  func binaryName() {
    let bytes = [UInt8](repeating: 0xFF, count: 200) + Array("20240131_142233".utf8)
    #expect(FileNameDate.candidate(FileName(bytes: bytes)) != nil)
    #expect(FileNameDate.candidate(FileName(bytes: [0xFF, 0xFE, 0])) == nil)
  }

  private func wall(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 12, _ minute: Int = 0
  ) throws -> WallClock {
    try #require(WallClock(year: year, month: month, day: day, hour: hour, minute: minute))
  }

  @Test("Berlin in July is +02:00, in January +01:00")
  func berlin() throws {
    let policy = try CreationDatePolicy(timeZone: "Europe/Berlin")
    #expect(policy.timeZoneName == "Europe/Berlin")
    #expect(policy.offset(at: try wall(2024, 7, 1)).minutes == 120)
    #expect(policy.offset(at: try wall(2024, 1, 1)).minutes == 60)
    // Double summer time in 1945, and none in 1960.
    #expect(policy.offset(at: try wall(1945, 6, 15)).minutes == 180)
    #expect(policy.offset(at: try wall(1960, 7, 1)).minutes == 60)
    // Local mean time was +00:53:28.
    #expect(policy.offset(at: try wall(1880, 7, 1)).minutes == 53)
  }

  @Test("the hour that clocks show twice is the first one, the one that they skip as before")
  func changes() throws {
    let policy = try CreationDatePolicy(timeZone: "Europe/Berlin")
    // 2024-10-27 03:00 becomes 02:00; 2024-03-31 02:00 becomes 03:00.
    #expect(policy.offset(at: try wall(2024, 10, 27, 1, 59)).minutes == 120)
    #expect(policy.offset(at: try wall(2024, 10, 27, 2, 30)).minutes == 120)
    #expect(policy.offset(at: try wall(2024, 10, 27, 3, 0)).minutes == 60)
    #expect(policy.offset(at: try wall(2024, 3, 31, 1, 59)).minutes == 60)
    #expect(policy.offset(at: try wall(2024, 3, 31, 2, 30)).minutes == 60)
    #expect(policy.offset(at: try wall(2024, 3, 31, 3, 0)).minutes == 120)
    let lordHowe = try CreationDatePolicy(timeZone: "Australia/Lord_Howe")
    #expect(lordHowe.offset(at: try wall(2024, 1, 1)).minutes == 660)
    #expect(lordHowe.offset(at: try wall(2024, 7, 1)).minutes == 630)
    let newYork = try CreationDatePolicy(timeZone: "America/New_York")
    #expect(newYork.offset(at: try wall(2024, 11, 3, 1, 30)).minutes == -240)
    #expect(newYork.offset(at: try wall(2024, 3, 10, 2, 30)).minutes == -300)
  }

  @Test("UTC works always, an unknown zone is refused")
  func zones() throws {
    let utc = try CreationDatePolicy(timeZone: "UTC")
    #expect(utc.offset(at: try wall(2024, 7, 1)) == .utc)
    #expect(throws: UnknownTimeZone(name: "Middle-earth/Shire")) {
      try CreationDatePolicy(timeZone: "Middle-earth/Shire")
    }
    #expect(throws: UnknownTimeZone.self) { try CreationDatePolicy(timeZone: "") }
  }

  @Test(
    "the system's zone: TZ, then the link, then the file",
    arguments: [
      ("Asia/Tokyo", "/usr/share/zoneinfo/Europe/Berlin", nil, "Asia/Tokyo"),
      (":Asia/Tokyo", nil, nil, "Asia/Tokyo"),
      (":/usr/share/zoneinfo/Asia/Tokyo", nil, nil, "Asia/Tokyo"),
      ("", "/usr/share/zoneinfo/Europe/Berlin", nil, "UTC"),
      (nil, "/usr/share/zoneinfo/Europe/Berlin", "Asia/Tokyo\n", "Europe/Berlin"),
      (nil, "../usr/share/zoneinfo/posix/Europe/Berlin", nil, "Europe/Berlin"),
      (nil, "/usr/share/zoneinfo/Etc/UTC", nil, "UTC"), (nil, nil, "Asia/Tokyo\n", "Asia/Tokyo"),
      (nil, nil, nil, "UTC"), ("Nowhere/At-All", nil, nil, "UTC"), (nil, "/etc/other", "", "UTC"),
    ] as [(String?, String?, String?, String)])
  func systemZone(variable: String?, link: String?, file: String?, expected: String) {
    let name = ZoneRules.systemName(variable: variable, localtimeLink: link, timezoneFile: file)
    #expect(name == expected)
  }

  @Test("all sources in the order of trust, the first one counts")
  func order() throws {
    let exif = TIFFBuilder(
      main: [(0x0132, .text("2024:06:01 10:00:00"))],
      exif: [(0x9003, .text("0000:00:00 00:00:00")), (0x9004, .text("2024:05:17 14:03:23"))])
    let policy = try CreationDatePolicy(timeZone: "Europe/Berlin")
    let candidates = policy.candidates(
      metadata: try metadata(tiff: exif), fileName: FileName("IMG_20240131_142233.jpg"),
      modificationTime: Instant(nanoseconds: 1_720_000_000_123_456_789))
    #expect(
      candidates.map(\.source)
        == [.exifDateTimeDigitized, .exifDateTime, .fileName, .fileModification])
    // 1720000000 is 2024-07-03T09:46:40Z.
    #expect(text(candidates[3]) == "2024-07-03T11:46:40.123+02:00")
    #expect(candidates[3].wallClock.nanosecond == 123_456_789)
    let chosen = policy.choose(candidates, gpsDerivedOffset: nil)
    #expect(chosen.source == .exifDateTimeDigitized)
    #expect(chosen.rfc3339 == "2024-05-17T14:03:23.000+02:00")
    #expect(!chosen.isOffsetKnown)
  }

  @Test("the offset: its own, else from GPS, else the zone's")
  func offsets() throws {
    let policy = try CreationDatePolicy(timeZone: "Europe/Berlin")
    let clock = try wall(2024, 7, 1)
    let tokyo = try #require(UTCOffset(minutes: 540))
    let own = DateCandidate(source: .exifDateTimeOriginal, wallClock: clock, offset: .utc)
    let none = DateCandidate(source: .exifDateTimeOriginal, wallClock: clock, offset: nil)
    #expect(policy.choose([own], gpsDerivedOffset: tokyo).offset == .utc)
    #expect(policy.choose([own], gpsDerivedOffset: tokyo).isOffsetKnown)
    #expect(policy.choose([none], gpsDerivedOffset: tokyo).offset == tokyo)
    #expect(policy.choose([none], gpsDerivedOffset: tokyo).isOffsetKnown)
    #expect(policy.choose([none], gpsDerivedOffset: nil).offset.minutes == 120)
    #expect(!policy.choose([none], gpsDerivedOffset: nil).isOffsetKnown)
  }

  @Test("a modification time outside the years of photography becomes the nearest inside")
  func extremes() throws {
    let policy = try CreationDatePolicy(timeZone: "Pacific/Auckland")
    for (nanoseconds, year) in [(Int64.min, 1826), (Int64.max, 2099), (0, 1970)] {
      let candidates = policy.candidates(
        metadata: PhotoMetadata(), fileName: FileName("a.jpg"),
        modificationTime: Instant(nanoseconds: nanoseconds))
      #expect(candidates.map(\.wallClock.year) == [year])
      #expect(candidates[0].source == .fileModification)
    }
  }
}
