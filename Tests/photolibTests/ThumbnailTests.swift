import FoundationEssentials
import PhotoLibraryTesting
import PhotoModel
import Testing

extension TestPicture {
  fileprivate init(size: PixelSize) {
    self.init()
    self.size = size
  }
}

@Suite("Thumbnails", .timeLimit(.minutes(5)))
struct ThumbnailTests {
  private func library(_ count: Int = 5) async throws -> Workplace {
    let place = try Workplace()
    try place.writePictures(count, size: PixelSize(width: 640, height: 400))
    #expect(try await place.photolib("add", "pictures").status == 0)
    return place
  }

  /// Width and height as the first frame header of a JPEG says (ITU T.81, B.2.2).
  private func jpegSize(_ path: FilePath) throws -> PixelSize {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path.string)))
    try #require(bytes.starts(with: [0xFF, 0xD8]))
    var position = 2
    while position + 9 < bytes.count {
      let (marker, length) = (
        bytes[position + 1], Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
      )
      if (0xC0...0xC2).contains(marker) {
        return PixelSize(
          width: Int(bytes[position + 7]) << 8 + Int(bytes[position + 8]),
          height: Int(bytes[position + 5]) << 8 + Int(bytes[position + 6]))
      }
      position += 2 + length
    }
    throw SystemFailure("no frame header in \(path)", 0)
  }

  @Test("Each photo gets one thumbnail of at most 256x256, named by its UUID")
  func oneEach() async throws {
    let place = try await library()
    let result = try await place.photolib("fetch", "--thumbs", "--json")
    #expect(result.status == 0)
    let assets = try JSONValue(result.output).array
    #expect(assets.count == 5)
    for asset in assets {
      let uuid = try #require(asset["localIdentifier"]?.string?.prefix(36))
      let thumbnail = try #require(asset["thumbnail"])
      #expect(thumbnail.keys == ["path", "width", "height", "source"])
      #expect(thumbnail["path"]?.string == "thumbs/\(uuid).jpg")
      #expect(thumbnail["source"]?.string == "decoded")
      // 640x400 into 256x256: 256 wide, 400 * 256 / 640 = 160 high.
      #expect(thumbnail["width"]?.integer == 256)
      #expect(thumbnail["height"]?.integer == 160)
      let size = try jpegSize(place.folder.appending("thumbs/\(uuid).jpg"))
      #expect(size == PixelSize(width: 256, height: 160))
    }
    // One each, and no temporary file stays.
    #expect(try place.names(in: "thumbs").count == 5)
    let again = try JSONValue(try await place.photolib("fetch", "--thumbs", "--json").output)
    #expect(try again.array.allSatisfy { $0["thumbnail"]?["source"]?.string == "cache" })
    let fresh = try await place.photolib("fetch", "--thumbs", "--no-cache", "--json", "-j", "1")
    #expect(
      try JSONValue(fresh.output).array.allSatisfy {
        $0["thumbnail"]?["source"]?.string == "decoded"
      })
  }

  @Test("Row 118: Size, mode, format and folder are as asked for; nothing is enlarged")
  func options() async throws {
    let place = try await library(1)
    let fill = try await place.photolib(
      "fetch", "--thumbs", "--size", "100x100", "--mode", "fill", "-o", "a/b", "--json")
    let thumbnail = try #require(try JSONValue(fill.output).array.first?["thumbnail"])
    #expect(thumbnail["width"]?.integer == 100)
    #expect(thumbnail["height"]?.integer == 100)
    #expect(thumbnail["path"]?.string?.hasPrefix("a/b/") == true)
    let png = try await place.photolib(
      "fetch", "--thumbs", "--size", "2000", "--format", "png", "-o", "png", "--json")
    let large = try #require(try JSONValue(png.output).array.first?["thumbnail"])
    #expect(large["width"]?.integer == 640)
    let path = place.folder.appending(try #require(large["path"]?.string))
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path.string)))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    let coarse = try await place.photolib(
      "fetch", "--thumbs", "--quality", "5", "-o", "coarse", "--json")
    #expect(coarse.status == 0)
  }

  @Test("With --fast a camera's preview answers, and nothing of it stays in the cache")
  func fast() async throws {
    let place = try Workplace()
    var picture = TestPicture(
      date: "2024-03-01 12:00:00Z", size: PixelSize(width: 640, height: 480))
    picture.preview = TestPicture(size: PixelSize(width: 160, height: 120)).data
    try place.write(picture.data, as: "a.jpg")
    #expect(try await place.photolib("add", "a.jpg").status == 0)
    func source(_ options: String...) async throws -> String? {
      let result = try await place.run(
        ["-L", place.library.string, "fetch", "--thumbs", "--size", "160", "--json"] + options)
      #expect(result.status == 0)
      let thumbnail = try JSONValue(result.output).array.first?["thumbnail"]
      #expect(thumbnail?["width"]?.integer == 160)
      #expect(thumbnail?["height"]?.integer == 120)
      return thumbnail?["source"]?.string
    }
    #expect(try await source("--fast") == "preview")
    #expect(try await source("--fast", "--no-cache") == "preview")
    #expect(try await source() == "decoded")
    #expect(try await source("--fast") == "cache")
    #expect(try await source("--fast", "--no-cache") == "preview")
  }

  @Test(
    "The second run takes all from the cache and opens no original",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
  func cache() async throws {
    let place = try await library()
    let command = "strace -f -qq -e trace=openat,open -o trace $photolib fetch --thumbs"
    let first = try await place.shell(command)
    #expect(first.status == 0)
    let opened = {
      try String(contentsOfFile: place.folder.appending("trace").string, encoding: .utf8)
    }
    // The trace sees originals being opened, by whatever path.
    let originals = try await place.shell("find Test.photolib/originals -type f -printf '%f\n'")
    let names = originals.outputLines.map(String.init)
    #expect(names.count == 5)
    let firstTrace = try opened()
    #expect(names.allSatisfy { firstTrace.contains($0) })
    let second = try await place.shell(command)
    #expect(second.status == 0)
    let secondTrace = try opened()
    #expect(!secondTrace.isEmpty)
    #expect(!names.contains { secondTrace.contains($0) })
  }

  @Test("One original that cannot be read costs its own thumbnail and no other")
  func unreadableOriginal() async throws {
    let place = try await library(6)
    let shown = try JSONValue(try await place.photolib("show", "--all", "--json").output).array
    let hash = try #require(shown[1]["sha256"]?.string)
    let file = "\(place.library.string)/originals/\(hash.prefix(2))/\(hash).jpg"
    _ = try await place.shell("rm -f '\(file)'; ln -s /etc/hostname '\(file)'")
    let result = try await place.photolib("fetch", "--thumbs", "--json")
    #expect(result.status == 1)
    let assets = try JSONValue(result.output).array
    #expect(assets.count == 6)
    #expect(assets.filter { $0["thumbnail"] != nil }.count == 5)
    #expect(assets[1]["thumbnailError"] != nil)
    #expect(!result.errorText.contains(hash.prefix(8)))
  }

  @Test("A thumbnail replaces what has its name, and never writes through a link")
  func replaces() async throws {
    let place = try await library(2)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    try place.makeFolder("thumbs")
    try place.write([1, 2, 3], as: "precious")
    _ = try await place.shell("ln -s ../precious thumbs/\(ids[0]).jpg; mkdir thumbs/\(ids[1]).jpg")
    let result = try await place.photolib("fetch", "--thumbs", "--json")
    // A folder stands where the second would go: it alone failed.
    #expect(result.status == 1)
    let assets = try JSONValue(result.output).array
    #expect(assets[0]["thumbnail"] != nil)
    #expect(assets[1]["thumbnail"] == nil)
    #expect(assets[1]["thumbnailError"]?.string == "Is a directory")
    #expect(
      result.errorText == "photolib: thumbs/\(ids[1]).jpg: Is a directory\n"
        + "photolib: 1 thumbnail in thumbs\n")
    let precious = try Data(
      contentsOf: URL(filePath: place.folder.appending("precious").string))
    #expect([UInt8](precious) == [1, 2, 3])
    #expect(try place.names(in: "thumbs") == ids.map { "\($0).jpg" }.sorted())

    _ = try await place.shell("touch file")
    let blocked = try await place.photolib("fetch", "--thumbs", "-o", "file/below")
    #expect(blocked.status == 73)
    #expect(blocked.errorText == "photolib: file/below: Not a directory\n")
  }

  @Test("A contact sheet is one HTML file with all pictures in it, or one JPEG")
  func sheets() async throws {
    let place = try Workplace()
    try place.makeFolder("in")
    for number in 0..<7 {
      var picture = TestPicture(date: "2024-03-0\(number + 1) 12:00:00+01:00")
      picture.number = number
      try place.write(picture.data, as: "in/<b>&\"\(number)'.jpg")
    }
    #expect(try await place.photolib("add", "in").status == 0)
    let page = try await place.photolib("fetch", "--thumbs", "--sheet", "sheet.html")
    #expect(page.status == 0)
    let html = try String(
      contentsOfFile: place.folder.appending("sheet.html").string, encoding: .utf8)
    #expect(html.ranges(of: "<img src=\"data:image/jpeg;base64,/9j/").count == 7)
    #expect(html.contains("&lt;b&gt;&amp;&quot;0&#39;.jpg"))
    #expect(!html.contains("<b>"))
    #expect(!html.contains("<script"))
    #expect(html.contains("2024-03-01 12:00:00"))
    #expect(html.hasSuffix("</html>\n"))

    let picture = try await place.photolib("fetch", "--thumbs", "--sheet", "sheet.jpg")
    #expect(picture.status == 0)
    // Six columns and two rows of cells of 256, with 16 between and around them.
    #expect(
      try jpegSize(place.folder.appending("sheet.jpg"))
        == PixelSize(width: 16 + 6 * 272, height: 16 + 2 * 272))
    #expect(
      try place.names(in: ".").filter { $0.contains("sheet") || $0.contains(".tmp") }
        == ["sheet.html", "sheet.jpg"])
    let nowhere = try await place.photolib("fetch", "--thumbs", "--sheet", "no/sheet.html")
    #expect(nowhere.status == 73)
  }
}
