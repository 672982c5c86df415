import FoundationEssentials
import Glibc
import PhotoLibrary
import PhotoLibraryTesting
import Synchronization
import Testing

@Suite("Adding")
struct ImportTests {
  private func folder(_ temporary: TemporaryLibrary, _ files: [String: [UInt8]]) throws -> FilePath
  {
    let path = temporary.folder.string + "/" + UUID().uuidString
    for (name, bytes) in files {
      let file = path + "/" + name
      try FileManager.default.createDirectory(
        atPath: URL(filePath: file).deletingLastPathComponent().path,
        withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(filePath: file))
    }
    return FilePath(path)
  }

  private let picture = TestPicture(date: "2024-05-17 14:03:22+02:00")

  @Test("A folder is walked: pictures added, hidden files passed over, other kinds counted")
  func folderWalk() async throws {
    let temporary = try TemporaryLibrary()
    var second = picture
    second.number = 1
    second.format = .png
    var hidden = picture
    hidden.number = 2
    let path = try folder(
      temporary,
      [
        "a.jpg": picture.data, "sub/deep/b.JPEG": second.data, ".hidden.jpg": hidden.data,
        ".trash/c.jpg": hidden.data, "notes.txt": Array("hello\n".utf8),
        "movie.mp4": [0, 0, 0, 0x18] + Array("ftypmp42".utf8) + [UInt8](repeating: 0, count: 40),
        "photo.heic": [0, 0, 0, 0x18] + Array("ftypheic".utf8)
          + [UInt8](repeating: 0, count: 40),
      ])
    let report = try await temporary.library.add([path])
    #expect(report.added == 2)
    #expect(report.failures == [])
    #expect(report.skippedTypes == ["text": 1, "mp4": 1, "heic": 1])
    #expect(Set(report.entries.map(\.path.lastComponent.string)) == ["a.jpg", "b.JPEG"])
  }

  @Test("The same bytes are one asset, whatever their names")
  func duplicates() async throws {
    let temporary = try TemporaryLibrary()
    let path = try folder(temporary, ["a.jpg": picture.data, "b/a copy.jpg": picture.data])
    let first = try await temporary.library.add([path])
    #expect((first.added, first.duplicates) == (1, 1))
    #expect(Set(first.entries.map(\.id)).count == 1)
    let again = try await temporary.library.add([path])
    #expect((again.added, again.duplicates, again.failures.count) == (0, 2, 0))
    #expect(try temporary.library.owner.countAssets() == 1)
    #expect(try temporary.library.check(readData: true) { Issue.record("\($0)") } == 0)
  }

  private func numbered(_ number: Int) -> [UInt8] {
    var picture = TestPicture()
    picture.number = number
    return picture.data
  }

