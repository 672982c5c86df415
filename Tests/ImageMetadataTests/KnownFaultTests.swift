import ImageContainer
import ImageMetadata
import PhotoModel
import Testing

/// A fault that users met in other photo programs: a file that shows it, and what is right.
struct KnownFault: Sendable, CustomTestStringConvertible {
  /// The right behaviour, in a sentence.
  let kind: String
  let file: [UInt8]
  var name = "a.jpg"
  /// Some of what is read, by the names of `Reading`.
  let expected: [String: String]

  var testDescription: String { kind }
}

@Suite("Faults known from other programs")
struct KnownFaultTests {
  /// 2024-07-03T09:46:40Z, when all of these files were written.
  private static let modified = Instant(nanoseconds: 1_720_000_000_000_000_000)

  /// What a file gives, in texts: the date that counts with its source (`~` for an offset that the file
  /// does not name), the orientation, the place, the camera, the format.
  private func reading(_ fault: KnownFault) throws -> [String: String] {
    let source = MemoryByteSource(fault.file)
    let structure = try ImageStructure.scanHeaders(source)
    let metadata = PhotoMetadata.read(source, structure: structure)
    let policy = try CreationDatePolicy(timeZone: "Asia/Tokyo")
    let candidates = policy.candidates(
      metadata: metadata, fileName: FileName(fault.name), modificationTime: Self.modified)
    let date = policy.choose(candidates, gpsDerivedOffset: metadata.gpsDerivedOffset)
    let clock = date.isOffsetKnown ? date.rfc3339 : String(date.rfc3339.dropLast(6)) + "~"
    let size = metadata.orientation.displayedSize(of: PixelSize(width: 3, height: 2))
    return [
      "date": "\(date.source.name) \(clock)",
      "nanosecond": "\(date.wallClock.nanosecond)",
      "orientation": "\(metadata.orientation.rawValue)",
      "shown": "\(size.width)x\(size.height)",
      "place": metadata.location.map { "\($0.latitude) \($0.longitude)" } ?? "none",
      "make": metadata.camera?.make ?? "none",
      "model": metadata.camera?.model ?? "none",
      "format": structure.format == .png ? "png" : "jpeg",
    ]
  }

  @Test("the right answer on a file that shows the fault", arguments: faults)
  func right(fault: KnownFault) throws {
    let reading = try reading(fault)
    for (name, value) in fault.expected { #expect(reading[name] == value, "\(name)") }
  }

  @Test("the last day of every month is itself, and the day behind it is none, whatever today is")
  func monthEnds() {
    for (index, days) in [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
      let month = index < 9 ? "0\(index + 1)" : "\(index + 1)"
      let last = DateText("2024:\(month):\(days) 23:59:59")?.wallClock
      #expect(last?.month == index + 1)
      #expect(last?.day == days)
      #expect(DateText("2024:\(month):\(days + 1) 00:00:00") == nil)
    }
    #expect(DateText("2023:02:29 00:00:00") == nil)
    #expect(DateText("2100:02:29 00:00:00") == nil)
  }

  @Test("frames of a burst are in the order of their sub-seconds, whose zeros in front count")
  func burst() throws {
    let instants = try ["094772", "178406", "5", "52", "9"].map { fraction in
      let block = TIFFBuilder(exif: [
        (0x9003, .text("2023:08:12 10:00:00")), (0x9291, .text(fraction)),
        (0x9011, .text("+02:00")),
      ])
      let dates = try metadata(tiff: block).dates
      return try #require(dates.first).wallClock.nanosecondsSince1970
    }
    #expect(instants == instants.sorted())
    #expect(Set(instants).count == 5)
    #expect(instants.map { $0 % 1_000_000_000 }.first == 94_772_000)
  }

  @Test("names are bytes: composed and decomposed letters, and what is no UTF-8, are kept and read")
  func names() throws {
    let composed = FileName("\u{E9}t\u{E9}_20240131_142233.jpg")
    let decomposed = FileName("e\u{301}te\u{301}_20240131_142233.jpg")
    let latin = FileName(bytes: [0xE9, 0x74, 0xE9, 0x5F] + Array("20240131_142233.jpg".utf8))
    #expect(composed != decomposed)
    #expect(latin.bytes.count == 23)
    #expect(!latin.isValidUTF8)
    let policy = try CreationDatePolicy(timeZone: "UTC")
    for name in [composed, decomposed, latin] {
      let dates = policy.candidates(
        metadata: PhotoMetadata(), fileName: name, modificationTime: Self.modified)
      #expect(dates.map(\.source) == [.fileName, .fileModification])
      #expect(text(dates[0]) == "2024-01-31T14:22:33.000~")
    }
  }
}

extension KnownFaultTests {
  private static func camera(
    main: [TIFFBuilder.Entry] = [], exif: [TIFFBuilder.Entry]? = nil,
    gps: [TIFFBuilder.Entry]? = nil
  ) -> [UInt8] {
    jpeg([exifSegment(TIFFBuilder(main: main, exif: exif, gps: gps).bytes)])
  }

