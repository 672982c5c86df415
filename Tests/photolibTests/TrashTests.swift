import Testing

@Suite("Trash", .timeLimit(.minutes(5)))
struct TrashTests {
  @Test("remove puts photos into the trash, restore brings them back, purge ends it")
  func round() async throws {
    let place = try Workplace()
    try place.writePictures(3)
    #expect(try await place.photolib("add", "pictures").status == 0)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    let removed = try await place.photolib("remove", ids[0], ids[1])
    #expect(removed.status == 0)
    #expect(removed.outputText == "2 removed\n")
    #expect(try await place.photolib("fetch", "--ids").outputLines.map(String.init) == [ids[2]])
    let list = try await place.photolib("restore", "--json")
    let trash = try JSONValue(list.output)["trash"]?.array
    #expect(trash?.count == 2)

    let unknown = try await place.photolib("restore", String(ids[0].prefix(8)), "00000000")
    #expect(unknown.status == 66)
    let back = try await place.photolib("restore", String(ids[0].prefix(8)))
    #expect(back.status == 0)
    #expect(back.outputText == "1 restored\n")
    #expect(
      try await place.photolib("fetch", "--ids").outputLines.map(String.init) == [ids[0], ids[2]])

    let unasked = try await place.photolib("purge")
    #expect(unasked.status == 64)
    #expect(unasked.errorText.contains("--yes"))
    let young = try await place.photolib("purge", "--yes", "--older-than", "1h")
    #expect(young.outputText.hasPrefix("0 purged"))
    let purge = try await place.photolib("purge", "--yes", "--json")
    #expect(purge.status == 0)
    #expect(try JSONValue(purge.output)["assets"]?.integer == 1)
    #expect(try await place.photolib("restore").outputText == "")
    #expect(try await place.photolib("check", "--read-data").status == 0)
    // The same file can be added anew.
    #expect(try await place.photolib("add", "pictures", "-q").status == 0)
    #expect(try await place.photolib("fetch", "--ids").outputLines.count == 3)
  }

  @Test("edit changes all that it is told, or nothing")
  func marks() async throws {
    let place = try Workplace()
    try place.writePictures(2)
    #expect(try await place.photolib("add", "pictures").status == 0)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    let edit = try await place.photolib(
      "edit", ids[0], "--favorite", "yes", "--hidden", "yes", "--location", "-33.857,151.215")
    #expect(edit.status == 0)
    let shown = try JSONValue(try await place.photolib("show", ids[0], "--json").output).array[0]
    #expect(shown["isFavorite"]?.bool == true)
    #expect(shown["isHidden"]?.bool == true)
    #expect(shown["location"]?["latitude"]?.number == -33.857)
    #expect(try await place.photolib("fetch", "--ids").outputLines.map(String.init) == [ids[1]])
    for wrong in ["91,0", "1", "1,2,3", "here", "nan,0"] {
      #expect(try await place.photolib("edit", ids[0], "--location", wrong).status == 64)
    }
    #expect(try await place.photolib("edit", ids[1], "--favorite", "maybe").status == 64)
    #expect(
      try await place.photolib("edit", ids[1], "--favorite", "yes", "-c", "org.example.none").status
        == 77)
  }
}