  private func sidecar(_ date: String) -> [UInt8] {
    Array(
      """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:DateTimeOriginal="\(date)"/>
      </rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  @Test("The date of an XMP file beside a picture counts, in both known forms of its name")
  func sidecars() async throws {
    let temporary = try TemporaryLibrary()
    let path = try folder(
      temporary,
      [
        "a.jpg": numbered(1), "a.xmp": sidecar("2001-01-01T10:00:00Z"),
        "b.jpg": numbered(2), "b.jpg.xmp": sidecar("2002-02-02T10:00:00Z"),
        "b.xmp": sidecar("1999-09-09T10:00:00Z"), "c.jpg": numbered(3),
        "c.xmp": [0xFF, 0, 0xFF], "d.jpg": numbered(4),
        "d.xmp/e.jpg": numbered(5), "f.jpg": numbered(6),
      ])
    // A link to a sidecar is not followed.
    let target = path.string + "/a.xmp"
    try FileManager.default.createSymbolicLink(
      atPath: path.string + "/f.xmp", withDestinationPath: target)
    let report = try await temporary.library.add([path])
    #expect(report.failures == [])
    #expect(report.added == 6)
    let dates = Dictionary(
      report.entries.map { ($0.path.lastComponent.string, $0.creationDate) },
      uniquingKeysWith: { first, _ in first })
    #expect(dates["a.jpg"]?.source == .sidecarDateTimeOriginal)
    #expect(dates["a.jpg"]?.rfc3339.prefix(10) == "2001-01-01")
    #expect(dates["b.jpg"]?.rfc3339.prefix(10) == "2002-02-02")
    for name in ["c.jpg", "d.jpg", "f.jpg"] {
      #expect(dates[name]?.source == .fileModification, "\(name)")
    }
    // Also of a picture that is named, and in a dry run.
    let other = try TemporaryLibrary()
    var options = AddOptions()
    options.dryRun = true
    let named = try await other.library.add([FilePath(path.string + "/a.jpg")], options: options)
    #expect(named.entries.first?.creationDate.source == .sidecarDateTimeOriginal)
  }

  @Test("Stars and heart of an XMP file are in the asset's record; without them it has none")
  func marks() async throws {
    let temporary = try TemporaryLibrary()
    let marks = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:fstop="http://www.fstopapp.com/xmp/"
       xmp:Rating="-1" fstop:favorite="1"/></rdf:RDF></x:xmpmeta>
      """
    let path = try folder(
      temporary, ["a.jpg": numbered(1), "a.xmp": Array(marks.utf8), "b.jpg": numbered(2)])
    _ = try await temporary.library.add([path])
    let assets = Array(try temporary.library.owner.fetchAssets(FetchQuery()))
    let byName = Dictionary(
      assets.map { ($0.originalFilename.string, $0) }, uniquingKeysWith: { first, _ in first })
    let (first, second) = (try #require(byName["a.jpg"]), try #require(byName["b.jpg"]))
    #expect(first.rating == -1 && first.isFavorite)
    #expect(second.rating == nil && !second.isFavorite)
  }

  @Test("Two files of one name are two assets")
  func sameName() async throws {
    let temporary = try TemporaryLibrary()
    var second = picture
    second.number = 1
    let path = try folder(temporary, ["a/IMG_1.jpg": picture.data, "b/IMG_1.jpg": second.data])
    #expect(try await temporary.library.add([path]).added == 2)
  }

  @Test("A bad file is named with its reason, and the good ones are added")
  func badFiles() async throws {
    let temporary = try TemporaryLibrary()
    var png = picture
    png.format = .png
    png.size = PixelSize(width: 200, height: 200)
    var badCRC = png.data
    badCRC[badCRC.count - 20] ^= 0x40
    var large = picture
    large.size = PixelSize(width: 400, height: 300)
    let path = try folder(
      temporary,
      [
        "good.jpg": picture.data, "truncated.jpg": Array(large.data.prefix(large.data.count / 2)),
        "text.jpg": Array("not a picture\n".utf8), "empty.jpg": [], "crc.png": badCRC,
        "cut.png": Array(png.data.prefix(png.data.count / 2)),
      ])
    let report = try await temporary.library.add([path])
    #expect(report.added == 1)
    let failed = Dictionary(
      uniqueKeysWithValues: report.failures.map { ($0.path.lastComponent.string, $0.reason) })
    #expect(Set(failed.keys) == ["truncated.jpg", "text.jpg", "empty.jpg", "crc.png", "cut.png"])
    #expect(failed["text.jpg"] == "it is neither JPEG nor PNG, but text")
    #expect(failed["empty.jpg"] == "it is empty")
    #expect(failed["crc.png"]?.contains("CRC") == true)

    // Kept if that is wanted, and marked.
    var options = AddOptions()
    options.keepsDamaged = true
    let kept = try await temporary.library.add([path], options: options)
    #expect((kept.added, kept.duplicates, kept.failures.count) == (3, 1, 2))
    let damaged = try temporary.library.owner.fetchAssets().filter { $0.damage != nil }
    #expect(Set(damaged.map(\.originalFilename.string)) == ["truncated.jpg", "crc.png", "cut.png"])
  }

  @Test("A missing end marker and trailing bytes are no damage when all rows are there")
  func noDamage() async throws {
    let temporary = try TemporaryLibrary()
    var picture = picture
    picture.size = PixelSize(width: 200, height: 160)
    let path = try folder(
      temporary,
      [
        "no-end.jpg": picture.data.dropLast(2), "trailing.jpg": picture.data + Array("video".utf8),
      ])
    let report = try await temporary.library.add([path])
    #expect(report.failures == [])
    #expect(report.added == 2)
  }

  @Test("Links, FIFOs and libraries in a folder are passed over by name", .timeLimit(.minutes(5)))
  func specialFiles() async throws {
    let temporary = try TemporaryLibrary()
    let path = try folder(temporary, ["good.jpg": picture.data])
    try FileManager.default.createSymbolicLink(
      atPath: path.string + "/loop", withDestinationPath: path.string)
    try FileManager.default.createSymbolicLink(
      atPath: path.string + "/link.jpg", withDestinationPath: "good.jpg")
    #expect(unsafe mkfifo(path.string + "/pipe.jpg", 0o600) == 0)
    _ = try Library.create(at: FilePath(path.string + "/Other.photolib"))
    let named = Mutex<[String]>([])
    let report = try await temporary.library.add([path]) { event in
      if case .skipped(let path, _, true) = event {
        named.withLock { $0.append(path.lastComponent.string) }
      }
    }
    #expect(report.added == 1)
    #expect(report.failures == [])
    #expect(report.skippedTypes == ["link": 2, "fifo": 1, "library": 1])
    #expect(
      named.withLock { $0 } == ["Other.photolib", "link.jpg", "loop", "pipe.jpg"])
  }

  @Test("What is named itself fails where in a folder it would be passed over")
  func namedFiles() async throws {
    let temporary = try TemporaryLibrary()
    let path = try folder(temporary, ["good.jpg": picture.data, "notes.txt": Array("x\n".utf8)])
    #expect(unsafe mkfifo(path.string + "/pipe", 0o600) == 0)
    try FileManager.default.createSymbolicLink(
      atPath: path.string + "/link", withDestinationPath: "good.jpg")
    let names = ["notes.txt", "pipe", "link", "missing.jpg"]
    let report = try await temporary.library.add(names.map { path.appending($0) })
    // A link that is named is resolved once.
    #expect(report.added == 1)
    #expect(
      report.failures.map(\.reason) == [
        "it is neither JPEG nor PNG, but text", "it is a FIFO, not a file",
        "no such file or folder",
      ])
  }

