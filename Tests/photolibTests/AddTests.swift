import PhotoLibraryTesting
import PhotoModel
import Testing

@Suite("Adding")
struct AddTests {
  /// The paths are absolute, so the JSON names them as they were given.
  @Test(
    "SampleLibrary is added whole, and again it is all duplicates",
    .enabled(if: !Workplace.samplePictures.isEmpty), .timeLimit(.minutes(5)))
  func samples() async throws {
    let pictures = Workplace.samplePictures
    #expect(pictures.count >= 24)
    let place = try Workplace()
    let first = try await place.photolib("add", Workplace.samples, "--json")
    #expect(first.status == 0)
    let added = try JSONValue(first.output)
    #expect(added.keys == Self.keys)
    #expect(added["added"]?.integer == pictures.count)
    #expect(added["duplicates"]?.integer == 0)
    #expect(added["failed"]?.integer == 0)
    #expect(try added["failures"]?.array.isEmpty == true)
    let assets = try #require(try added["assets"]?.array)
    #expect(assets.allSatisfy { $0["status"]?.string == "added" })
    #expect(Set(assets.compactMap { $0["path"]?.string }) == Set(pictures))

    let second = try await place.photolib("add", Workplace.samples, "--json")
    #expect(second.status == 0)
    let again = try JSONValue(second.output)
    #expect(again["added"]?.integer == 0)
    #expect(again["duplicates"]?.integer == pictures.count)
    #expect(again["failed"]?.integer == 0)
    let identifiers = { (assets: [JSONValue]) in
      Dictionary(
        uniqueKeysWithValues: assets.map { ($0["path"]?.string, $0["localIdentifier"]?.string) })
    }
    #expect(try identifiers(again["assets"]?.array ?? []) == identifiers(assets))
    #expect(try await place.photolib("check", "--read-data").status == 0)
  }

  private static let keys: Set = [
    "added", "duplicates", "skipped", "failed", "skippedTypes", "assets", "failures",
  ]

  @Test("A library that another process keeps to itself is busy: 75, and nothing is lost")
  func busy() async throws {
    let place = try Workplace()
    try place.writePictures(3)
    #expect(try await place.photolib("init").status == 0)
    let result = try await place.shell(
      "flock -x '\(place.library.string)/library.lock' sleep 8 & sleep 0.3; "
        + "$photolib add pictures; status=$?; wait; exit $status")
    #expect(result.status == 75)
    let again = try await place.photolib("add", "pictures")
    #expect(again.status == 0)
    #expect(try await place.photolib("fetch", "--count").outputText == "3\n")
  }

  @Test("The first add makes the library and says which")
  func makesLibrary() async throws {
    let place = try Workplace()
    try place.writePictures(2)
    let first = try await place.photolib("add", "pictures")
    #expect(first.status == 0)
    #expect(first.outputText == "2 added, 0 duplicates, 0 skipped, 0 failed\n")
    #expect(first.errorText == "photolib: made the library \(place.library)\n")
    let second = try await place.photolib("add", "pictures")
    #expect(second.outputText == "0 added, 2 duplicates, 0 skipped, 0 failed\n")
    #expect(second.errors.isEmpty)
  }

