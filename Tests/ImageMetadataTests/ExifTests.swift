import ImageContainer
import ImageMetadata
import PhotoModel
import Testing

@Suite("EXIF")
struct ExifTests {
  private func full(_ bigEndian: Bool) -> TIFFBuilder {
    TIFFBuilder(
      bigEndian: bigEndian,
      main: [
        (0x010F, .text("Canon ")), (0x0110, .text("Canon EOS R5\0\0junk")), (0x0112, .short([6])),
        (0x0132, .text("2024:06:01 10:00:00")),
      ],
      exif: [
        (0x9003, .text("2024:05:17 14:03:22")), (0x9004, .text("2024:05:17 14:03:23")),
        (0x9010, .text("+01:00")), (0x9011, .text("-05:30")), (0x9012, .text("Z")),
        (0x9290, .text("9")), (0x9291, .text("05")), (0x9292, .text("1234567891")),
      ],
      gps: [
        (1, .text("S")), (2, .rational([(33, 1), (51, 1), (36, 1)])), (3, .text("W")),
        (4, .rational([(151, 1), (125, 10), (0, 1)])), (5, .raw(1, 1, [1])),
        (6, .rational([(25, 2)])), (7, .rational([(19, 1), (33, 1), (225, 10)])),
        (0x1D, .text("2024:05:17")),
      ])
  }

  @Test("every value, in both byte orders", arguments: [false, true])
  func everything(bigEndian: Bool) throws {
    let result = try metadata(tiff: full(bigEndian))
    #expect(result.orientation == .right)
    #expect(result.camera == Camera(make: "Canon", model: "Canon EOS R5"))
    #expect(result.date(.exifDateTimeOriginal) == "2024-05-17T14:03:22.050-05:30")
    #expect(result.date(.exifDateTimeDigitized) == "2024-05-17T14:03:23.123Z")
    #expect(result.date(.exifDateTime) == "2024-06-01T10:00:00.900+01:00")
    #expect(result.date(.gps) == "2024-05-17T19:33:22.500Z")
    let digitized = result.dates.first { $0.source == .exifDateTimeDigitized }
    #expect(digitized?.wallClock.nanosecond == 123_456_789)
    let place = try #require(result.location)
    #expect(abs(place.latitude - -33.86) < 1e-9)
    #expect(abs(place.longitude - -151.2083333333) < 1e-9)
    #expect(place.altitude == -12.5)
    #expect(result.warnings == [])
    #expect(result.exif.subSecTimeOriginal == "05")
  }

  @Test("PNG: plain, with JPEG's prefix before it, and behind the image data")
  func png() throws {
    let block = full(true).bytes
    let files = [
      ImageMetadataTests.png([("eXIf", block)]),
      ImageMetadataTests.png([("eXIf", Array("Exif\0\0".utf8) + block)]),
      ImageMetadataTests.png([], after: [("eXIf", block)]),
    ]
    for file in files {
      let result = try metadata(file)
      #expect(result.orientation == .right)
      #expect(result.date(.exifDateTimeOriginal) == "2024-05-17T14:03:22.050-05:30")
    }
  }

  @Test("a PNG block beyond 64 KiB is read wholly")
  func long() throws {
    var block = full(false)
    block.main.insert((0x010E, .text(String(repeating: "x", count: 100_000))), at: 0)
    let result = try metadata(ImageMetadataTests.png([("eXIf", block.bytes)]))
    #expect(result.camera?.model == "Canon EOS R5")
    #expect(result.date(.gps) != nil)
  }

  @Test("EXIF need not come first, and of several blocks the first value counts")
  func several() throws {
    let first = TIFFBuilder(main: [(0x0110, .text("one"))]).bytes
    let second = TIFFBuilder(
      main: [(0x0110, .text("two")), (0x0112, .short([8]))],
      exif: [(0x9003, .text("2020:02:29 01:02:03")), (0x9291, .text("5"))]
    ).bytes
    let file = jpeg([
      (0xE0, Array("JFIF\0".utf8)), exifSegment([1, 2, 3]), exifSegment(first), exifSegment(second),
    ])
    let result = try metadata(file)
    #expect(result.camera?.model == "one")
    #expect(result.orientation == .left)
    #expect(result.date(.exifDateTimeOriginal) == "2020-02-29T01:02:03.500~")
    #expect(result.warnings == ["EXIF: a block is no TIFF structure"])
  }