  @Test("Content decides, not the name")
  func mislabelled() async throws {
    let temporary = try TemporaryLibrary()
    var png = picture
    png.format = .png
    let path = try folder(temporary, ["really-a-png.jpg": png.data, "no-ending": picture.data])
    #expect(try await temporary.library.add([path]).added == 2)
    let formats = try temporary.library.owner.fetchAssets().map {
      ($0.originalFilename.string, $0.format)
    }
    #expect(formats.contains { $0 == ("really-a-png.jpg", .png) })
    #expect(formats.contains { $0 == ("no-ending", .jpeg) })
  }

  @Test("Names are bytes: newline, escape and invalid UTF-8 survive")
  func oddNames() async throws {
    let temporary = try TemporaryLibrary()
    let path = try folder(temporary, ["x": []])
    let names: [[UInt8]] = [
      Array("new\nline.jpg".utf8), Array("\u{1B}[31mred.jpg".utf8),
      [0x66, 0xFF, 0xFE] + Array(".jpg".utf8), Array("-rf.jpg".utf8),
      Array(repeating: 0x61, count: 251) + Array(".jpg".utf8),
    ]
    for (number, name) in names.enumerated() {
      var picture = picture
      picture.number = number
      let file = (path.bytes + [0x2F] + name + [0]).map { CChar(bitPattern: $0) }
      let descriptor = unsafe open(file, O_WRONLY | O_CREAT, 0o600)
      #expect(descriptor >= 0)
      let bytes = picture.data
      #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
      close(descriptor)
    }
    let report = try await temporary.library.add([path])
    #expect(report.added == names.count)
    let kept = Set(try temporary.library.owner.fetchAssets().map(\.originalFilename.bytes))
    #expect(kept == Set(names))
  }