  @Test("Without -L the library lies in the user's data folder")
  func defaultPlace() async throws {
    let place = try Workplace()
    try place.writePictures(1)
    #expect(try await place.run(["add", "pictures"]).status == 0)
    #expect(
      try place.names(in: ".local/share/photolib/Photos.photolib").contains("library.sqlite"))
    let other = ["XDG_DATA_HOME": place.folder.appending("data").string]
    #expect(try await place.run(["add", "pictures"], environment: other).status == 0)
    #expect(try place.names(in: "data/photolib/Photos.photolib").contains("library.sqlite"))
    let named = ["PHOTOLIB_LIBRARY": place.folder.appending("Named.photolib").string]
    #expect(try await place.run(["add", "pictures"], environment: named).status == 0)
    #expect(try place.names(in: "Named.photolib").contains("library.sqlite"))
  }

  @Test("A dry run says what would be added and makes nothing")
  func dryRun() async throws {
    let place = try Workplace()
    try place.writePictures(3)
    try place.makeFolder("tmp")
    let temporary = ["TMPDIR": place.folder.appending("tmp").string]
    let trial = try await place.run(
      ["-L", place.library.string, "add", "--dry-run", "pictures"], environment: temporary)
    #expect(trial.status == 0)
    #expect(trial.outputText == "3 to be added, 0 duplicates, 0 skipped, 0 failed\n")
    #expect(try place.names(in: ".") == ["pictures", "tmp"])
    #expect(try place.names(in: "tmp").isEmpty)

    #expect(try await place.photolib("add", "pictures/a-0.jpg").status == 0)
    let second = try JSONValue(
      try await place.photolib("add", "--dry-run", "--json", "pictures").output)
    #expect(second["added"]?.integer == 2)
    #expect(second["duplicates"]?.integer == 1)
    #expect(try await place.photolib("fetch", "--count").outputText == "1\n")
  }

  @Test("Several first adds at the same time share one new library")
  func addsAtOnce() async throws {
    let place = try Workplace()
    try place.writePictures(12)
    let processes = try (0..<4).map { _ in try place.begin("add", "pictures") }
    for process in processes {
      let result = try await process.result()
      #expect(result.status == 0, "\(result.errorText)")
    }
    #expect(try await place.photolib("fetch", "--count").outputText == "12\n")
    #expect(try await place.photolib("check", "--read-data").status == 0)
  }

  @Test("A client adds with --client if it may, and never makes a library")
  func addsAsClient() async throws {
    let place = try Workplace()
    try place.writePictures(3)
    let none = try await place.photolib("add", "-c", "org.example.scanner", "pictures")
    #expect(none.status == 69)
    #expect(try await place.photolib("init").status == 0)
    let refused = try await place.photolib("add", "-c", "org.example.scanner", "pictures")
    #expect(refused.status == 77)
    #expect(refused.errorText.hasPrefix("photolib: org.example.scanner: has no permission to add"))
    #expect(
      try await place.photolib("access", "grant", "--add-only", "-c", "org.example.scanner")
        .status == 0)
    #expect(
      try await place.photolib("add", "-c", "org.example.scanner", "pictures").status == 0)
    #expect(try await place.photolib("fetch", "-c", "org.example.scanner").status == 77)
    #expect(try await place.photolib("fetch", "--count").outputText == "3\n")
    // $PHOTOLIB_CLIENT is for readers: this adds as the owner.
    try place.write(TestPicture(date: "2020-01-01 00:00:00").data, as: "b.jpg")
    let owner = try await place.photolib(
      "add", "b.jpg", environment: ["PHOTOLIB_CLIENT": "org.example.stranger"])
    #expect(owner.status == 0)
  }

  @Test("Names with line breaks, escapes and bytes that are not UTF-8 are added, listed and found")
  func hostileNames() async throws {
    let place = try Workplace()
    try place.makeFolder("in")
    let names: [[UInt8]] = [
      Array("line\nbreak.jpg".utf8), Array("esc\u{1B}[31m.jpg".utf8),
      Array("tab\there.jpg".utf8), Array("latin-".utf8) + [0xE9] + Array(".jpg".utf8),
      Array("\u{202E}gpj.exe.jpg".utf8), Array("quote\"back\\slash.jpg".utf8),
    ]
    for (number, name) in names.enumerated() {
      var picture = TestPicture(date: "2024-01-0\(number + 1) 10:00:00+00:00")
      picture.number = number
      try place.write(picture.data, as: Array("in/".utf8) + name)
    }
    #expect(try await place.photolib("add", "in", "--json").status == 0)

    let listed = try await place.photolib("fetch")
    let shown = listed.outputLines.map { $0.split(separator: "\t").last.map(String.init) ?? "" }
    #expect(
      shown == [
        #"line\nbreak.jpg"#, #"esc\x1b[31m.jpg"#, #"tab\there.jpg"#, #"latin-\xe9.jpg"#,
        #"\u{202e}gpj.exe.jpg"#, #"quote"back\\slash.jpg"#,
      ])
    #expect(listed.outputLines.allSatisfy { $0.split(separator: "\t").count == 4 })

    let json = try JSONValue(try await place.photolib("fetch", "--json").output).array
    #expect(json.count == 6)
    #expect(json[0]["originalFilename"]?.string == "line\nbreak.jpg")
    #expect(json[0]["originalFilenameBase64"] == nil)
    #expect(json[3]["originalFilename"]?.string == "latin-\u{FFFD}.jpg")
    // printf 'latin-\351.jpg' | base64
    #expect(json[3]["originalFilenameBase64"]?.string == "bGF0aW4t6S5qcGc=")

    // The file itself, by its bytes, which are no UTF-8.
    let path = Array("in/".utf8) + names[3]
    let library = ["-L", place.library.string].map { Array($0.utf8) }
    let found = try await place.run(
      bytes: library + [Array("show".utf8), Array("--json".utf8), path])
    #expect(found.status == 0)
    let record = try #require(try JSONValue(found.output).array.first)
    #expect(record["localIdentifier"]?.string == json[3]["localIdentifier"]?.string)
    #expect(try record["dateCandidates"]?.array.isEmpty == false)
  }
}
