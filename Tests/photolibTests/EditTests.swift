import PhotoLibraryTesting
import PhotoModel
import Testing

@Suite("Editing", .timeLimit(.minutes(5)))
struct EditTests {
  @Test("edit --date corrects the date, and show still lists what the file says")
  func date() async throws {
    let place = try Workplace()
    try place.writePictures(3)
    #expect(try await place.photolib("add", "pictures").status == 0)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    let before = try JSONValue(try await place.photolib("show", ids[2], "--json").output).array

    let edit = try await place.photolib("edit", ids[2], "--date", "1998-07-12 15:30:05+02:00")
    #expect(edit.status == 0)
    #expect(edit.outputText == "1 changed\n")
    let after = try JSONValue(try await place.photolib("show", ids[2], "--json").output).array
    #expect(after[0]["creationDate"]?.string == "1998-07-12T15:30:05.000+02:00")
    #expect(after[0]["creationDateSource"]?.string == "edited")
    #expect(after[0]["sha256"]?.string == before[0]["sha256"]?.string)
    let candidates = try after[0]["dateCandidates"]?.array.count
    #expect(try candidates == before[0]["dateCandidates"]?.array.count)
    let order = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    #expect(order == [ids[2], ids[0], ids[1]])
    #expect(try await place.photolib("check", "--read-data").status == 0)
  }

  @Test("One unknown photo, and nothing is changed")
  func allOrNone() async throws {
    let place = try Workplace()
    try place.writePictures(2)
    #expect(try await place.photolib("add", "pictures").status == 0)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    let unknown = "00000000-0000-4000-8000-000000000000"
    let edit = try await place.photolib("edit", ids[1], unknown, "--date", "1998-07-12")
    #expect(edit.status == 66)
    #expect(edit.outputText == "")
    #expect(try await place.photolib("fetch", "--ids").outputLines.map(String.init) == ids)
  }

  @Test(
    "A date that names no day, no date at all or no photo is wrong usage",
    arguments: [
      ["edit", "ID", "--date", "2024"], ["edit", "ID", "--date", "2024-05"],
      ["edit", "ID", "--date", "2024-02-30"], ["edit", "ID", "--date", "yesterday"],
      ["edit", "ID", "--date", ""], ["edit", "ID"], ["edit", "--date", "2024-05-01"],
    ])
  func usage(_ arguments: [String]) async throws {
    let place = try Workplace()
    try place.writePictures(1)
    #expect(try await place.photolib("add", "pictures").status == 0)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    let run = try await place.run(
      ["-L", place.library.string] + arguments.map { $0 == "ID" ? ids[0] : $0 })
    #expect(run.status == 64)
    #expect(run.outputText == "")
  }
}
