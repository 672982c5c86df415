import PhotoLibraryTesting
import PhotoModel
import Testing

@Suite("Selection", .timeLimit(.minutes(5)))
struct SelectionTests {
  private static let frame = "org.example.frame"

  /// A library of pictures taken a day apart, and their ids, oldest first.
  private func library(of count: Int) async throws -> (place: Workplace, ids: [String]) {
    let place = try Workplace()
    try place.writePictures(count)
    #expect(try await place.photolib("add", "pictures").status == 0)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    #expect(ids.count == count)
    return (place, ids)
  }

  @Test("The plain sequence works with no option but the library")
  func plainSequence() async throws {
    let place = try Workplace()
    try place.writePictures(6)
    try place.makeFolder("few")
    for name in ["a-1.jpg", "a-4.jpg"] {
      _ = try await place.shell("cp pictures/\(name) few/copy-of-\(name)")
    }
    #expect(try await place.shell("$photolib add pictures").status == 0)
    // The shell names the files; they are found by their content, whatever their names.
    let select = try await place.shell("cd few && $photolib select --limited *.jpg")
    #expect(select.status == 0)
    #expect(select.outputText == "local.default: limited, 2 selected (2 added, 0 removed)\n")
    #expect(select.errorText.contains("sees only 2 selected photos"))
    #expect(select.errorText.contains("photolib select --full"))

    let limited = try await place.shell("$photolib fetch --thumbs --json")
    #expect(limited.status == 0)
    #expect(limited.errorText.contains("photolib select --full"))
    let assets = try JSONValue(limited.output).array
    #expect(assets.compactMap { $0["originalFilename"]?.string } == ["a-1.jpg", "a-4.jpg"])
    #expect(try place.names(in: "thumbs").count == 2)

    let full = try await place.shell("$photolib select --full")
    #expect(full.status == 0)
    #expect(full.outputText.hasPrefix("local.default: authorized, 2 selected"))
    let all = try await place.shell("$photolib fetch --thumbs")
    #expect(all.status == 0)
    #expect(all.outputLines.count == 6)
    #expect(!all.errorText.contains("hint"))
    #expect(try place.names(in: "thumbs").count == 6)
  }