  @Test("A dry run says what would happen and changes nothing")
  func dryRun() async throws {
    let temporary = try TemporaryLibrary()
    var second = picture
    second.number = 1
    let path = try folder(
      temporary, ["a.jpg": picture.data, "b.jpg": picture.data, "c.jpg": second.data])
    try await temporary.add(second)
    var options = AddOptions()
    options.dryRun = true
    let report = try await temporary.library.add([path], options: options)
    #expect((report.added, report.duplicates) == (1, 2))
    #expect(try temporary.library.owner.countAssets() == 1)
  }

  @Test("What cannot be decoded by its header is kept, said and marked")
  func undecodable() async throws {
    let temporary = try TemporaryLibrary()
    // SOF3, lossless: a complete file of a kind that no decoder here takes.
    var bytes = picture.data
    let frame = try #require(
      bytes.indices.first { bytes[$0] == 0xFF && $0 + 1 < bytes.count && bytes[$0 + 1] == 0xC0 })
    bytes[frame + 1] = 0xC3
    let warnings = Mutex(0)
    let report = try await temporary.library.add([
      try temporary.write(bytes, named: "lossless.jpg")
    ]) { event in
      if case .warning = event { warnings.withLock { $0 += 1 } }
    }
    let entry = try #require(report.entries.first)
    #expect(entry.undecodable != nil)
    #expect(warnings.withLock { $0 } == 1)
    let id = try #require(entry.id)
    let error = await #expect(throws: LibraryError.self) {
      try await temporary.library.owner.thumbnail(for: id)
    }
    #expect(error?.code == .unsupportedPicture)
  }

  @Test("A limit of one process is no property of the picture")
  func limitOfTheMoment() async throws {
    let temporary = try TemporaryLibrary()
    var large = picture
    large.size = PixelSize(width: 1200, height: 1000)
    let path = try temporary.write(large.data, named: "large.jpg")
    var configuration = LibraryConfiguration()
    configuration.maximumMegapixels = 1
    let strict = try Library.open(at: temporary.library.path, configuration: configuration)
    let warnings = Mutex(0)
    let report = try await strict.add([path]) { event in
      if case .warning = event { warnings.withLock { $0 += 1 } }
    }
    #expect(warnings.withLock { $0 } == 1)
    let id = try #require(report.entries.first?.id)
    let error = await #expect(throws: LibraryError.self) {
      try await strict.owner.thumbnail(for: id)
    }
    #expect(error?.code == .overLimit)
    #expect(try temporary.library.owner.asset(id).undecodable == nil)
    _ = try await temporary.library.owner.thumbnail(for: id)
  }

  @Test("Raw files are counted by the name that their makers give them")
  func rawFiles() async throws {
    let temporary = try TemporaryLibrary()
    let tiff: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let path = try folder(temporary, ["DSC_1.NEF": tiff, "a.dng": tiff, "scan.tif": tiff])
    let report = try await temporary.library.add([path])
    #expect(report.skippedTypes == ["nef": 1, "dng": 1, "tiff": 1])
  }

  @Test("Cancelling keeps what was reported and leaves the library clean", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let temporary = try TemporaryLibrary()
    for number in 0..<200 {
      var picture = picture
      picture.number = number
      _ = try temporary.write(picture.data, named: "\(number).jpg")
    }
    let reported = Mutex(0)
    let task = Task {
      try await temporary.library.add([temporary.folder]) { event in
        if case .added = event { reported.withLock { $0 += 1 } }
      }
    }
    while reported.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    _ = await task.result
    let count = try temporary.library.owner.countAssets()
    #expect(count >= reported.withLock { $0 })
    #expect(try temporary.library.check(readData: true) { Issue.record("\($0)") } == 0)
    #expect(try await temporary.library.add([temporary.folder]).failures == [])
    #expect(try temporary.library.owner.countAssets() == 200)
  }
}