  /// Photoshop's resources with IPTC records: number and text of each.
  private static func iptc(_ sets: [(UInt8, String)]) -> (marker: UInt8, payload: [UInt8]) {
    var records: [UInt8] = []
    for (number, text) in sets {
      records += [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    let head = Array("Photoshop 3.0\08BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(records.count)]
    return (0xED, head + records)
  }

  private static let taken = "2024:05:17 14:03:22"
  private static let fileTime = "fileModification 2024-07-03T18:46:40.000+09:00"
  private static let degrees: [TIFFBuilder.Entry] = [
    (2, .rational([(10, 1), (30, 1), (0, 1)])), (4, .rational([(20, 1), (15, 1), (0, 1)])),
  ]

  static let faults: [KnownFault] = dates + offsets + places + orientations + texts + types

  private static let dates: [KnownFault] = [
    KnownFault(
      kind: "zeros in all three dates, of a camera whose clock is dead: the file's time counts",
      file: camera(
        main: [(0x0132, .text("0000:00:00 00:00:00"))],
        exif: [
          (0x9003, .text("0000:00:00 00:00:00")), (0x9004, .text("0000:00:00 00:00:00")),
        ]), expected: ["date": fileTime]),
    KnownFault(
      kind: "blanks for a date are none, and the next source is asked",
      file: camera(
        exif: [(0x9003, .text("    :  :     :  :  ")), (0x9004, .text(taken))]),
      expected: ["date": "exif:DateTimeDigitized 2024-05-17T14:03:22.000~"]),
    KnownFault(
      kind: "a factory default in DateTimeDigitized does not win over DateTimeOriginal",
      file: camera(
        main: [(0x0132, .text("2020:01:01 00:00:00"))],
        exif: [(0x9003, .text("2017:06:18 11:12:13")), (0x9004, .text("2002:01:01 00:00:00"))]),
      expected: ["date": "exif:DateTimeOriginal 2017-06-18T11:12:13.000~"]),
    KnownFault(
      kind: "the date of the last change is asked last of the three",
      file: camera(main: [(0x0132, .text(taken))], exif: [(0x9004, .text("2010:01:01 00:00:00"))]),
      expected: ["date": "exif:DateTimeDigitized 2010-01-01T00:00:00.000~"]),
    KnownFault(
      kind: "a PNG file without metadata has the time of its last change, as a weak source",
      file: png([]), name: "a.png", expected: ["date": fileTime]),
    KnownFault(
      kind: "a time of day alone is no date", file: jpeg([iptc([(60, "120507+0000")])]),
      expected: ["date": fileTime]),
    KnownFault(
      kind: "a time of day in a field for dates is no date",
      file: camera(exif: [(0x9003, .text("12:05:07"))]), expected: ["date": fileTime]),
    KnownFault(
      kind: "a year that is none of photography's is no date",
      file: camera(exif: [(0x9003, .text("0012:05:07 00:00:00"))]), expected: ["date": fileTime]),
    KnownFault(
      kind: "EXIF's date comes before IPTC's",
      file: jpeg([
        iptc([(55, "20100101")]),
        exifSegment(TIFFBuilder(exif: [(0x9003, .text(taken))]).bytes),
      ]), expected: ["date": "exif:DateTimeOriginal 2024-05-17T14:03:22.000~"]),
    KnownFault(
      kind: "a date in an encoding of two bytes a letter is absent, and not the first of its month",
      file: camera(
        exif: [(0x9003, .raw(2, 38, taken.utf8.flatMap { [$0, 0] as [UInt8] }))]),
      expected: ["date": fileTime]),
    KnownFault(
      kind: "of a month alone no day is made up", file: camera(exif: [(0x9003, .text("2024:05"))]),
      expected: ["date": fileTime]),
    KnownFault(
      kind: "a sub-second's zeros in front count",
      file: camera(exif: [(0x9003, .text(taken)), (0x9291, .text("094772"))]),
      expected: ["nanosecond": "94772000"]),
  ]

  private static let offsets: [KnownFault] = [
    KnownFault(
      kind: "the offset of the last change is not that of the photograph",
      file: camera(
        main: [(0x0132, .text("2024:01:05 08:00:00"))],
        exif: [
          (0x9003, .text("2023:07:01 12:00:00")), (0x9010, .text("+01:00")),
          (0x9011, .text("+02:00")),
        ]), expected: ["date": "exif:DateTimeOriginal 2023-07-01T12:00:00.000+02:00"]),
    KnownFault(
      kind: "nor is it where the photograph has none of its own",
      file: camera(exif: [(0x9003, .text("2023:07:01 12:00:00")), (0x9010, .text("+01:00"))]),
      expected: ["date": "exif:DateTimeOriginal 2023-07-01T12:00:00.000~"]),
    KnownFault(
      kind: "a negative offset with half an hour",
      file: camera(exif: [(0x9003, .text(taken)), (0x9011, .text("-05:30"))]),
      expected: ["date": "exif:DateTimeOriginal 2024-05-17T14:03:22.000-05:30"]),
    KnownFault(
      kind: "an offset with three quarters of an hour",
      file: camera(exif: [(0x9003, .text(taken)), (0x9011, .text("+12:45"))]),
      expected: ["date": "exif:DateTimeOriginal 2024-05-17T14:03:22.000+12:45"]),
    KnownFault(
      kind: "an offset that is none costs itself and not the date",
      file: camera(exif: [(0x9003, .text(taken)), (0x9011, .text("   :  "))]),
      expected: ["date": "exif:DateTimeOriginal 2024-05-17T14:03:22.000~"]),
  ]

  private static let places: [KnownFault] = [
    KnownFault(
      kind: "0/0 in a place is no place, and no division by zero",
      file: camera(
        gps: [
          (1, .text("N")), (2, .rational([(0, 0), (0, 0), (0, 0)])), (3, .text("E")),
          (4, .rational([(0, 0), (0, 0), (0, 0)])), (7, .rational([(0, 0), (0, 0), (0, 0)])),
          (0x1D, .text("2024:05:17")),
        ]), expected: ["place": "none", "date": fileTime]),
    KnownFault(
      kind: "without the letter of a hemisphere there is no place, and not one on the other side",
      file: camera(gps: degrees + [(3, .text("E"))]), expected: ["place": "none"]),
    KnownFault(
      kind: "the hemisphere comes from its letter",
      file: camera(gps: degrees + [(1, .text("S")), (3, .text("W"))]),
      expected: ["place": "-10.5 -20.25"]),
  ]

  private static let orientations: [KnownFault] =
    [
      (1, "3x2"), (2, "3x2"), (3, "3x2"), (4, "3x2"), (5, "2x3"), (6, "2x3"), (7, "2x3"),
      (8, "2x3"),
    ].map { value, shown in
      KnownFault(
        kind: "orientation \(value), mirrored or not, and the size that it is shown in",
        file: camera(main: [(0x0112, .short([value]))]),
        expected: ["orientation": "\(value)", "shown": shown])
    }
    + [0, 9, 255, 36_865].map { value in
      KnownFault(
        kind: "orientation \(value) is upright", file: camera(main: [(0x0112, .short([value]))]),
        expected: ["orientation": "1"])
    } + [
      KnownFault(
        kind: "a text for an orientation is upright, and the rest is read",
        file: camera(main: [(0x0112, .text("<?php")), (0x0110, .text("Model"))]),
        expected: ["orientation": "1", "model": "Model"]),
      KnownFault(
        kind: "orientation is read beside other tags that are damaged",
        file: camera(main: [
          (0x010E, .elsewhere(2, 4_000_000_000, offset: 4_000_000_000)),
          (0x0112, .short([6])), (0x011A, .raw(99, 1, [0])), (0x927C, .raw(0, 0, [])),
        ]), expected: ["orientation": "6"]),
    ]

  private static let texts: [KnownFault] = [
    KnownFault(
      kind: "a text that is not UTF-8 becomes one that is",
      // In GBK the name of a firm.
      file: camera(main: [(0x010F, .raw(2, 5, [0xBB, 0xAA, 0xCE, 0xAA, 0]))]),
      expected: ["make": "\u{FFFD}\u{FFFD}\u{3AA}"]),
    KnownFault(
      kind: "line breaks, quotes and code in a text are text",
      file: camera(main: [(0x0110, .text("a\n'b\"; DROP TABLE asset; --"))]),
      expected: ["model": "a\n'b\"; DROP TABLE asset; --"]),
  ]

  private static let types: [KnownFault] = [
    KnownFault(
      kind: "a PNG file by the name of a JPEG file is a PNG file",
      file: png([("eXIf", TIFFBuilder(main: [(0x0112, .short([8]))]).bytes)]), name: "a.JPG",
      expected: ["format": "png", "orientation": "8"]),
    KnownFault(
      kind: "a JPEG file by the name of a PNG file is a JPEG file",
      file: camera(main: [(0x0112, .short([8]))]), name: "a.png",
      expected: ["format": "jpeg", "orientation": "8"]),
    KnownFault(
      kind: "the first picture of several is the photograph, and a broken second one no matter",
      file: camera(main: [(0x0112, .short([3]))]) + [0xFF, 0xD8, 0xFF, 0xE1, 0xFF],
      expected: ["orientation": "3"]),
  ]
}
