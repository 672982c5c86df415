import PhotoLibraryTesting
import PhotoModel
import Testing

@Suite("Fetching", .timeLimit(.minutes(5)))
struct FetchTests {
  private func library() async throws -> Workplace {
    let place = try Workplace()
    try place.makeFolder("in")
    let pictures = [
      ("IMG_10.jpg", TestPicture(date: "2023-12-31 23:30:00-05:00")),
      ("IMG_9.jpg", TestPicture(date: "2024-01-01 00:10:00+09:00")),
      (
        "scan.png",
        TestPicture(
          date: "2024-05-17 14:03:22.123+02:00", size: PixelSize(width: 20, height: 30),
          format: .png)
      ),
    ]
    for (name, picture) in pictures { try place.write(picture.data, as: "in/\(name)") }
    #expect(try await place.photolib("add", "in").status == 0)
    return place
  }

  @Test("Piped, it prints a line each: UUID, date, size and name, oldest moment first")
  func lines() async throws {
    let place = try await library()
    let lines = try await place.photolib("fetch").outputLines
    let fields = lines.map { $0.split(separator: "\t").map(String.init) }
    // 00:10 in Tokyo is the afternoon before in New York.
    #expect(
      fields.map { Array($0.dropFirst()) } == [
        ["2024-01-01T00:10:00.000+09:00", "64x48", "IMG_9.jpg"],
        ["2023-12-31T23:30:00.000-05:00", "64x48", "IMG_10.jpg"],
        ["2024-05-17T14:03:22.123+02:00", "20x30", "scan.png"],
      ])
    #expect(fields.allSatisfy { AssetID(localIdentifier: $0[0]) != nil && $0[0].count == 36 })
  }

  @Test("JSON has the documented members in the documented order")
  func json() async throws {
    let place = try await library()
    let text = try await place.photolib("fetch", "--type", "png", "--json").outputText
    let members = [
      "localIdentifier", "originalFilename", "mediaType", "contentType", "pixelWidth",
      "pixelHeight", "orientation", "creationDate", "creationDateSource", "modificationDate",
      "addedDate", "isFavorite", "isHidden", "byteSize", "sha256", "locationRedacted",
    ]
    var rest = text[...]
    for member in members {
      let range = try #require(rest.firstRange(of: "\"\(member)\":"), "\(member)")
      rest = rest[range.upperBound...]
    }
    let asset = try #require(try JSONValue(Array(text.utf8)).array.first)
    #expect(asset.keys == Set(members))
    #expect(asset["contentType"]?.string == "image/png")
    #expect(asset["pixelWidth"]?.integer == 20)
    #expect(asset["pixelHeight"]?.integer == 30)
    #expect(asset["orientation"]?.integer == 1)
    #expect(asset["creationDate"]?.string == "2024-05-17T14:03:22.123+02:00")
    #expect(asset["creationDateSource"]?.string == "exif:DateTimeOriginal")
    #expect(asset["isFavorite"]?.bool == false)
    #expect(asset["locationRedacted"]?.bool == false)
    // sha256sum of the very file.
    let sum = try await place.shell("sha256sum in/scan.png")
    #expect(asset["sha256"]?.string == sum.outputText.split(separator: " ").first.map(String.init))
  }

  @Test(
    "The rating of a file is in JSON and in show, and absent where it has none",
    arguments: [(-1, "rejected"), (0, "no stars"), (1, "1 star"), (5, "5 stars")])
  func rating(stars: Int, words: String) async throws {
    let place = try Workplace()
    try place.makeFolder("in")
    try place.write(TestPicture(date: "2024-01-01 10:00:00").data, as: "in/plain.jpg")
    try place.write(TestPicture(date: "2024-01-02 10:00:00").data, as: "in/rated.jpg")
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
       xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:fstop="http://www.fstopapp.com/xmp/"
       xmp:Rating="\(stars)" fstop:favorite="1"/></rdf:RDF></x:xmpmeta>
      """
    try place.write(Array(packet.utf8), as: "in/rated.xmp")
    // Comes first, and knows no more than the namespaces of every packet.
    let bare = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""/>
      </rdf:RDF></x:xmpmeta>
      """
    try place.write(Array(bare.utf8), as: "in/plain.xmp")
    let added = try await place.photolib("add", "in")
    #expect(added.status == 0)
    // Only that the library was made: no library's own complaints.
    #expect(added.errorLines.count == 1, "\(added.errorText)")
    for command in [["fetch"], ["show", "--all"]] {
      let result = try await place.run(command + ["-L", place.library.string, "--json"])
      let assets = try JSONValue(Array(result.outputText.utf8)).array
      try #require(assets.count == 2)
      #expect(assets[0]["rating"] == nil)
      #expect(assets[0]["isFavorite"]?.bool == false)
      #expect(assets[1]["rating"]?.integer == stars)
      #expect(assets[1]["isFavorite"]?.bool == true)
    }
    let plain = try await place.photolib("show", "in/plain.jpg").outputText
    #expect(!plain.contains("rating") && !plain.contains("favorite"))
    let rated = try await place.photolib("show", "in/rated.jpg").outputLines.map {
      $0.split(separator: " ", maxSplits: 1).map { $0.drop { $0 == " " } }
    }
    #expect(rated.contains(["rating", words[...]]))
    #expect(rated.contains(["favorite", "yes"]))
  }

  @Test(
    "Filters, order, limit and offset",
    arguments: [
      (["--from", "2024-05"], ["scan.png"]),
      (["--to", "2023"], ["IMG_10.jpg"]),
      (["--from", "2024-01-01", "--to", "2024-01-01"], ["IMG_9.jpg"]),
      // As a moment, 2024 begins in UTC before New York's 2023-12-31T23:30.
      (["--from", "2024-01-01T00:00Z", "--to", "2024-02-01Z"], ["IMG_10.jpg"]),
      (["--type", "jpeg"], ["IMG_9.jpg", "IMG_10.jpg"]),
      (["--sort", "-creationDate"], ["scan.png", "IMG_10.jpg", "IMG_9.jpg"]),
      (["-s", "filename"], ["IMG_9.jpg", "IMG_10.jpg", "scan.png"]),
      (["-s", "-filename"], ["scan.png", "IMG_10.jpg", "IMG_9.jpg"]),
      (["-s", "pixels", "-n", "1"], ["scan.png"]),
      (["-n", "1", "--offset", "1"], ["IMG_10.jpg"]),
      (["-n", "0"], []),
      (["--offset", "3"], []),
      (["in/IMG_9.jpg", "in/scan.png"], ["IMG_9.jpg", "scan.png"]),
      // Names and filters together: of those named, those that pass.
      (["in/IMG_9.jpg", "in/scan.png", "--from", "2024-02"], ["scan.png"]),
      (["--all"], ["IMG_9.jpg", "IMG_10.jpg", "scan.png"]),
    ])
  func choices(options: [String], names: [String]) async throws {
    let place = try await library()
    let result = try await place.run(["fetch", "-L", place.library.string] + options)
    #expect(result.status == 0)
    #expect(
      result.outputLines.map { $0.split(separator: "\t").last.map(String.init) ?? "" } == names)
  }

  @Test("Identifiers are taken in every form, and printed for the next command")
  func identifiers() async throws {
    let place = try await library()
    let id = try #require(
      try await place.photolib("fetch", "--ids", "--type", "png").outputLines.first.map(String.init)
    )
    let forms = [
      id, id.lowercased(), id + "/L0/001", String(id.prefix(13)), String(id.prefix(23)),
    ]
    for form in forms {
      #expect(try await place.photolib("fetch", "--ids", form).outputText == id + "\n", "\(form)")
    }
    let piped = try await place.shell("$photolib fetch --ids | $photolib show - | grep -c created")
    #expect(piped.outputText == "3\n")
    let short = try await place.photolib("show", String(id.prefix(3)))
    #expect(short.status == 66)
    let json = try JSONValue(try await place.photolib("fetch", "--ids", "--json", id).output)
    #expect(try json.array.compactMap(\.string) == [id + "/L0/001"])
    let count = try JSONValue(try await place.photolib("fetch", "--count", "--json").output)
    #expect(count["count"]?.integer == 3)
  }

  @Test("show and stats tell what is known")
  func showAndStats() async throws {
    let place = try await library()
    let show = try await place.photolib("show", "in/scan.png")
    #expect(show.status == 0)
    #expect(show.outputText.contains("name         scan.png\n"))
    #expect(show.outputText.contains("2024-05-17T14:03:22.123+02:00 (exif:DateTimeOriginal)"))
    let stats = try JSONValue(try await place.photolib("stats", "--json").output)
    #expect(stats["assets"]?.integer == 3)
    #expect(stats["jpeg"]?.integer == 2)
    #expect(stats["png"]?.integer == 1)
    #expect(stats["timeZone"]?.string == "UTC")
    #expect(stats["oldest"]?.string == "2023-12-31T15:10:00.000Z")
    #expect(try await place.photolib("stats").outputText.contains("assets          3\n"))
  }

  @Test("init makes a library once, and --time-zone moves dates without an offset")
  func timeZone() async throws {
    let place = try Workplace()
    let made = try await place.run(["init", "Own.photolib", "--time-zone", "Europe/Berlin"])
    #expect(made.status == 0)
    #expect(made.outputText.contains("time zone Europe/Berlin"))
    #expect(try await place.run(["init", "Own.photolib"]).status == 73)
    #expect(try await place.run(["init", "X.photolib", "--time-zone", "Mars/Base"]).status == 64)
    try place.write(TestPicture(date: "2024-07-01 12:00:00").data, as: "a.jpg")
    let library = ["-L", "Own.photolib"]
    #expect(try await place.run(library + ["add", "a.jpg"]).status == 0)
    func date() async throws -> String? {
      try JSONValue(try await place.run(library + ["fetch", "--json"]).output).array.first?[
        "creationDate"]?.string
    }
    #expect(try await date() == "2024-07-01T12:00:00.000+02:00")
    #expect(try await place.run(library + ["init", "--time-zone", "Asia/Tokyo"]).status == 0)
    #expect(try await date() == "2024-07-01T12:00:00.000+09:00")
  }

  @Test("A reader that closes the pipe ends it quietly")
  func closedPipe() async throws {
    let place = try Workplace()
    try place.writePictures(3)
    #expect(try await place.photolib("add", "pictures").status == 0)
    // The reader has gone before the first byte comes.
    for command in ["fetch", "fetch --json", "show --all", "fetch --thumbs", "stats"] {
      let result = try await place.shell(
        "(sleep 0.2; $photolib \(command); echo $? >status) | true; sleep 1; cat status")
      #expect(result.outputText == "0\n", "\(command)")
      #expect(result.errors.isEmpty, "\(command)")
    }
  }
}