  @Test(
    "orientation: nonsense means upright",
    arguments: [
      (.short([1]), .up), (.short([2]), .upMirrored), (.short([3]), .down),
      (.short([4]), .downMirrored), (.short([5]), .leftMirrored), (.short([6]), .right),
      (.short([7]), .rightMirrored), (.short([8]), .left), (.long([6]), .right),
      (.rational([(6, 1)]), .right), (.rational([(12, 2)]), .right), (.rational([(6, 0)]), .up),
      (.raw(1, 1, [3]), .down), (.short([0]), .up), (.short([9]), .up), (.short([36865]), .up),
      (.long([0xFFFF_FFFF]), .up), (.text("6"), .up), (.text("<?php phpinfo(); ?>"), .up),
      (.raw(3, 0, []), .up), (.raw(99, 1, [6, 0]), .up),
    ] as [(TIFFBuilder.Value, Orientation)])
  func orientation(value: TIFFBuilder.Value, expected: Orientation) throws {
    #expect(try metadata(tiff: TIFFBuilder(main: [(0x0112, value)])).orientation == expected)
  }

  @Test("of duplicate tags the first counts; dates may stand in IFD0")
  func duplicates() throws {
    let block = TIFFBuilder(main: [
      (0x0112, .short([3])), (0x0112, .short([6])), (0x9003, .text("2001:02:03 04:05:06")),
      (0x9011, .text("+09:00")),
    ])
    let result = try metadata(tiff: block)
    #expect(result.orientation == .down)
    #expect(result.date(.exifDateTimeOriginal) == "2001-02-03T04:05:06.000+09:00")
  }