  @Test("A limited client gets exactly its selection, oldest first, and cannot tell of more")
  func exactlyTheSelection() async throws {
    let (place, ids) = try await library(of: 8)
    let chosen = [ids[5], ids[0], ids[3]]
    let select = try await place.photolib(
      "select", "--limited", "-c", Self.frame, chosen[0], chosen[1], chosen[2], "--json")
    #expect(select.status == 0)
    let outcome = try JSONValue(select.output)
    #expect(outcome.keys == ["client", "status", "selected", "added", "removed"])
    #expect(outcome["client"]?.string == Self.frame)
    #expect(outcome["status"]?.string == "limited")
    #expect(outcome["selected"]?.integer == 3)
    #expect(outcome["added"]?.integer == 3)

    let fetch = try await place.photolib("fetch", "-c", Self.frame, "--json")
    #expect(fetch.status == 0)
    let seen = try JSONValue(fetch.output).array.compactMap { $0["localIdentifier"]?.string }
    #expect(seen == [ids[0], ids[3], ids[5]].map { $0 + "/L0/001" })
    let count = try await place.photolib("fetch", "-c", Self.frame, "--count")
    #expect(count.outputText == "3\n")

    // The same words for a photo that it may not see and for one that never was.
    let never = "00000000-0000-4000-8000-000000000000"
    for command in [["show"], ["show", "--json"], ["fetch"], ["fetch", "--ids"]] {
      let forbidden = try await place.run(
        ["-L", place.library.string] + command + ["-c", Self.frame, ids[1]])
      let unknown = try await place.run(
        ["-L", place.library.string] + command + ["-c", Self.frame, never])
      #expect(forbidden.status == 66)
      #expect(unknown.status == 66)
      #expect(forbidden.output == unknown.output)
      #expect(
        forbidden.errorText.replacing(ids[1], with: "ID")
          == unknown.errorText.replacing(never, with: "ID"))
      #expect(unknown.errorText == "photolib: \(never): no such asset\n")
    }
    // The same for prefixes, and for a file whose content is in the library.
    let prefix = try await place.photolib("show", "-c", Self.frame, String(ids[1].prefix(13)))
    #expect(prefix.status == 66)
    #expect(prefix.errorText == "photolib: \(ids[1].prefix(13)): no such asset\n")
    try place.write(TestPicture(date: "2001-01-01 00:00:00").data, as: "new.jpg")
    let inside = try await place.photolib("show", "-c", Self.frame, "pictures/a-1.jpg")
    let outside = try await place.photolib("show", "-c", Self.frame, "new.jpg")
    #expect(inside.status == 66)
    #expect(
      inside.errorText.replacing("pictures/a-1.jpg", with: "F")
        == outside.errorText.replacing("new.jpg", with: "F"))

    let some = try await place.photolib("show", "-c", Self.frame, ids[0], ids[1], "--json")
    #expect(some.status == 1)
    #expect(try JSONValue(some.output).array.count == 1)
    #expect(some.errorText == "photolib: \(ids[1]): no such asset\n")
  }

  @Test("Row 15: A client about which nothing was decided gets an empty result, a hint and 77")
  func neverDecided() async throws {
    let (place, ids) = try await library(of: 2)
    let fetch = try await place.photolib("fetch", "-c", "org.example.stranger", "--json")
    #expect(fetch.status == 77)
    #expect(fetch.outputText == "[]\n")
    #expect(fetch.errorLines.count == 2)
    #expect(fetch.errorText.contains("hint: "))
    let count = try await place.photolib("fetch", "-c", "org.example.stranger", "--count")
    #expect(count.outputText == "0\n")
    #expect(count.status == 77)
    let thumbs = try await place.photolib("fetch", "-c", "org.example.stranger", "--thumbs")
    #expect(thumbs.status == 77)
    #expect(try !place.names(in: ".").contains("thumbs"))

    // One text for every id, also for what is no id.
    var texts: Set<String> = []
    for id in [ids[0], "00000000-0000-4000-8000-000000000000", "zzz", "missing.jpg", "ab"] {
      let show = try await place.photolib("show", "-c", "org.example.stranger", id)
      #expect(show.status == 77)
      #expect(show.output.isEmpty)
      texts.insert(show.errorText)
    }
    #expect(texts.count == 1)
    // Asking made no client.
    let clients = try JSONValue(try await place.photolib("access", "--json").output)
    #expect(
      try clients["clients"]?.array.compactMap { $0["client"]?.string } == ["local.default"])
  }

  @Test("A selection changes as a whole or not at all")
  func allOrNothing() async throws {
    let (place, ids) = try await library(of: 4)
    #expect(
      try await place.photolib("select", "--limited", "-c", Self.frame, ids[0]).status == 0)
    try place.write(TestPicture(date: "2001-01-01 00:00:00").data, as: "new.jpg")
    for option in ["--limited", "--add", "--remove"] {
      let result = try await place.photolib(
        "select", option, "-c", Self.frame, ids[1], "new.jpg", "missing.jpg", "zz")
      #expect(result.status == 66)
      #expect(result.output.isEmpty)
      #expect(result.errorLines.count == 3)
      #expect(result.errorText.contains("new.jpg: no asset has the content of this file"))
      #expect(result.errorText.contains("missing.jpg: "))
      #expect(result.errorText.contains("zz: no such asset"))
    }
    #expect(
      try await place.photolib("fetch", "-c", Self.frame, "--ids").outputText == ids[0] + "\n")
  }

  @Test("A selection grows, shrinks, ends, and is kept through --deny and --full")
  func changes() async throws {
    let (place, ids) = try await library(of: 5)
    func selected() async throws -> [String] {
      try JSONValue(try await place.photolib("select", "-c", Self.frame, "--json").output)[
        "assets"]?
        .array.compactMap { $0.string.map { String($0.prefix(36)) } } ?? []
    }
    func seen() async throws -> [String] {
      try await place.photolib("fetch", "-c", Self.frame, "--ids").outputLines.map(String.init)
    }

    // Neither adds to nor takes from the selection of a client that is not limited.
    let early = try await place.photolib("select", "--add", "-c", Self.frame, ids[0])
    #expect(early.status == 64)
    #expect(early.errorText.contains("hint: "))

    let range = try await place.photolib(
      "select", "--limited", "-c", Self.frame, "--from", "2024-03-02", "--to", "2024-03-03")
    #expect(range.status == 0)
    #expect(try await seen() == [ids[1], ids[2]])
    let add = try await place.photolib(
      "select", "--add", "-c", Self.frame, "-", "--json",
      input: "\(ids[4])/L0/001\n\n \(ids[2])\r\n")
    #expect(try JSONValue(add.output)["added"]?.integer == 1)
    #expect(try JSONValue(add.output)["selected"]?.integer == 3)
    #expect(try await seen() == [ids[1], ids[2], ids[4]])
    let remove = try await place.photolib(
      "select", "--remove", "-c", Self.frame, ids[2].lowercased(), "--json")
    #expect(try JSONValue(remove.output)["removed"]?.integer == 1)
    #expect(try await seen() == [ids[1], ids[4]])

    let deny = try await place.photolib("select", "--deny", "-c", Self.frame, "--json")
    #expect(try JSONValue(deny.output)["status"]?.string == "denied")
    #expect(try JSONValue(deny.output)["selected"]?.integer == 2)
    #expect(try await place.photolib("fetch", "-c", Self.frame).status == 77)
    #expect(try await place.photolib("select", "--full", "-c", Self.frame).status == 0)
    #expect(try await seen() == ids)
    #expect(
      try await place.photolib("access", "grant", "--limited", "-c", Self.frame).status == 0)
    #expect(try await seen() == [ids[1], ids[4]])
    #expect(try await selected() == [ids[1], ids[4]])

    let none = try await place.photolib("select", "--none", "-c", Self.frame)
    #expect(none.status == 0)
    let empty = try await place.photolib("fetch", "-c", Self.frame, "--json")
    #expect(empty.status == 0)
    #expect(empty.outputText == "[]\n")
  }

  @Test("access lists clients and keeps each decision apart")
  func access() async throws {
    let (place, _) = try await library(of: 2)
    let grant = try await place.photolib(
      "access", "grant", "--limited", "--location", "-c", Self.frame, "--json")
    #expect(grant.status == 0)
    let client = try #require(try JSONValue(grant.output)["clients"]?.array.first)
    #expect(
      client.keys == [
        "client", "readWrite", "addOnly", "visible", "location", "requestedAt", "answeredAt",
        "enforced",
      ])
    #expect(client["readWrite"]?.string == "limited")
    #expect(client["addOnly"]?.string == "authorized")
    #expect(client["visible"]?.integer == 0)
    #expect(client["location"]?.bool == true)
    #expect(client["requestedAt"]?.isNull == true)
    #expect(client["enforced"]?.bool == false)

    #expect(try await place.photolib("access", "restrict", "-c", Self.frame).status == 0)
    let list = try await place.photolib("access")
    #expect(
      list.outputLines == [
        "authorized\tauthorized\t2\tyes\tlocal.default",
        "restricted\trestricted\t0\tyes\torg.example.frame",
      ])
    #expect(try await place.photolib("access", "reset", "-c", Self.frame).status == 0)
    let one = try await place.photolib("access", "list", "-c", Self.frame)
    #expect(one.outputText == "notDetermined\tnotDetermined\t0\tyes\torg.example.frame\n")
  }

  @Test("Row 19: Who reads: --client, else $PHOTOLIB_CLIENT, else local.default; --owner sees all")
  func whoReads() async throws {
    let (place, ids) = try await library(of: 3)
    let variable = ["PHOTOLIB_CLIENT": Self.frame]
    // Managing commands ignore the variable: this limits local.default.
    #expect(
      try await place.photolib("select", "--limited", ids[0], ids[1], environment: variable)
        .status == 0)
    #expect(
      try await place.photolib("select", "--limited", ids[2], "-c", Self.frame).status == 0)
    func count(_ options: String..., environment: [String: String] = [:]) async throws -> String {
      try await place.run(
        ["-L", place.library.string, "fetch", "--count"] + options, environment: environment
      ).outputText
    }
    #expect(try await count() == "2\n")
    #expect(try await count(environment: variable) == "1\n")
    #expect(try await count("-c", "local.default", environment: variable) == "2\n")
    #expect(try await count("--owner", environment: variable) == "3\n")
    let hint = try await place.photolib("fetch", "-c", Self.frame).errorText
    #expect(hint.contains("photolib -L \(place.library) select --full -c \(Self.frame)"))
  }
}
