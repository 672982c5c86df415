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

  @Test("edit --date original goes back to what the file says")
  func original() async throws {
    let place = try Workplace()
    try place.writePictures(2)
    #expect(try await place.photolib("add", "pictures").status == 0)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    let before = try JSONValue(try await place.photolib("show", ids[1], "--json").output).array
    let long = "1998-07-12T15:30:05.12345678987654321"
    #expect(try await place.photolib("edit", ids[1], "--date", long).status == 0)
    #expect(
      try await place.photolib("fetch", "--ids").outputLines.map(String.init) == [ids[1], ids[0]])

    let edit = try await place.photolib("edit", ids[1], "--date", "original")
    #expect(edit.status == 0)
    #expect(edit.outputText == "1 changed\n")
    let after = try JSONValue(try await place.photolib("show", ids[1], "--json").output).array
    for key in ["creationDate", "creationDateSource"] {
      #expect(after[0][key]?.string == before[0][key]?.string)
    }
    #expect(try await place.photolib("fetch", "--ids").outputLines.map(String.init) == ids)
    #expect(try await place.photolib("check", "--read-data").status == 0)
  }

  @Test(
    "A date that names no day, no date at all, two dates or no photo is wrong usage, and told why",
    arguments: [
      (["edit", "ID", "--date", "2024"], "--date 2024: names no day"),
      (["edit", "ID", "--date", "2024-05"], "--date 2024-05: names no day"),
      (
        ["edit", "ID", "--date", "2024-02-30"],
        "--date 2024-02-30: there is no day 30 in month 2 of 2024, which has 29"
      ),
      (["edit", "ID", "--date", "2024-13-01"], "--date 2024-13-01: there is no month 13"),
      (
        ["edit", "ID", "--date", "1825-12-31"],
        "--date 1825-12-31: is outside of the years 1826 to 2099"
      ),
      (
        ["edit", "ID", "--date", "2024-05-01T14:30+15:00"],
        "--date 2024-05-01T14:30+15:00: its offset is none from -12:00 to +14:00"
      ),
      (
        ["edit", "ID", "--date", "2024-05-01T24:00"],
        "--date 2024-05-01T24:00: its time is none from 00:00:00 to 23:59:59"
      ),
      (["edit", "ID", "--date", "yesterday"], "--date yesterday: is in no form of a date"),
      (["edit", "ID", "--date", "Original"], "--date Original: is in no form of a date"),
      (["edit", "ID", "--date", ""], "--date : is in no form of a date"),
      (["edit", "ID", "--date", "2024-05-01", "--date", "2024-05-01"], "--date: is given twice"),
      (["edit", "ID"], "edit: nothing to change is named"),
      (["edit", "--date", "2024-05-01"], "edit: no photo is named"),
      (["edit", "--date", "original"], "edit: no photo is named"),
    ])
  func usage(_ arguments: [String], _ error: String) async throws {
    let place = try Workplace()
    try place.writePictures(1)
    #expect(try await place.photolib("add", "pictures").status == 0)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    let run = try await place.run(
      ["-L", place.library.string] + arguments.map { $0 == "ID" ? ids[0] : $0 })
    #expect(run.status == 64)
    #expect(run.outputText == "")
    #expect(run.errorText.hasPrefix("photolib: \(error)\n"))
  }
}