  @Test(
    "of a date that stands twice in a directory the first one that is a date counts",
    arguments: [
      "0000:00:00 00:00:00", "    :  :     :  :  ", "                   ", "",
      "2024:13:17 14:03:22",
    ])
  func repeatedDates(nothing: String) throws {
    let (first, second) = ("2023:01:02 03:04:05", "2024:05:17 14:03:22")
    for tag: UInt16 in [0x9003, 0x9004, 0x0132] {
      let source: DateSource =
        tag == 0x9003
        ? .exifDateTimeOriginal : tag == 0x9004 ? .exifDateTimeDigitized : .exifDateTime
      func date(_ texts: String...) throws -> String? {
        let entries = texts.map { (tag, TIFFBuilder.Value.text($0)) }
        let block = tag == 0x0132 ? TIFFBuilder(main: entries) : TIFFBuilder(exif: entries)
        return try metadata(tiff: block).date(source)
      }
      #expect(try date(nothing, first) == "2023-01-02T03:04:05.000~")
      #expect(try date(nothing, nothing, first, second) == "2023-01-02T03:04:05.000~")
      #expect(try date(first, nothing) == "2023-01-02T03:04:05.000~")
      #expect(try date(first, second) == "2023-01-02T03:04:05.000~")
      #expect(try date(nothing, nothing) == nil)
    }
    let elsewhere = TIFFBuilder(
      main: [(0x9003, .text(first))], exif: [(0x9003, .text(nothing))])
    #expect(
      try metadata(tiff: elsewhere).date(.exifDateTimeOriginal) == "2023-01-02T03:04:05.000~")
  }

  @Test("so it is with sub-seconds, offsets and the day of GPS")
  func repeatedParts() throws {
    let block = TIFFBuilder(
      exif: [
        (0x9003, .text("2023:01:02 03:04:05")), (0x9011, .text("   :  ")),
        (0x9011, .text("+02:00")),
        (0x9291, .text("   ")), (0x9291, .text("25")),
      ],
      gps: [
        (7, .rational([(1, 1), (4, 1), (5, 1)])), (0x1D, .text("0000:00:00")),
        (0x1D, .text("2023:01:02")),
      ])
    let result = try metadata(tiff: block)
    #expect(result.date(.exifDateTimeOriginal) == "2023-01-02T03:04:05.250+02:00")
    #expect(result.date(.gps) == "2023-01-02T01:04:05.000Z")
  }

  @Test("a damaged entry costs its own value and no other")
  func damagedEntries() throws {
    let block = TIFFBuilder(
      main: [
        (0x010F, .elsewhere(2, 20, offset: 0xFFFF_FFF0)), (0x0110, .text("Model")),
        (0x011A, .elsewhere(5, 0xFFFF_FFFF, offset: 8)), (0x0112, .short([6])),
        (0x927C, .raw(0, 5, [0])),
      ],
      exif: [
        (0x9003, .elsewhere(2, 20, offset: 0x10_0000)), (0x9004, .text("2024:01:01 00:00:00")),
      ])
    let result = try metadata(tiff: block)
    #expect(result.orientation == .right)
    #expect(result.camera == Camera(make: nil, model: "Model"))
    #expect(result.date(.exifDateTimeOriginal) == nil)
    #expect(result.date(.exifDateTimeDigitized) == "2024-01-01T00:00:00.000~")
    #expect(result.warnings.count == 2)
  }

  @Test("directories in a loop, and pointers to anywhere, end")
  func loops() throws {
    // The EXIF pointer leads back to IFD0, the GPS pointer behind the end.
    let block = TIFFBuilder(main: [
      (0x0112, .short([6])), (0x8769, .long([8])), (0x8825, .long([0xFFFF_FFFF])),
    ])
    let result = try metadata(tiff: block)
    #expect(result.orientation == .right)
    #expect(
      result.warnings == [
        "EXIF: the EXIF directory is in a loop",
        "EXIF: the GPS directory lies outside of the block",
      ])
  }

  @Test("a directory that claims 65,535 entries is read as far as the block and the limit go")
  func hugeCount() throws {
    var bytes = TIFFBuilder(main: [(0x0112, .short([6]))]).bytes
    bytes[8] = 0xFF
    bytes[9] = 0xFF
    #expect(try metadata(jpeg([exifSegment(bytes)])).orientation == .right)
    let many = TIFFBuilder(
      main: (0..<1_500).map { _ in (0x9999, .short([1])) } + [(0x0112, .short([6]))])
    #expect(try metadata(tiff: many).orientation == .up)
  }

  @Test("a pointer counts whatever its type says")
  func pointerTypes() throws {
    // IFD0 with one entry is 18 bytes long, so the next directory begins at 26.
    let inner = TIFFBuilder(main: [(0x9003, .text("2024:01:02 03:04:05"))]).bytes
    for pointer: TIFFBuilder.Value in [
      .raw(3, 1, [26, 0]), .raw(2, 4, [26, 0, 0, 0]), .raw(13, 1, [26, 0, 0, 0]),
    ] {
      var bytes = TIFFBuilder(main: [(0x8769, pointer)]).bytes
      // One entry, its value at 26 + 18 = 44.
      bytes += Array(inner[8..<18]) + [44, 0, 0, 0] + [0, 0, 0, 0] + Array(inner[26...])
      let result = try metadata(jpeg([exifSegment(bytes)]))
      #expect(result.date(.exifDateTimeOriginal) == "2024-01-02T03:04:05.000~")
    }
  }

  @Test("the preview's range is that of its bytes in the file")
  func preview() throws {
    let thumbnail = picture(width: 160, height: 120)
    let block = TIFFBuilder(main: [(0x0112, .short([6]))], preview: thumbnail)
    let file = jpeg([exifSegment(block.bytes)])
    let preview = try #require(try metadata(file).previews.first)
    #expect(Array(file[preview.range]) == thumbnail)
    #expect(preview.pixelSize == PixelSize(width: 160, height: 120))
    #expect(preview.source == .exifThumbnail)
    #expect(preview.orientation == nil)
    #expect(try metadata(file).preview == preview.range)
    for bytes: [UInt8] in [[1, 2, 3, 4, 5, 6], [0xFF, 0xD8, 0xFF, 0xDB, 1, 2, 3, 0xFF, 0xD9]] {
      let other = TIFFBuilder(main: [(0x0112, .short([6]))], preview: bytes)
      #expect(try metadata(tiff: other).previews == [])
    }
  }

  @Test("every byte of a block cut or changed gives an answer", arguments: [false, true])
  func hostile(bigEndian: Bool) throws {
    let block = full(bigEndian).bytes
    for length in 0..<block.count { _ = try metadata(jpeg([exifSegment(Array(block[..<length]))])) }
    for index in block.indices {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var changed = block
        changed[index] = value
        _ = try metadata(jpeg([exifSegment(changed)]))
      }
    }
  }

  @Test("text that is not UTF-8 is kept as far as it goes")
  func encoding() throws {
    let block = TIFFBuilder(main: [(0x0110, .raw(2, 6, [0x41, 0xE9, 0x42, 0x1B, 0, 0x43]))])
    #expect(try metadata(tiff: block).camera?.model == "A\u{FFFD}B\u{1B}")
    let blank = TIFFBuilder(main: [(0x0110, .text("   ")), (0x010F, .text(""))])
    #expect(try metadata(tiff: blank).camera == nil)
  }
}
