import PhotoLibrary
import Testing

@testable import photolib

@Suite("Dates of the command line")
struct DateArgumentTests {
  private func wall(
    _ year: Int, _ month: Int = 1, _ day: Int = 1, _ hour: Int = 0, _ minute: Int = 0,
    _ second: Int = 0, _ nanosecond: Int = 0
  ) throws -> WallClock {
    try #require(
      WallClock(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second,
        nanosecond: nanosecond))
  }

  @Test("Without an offset a date is a range of the wall clock, the whole unit included")
  func units() throws {
    let cases: [(String, WallClock, WallClock)] = [
      ("2024", try wall(2024), try wall(2025)),
      ("2024-02", try wall(2024, 2), try wall(2024, 3)),
      ("2024-12", try wall(2024, 12), try wall(2025)),
      ("2024-02-28", try wall(2024, 2, 28), try wall(2024, 2, 29)),
      ("2023-02-28", try wall(2023, 2, 28), try wall(2023, 3)),
      ("2024-12-31", try wall(2024, 12, 31), try wall(2025)),
      ("2024-05-01T23:59", try wall(2024, 5, 1, 23, 59), try wall(2024, 5, 2)),
      ("2024-05-01 14:30", try wall(2024, 5, 1, 14, 30), try wall(2024, 5, 1, 14, 31)),
      ("2024-05-01T14:30:59", try wall(2024, 5, 1, 14, 30, 59), try wall(2024, 5, 1, 14, 31)),
      (
        "2024-05-01T14:30:05.25", try wall(2024, 5, 1, 14, 30, 5, 250_000_000),
        try wall(2024, 5, 1, 14, 30, 5, 260_000_000)
      ),
    ]
    for (text, start, end) in cases {
      let date = try DateArgument(text)
      #expect(date.lowerBound == .wallClock(start), "\(text)")
      #expect(date.upperBound == .wallClock(end), "\(text)")
    }
  }

  @Test("With an offset a date is a range of moments")
  func offsets() throws {
    // 2024-05-01T00:00+02:00 is 2024-04-30T22:00Z, which is 1714514400 seconds after 1970.
    let day = try DateArgument("2024-05-01+02:00")
    #expect(day.lowerBound == .instant(Instant(nanoseconds: 1_714_514_400_000_000_000)))
    #expect(day.upperBound == .instant(Instant(nanoseconds: 1_714_600_800_000_000_000)))
    for text in ["2024-04-30T22:00Z", "2024-04-30T22:00:00+00:00", "2024-04-30 16:30-0530"] {
      #expect((try? DateArgument(text))?.lowerBound == day.lowerBound, "\(text)")
    }
  }

  @Test("The last year of photography has no bound behind it")
  func lastYear() throws {
    #expect(try DateArgument("2099").upperBound == nil)
    #expect(try DateArgument("2099-12-31").upperBound == nil)
  }

  @Test("Digits of a second behind the ninth are dropped")
  func longFraction() throws {
    let long = try DateArgument("2024-05-01T14:30:05.12345678999Z")
    #expect(long == (try DateArgument("2024-05-01T14:30:05.123456789Z")))
  }

  @Test(
    "What is no date is refused, and told why",
    arguments: [
      (
        .form,
        [
          "", "24", "02024", "2024-", "2024-5", "2024-05-01T", "2024-05-01T14",
          "2024-05-01T14:30.5", "2024-05-01T14:30:05.", "2024-05T14:30", "2024Z", "2024-05-01X",
          "٢٠٢٤", " 2024", "2024 ", "2024-05-01 ", "yesterday", "2024:05:01",
        ]
      ),
      (.year, ["1825", "2100", "0000-13-40", "2100-01-01T00:00"]),
      (.month(0), ["2024-00", "2024-00-01"]), (.month(13), ["2024-13", "2024-13-32T25:00"]),
      (.day(30, month: 2, year: 2024), ["2024-02-30"]),
      (.day(29, month: 2, year: 2023), ["2023-02-29", "2023-02-29T25:00+99:00"]),
      (.day(0, month: 5, year: 2024), ["2024-05-00"]),
      (.time, ["2024-05-01T24:00", "2024-05-01T14:60", "2024-05-01T14:30:60"]),
      (
        .offset,
        [
          "2024-05-01T14:30+19:00", "2024-05-01T14:30+02:60", "2024-05-01T14:30+14:01",
          "2024-05-01-12:30",
        ]
      ),
    ] as [(DateProblem, [String])])
  func noDate(problem: DateProblem, texts: [String]) {
    for text in texts {
      #expect(throws: problem, "\(text)") { try DateArgument(text) }
    }
  }
}

@Suite("Printing")
struct PrintingTests {
  @Test("Names are printed on one line, without control, and without loss")
  func printableNames() {
    #expect(printable("Grüße 写真.jpg") == "Grüße 写真.jpg")
    #expect(printable("a\nb\tc\rd\u{1B}[31m\u{7F}") == #"a\nb\tc\rd\x1b[31m\x7f"#)
    #expect(printable(#"a\n"#) == #"a\\n"#)
    #expect(printable([0x61, 0xFF, 0xC3, 0x28, 0xE2, 0x82]) == #"a\xff\xc3(\xe2\x82"#)
    #expect(
      printable("\u{85}\u{9B}\u{202E}\u{2066}\u{2028}") == #"\u{85}\u{9b}\u{202e}\u{2066}\u{2028}"#)
    #expect(printable("👨‍👩‍👧") == "👨‍👩‍👧")
    #expect(printableMessage("C:\\x\n") == #"C:\x\n"#)
  }

  @Test("JSON keeps its order and escapes what must be")
  func json() throws {
    let value = JSON.object([
      ("z", .string("a\"b\\c\n\u{1B}\u{202E}é")), ("a", .array([.integer(1), .null, .bool(true)])),
      ("n", .number(-0.5)), ("i", .number(.infinity)), ("e", .object([])),
    ])
    #expect(
      value.text
        == #"{"z":"a\"b\\c\n\u001b\u202eé","a":[1,null,true],"n":-0.5,"i":null,"e":{}}"#)
    #expect(try JSONValue(Array(value.text.utf8))["z"]?.string == "a\"b\\c\n\u{1B}\u{202E}é")
  }

  @Test("Columns are counted as a terminal shows them")
  func widths() {
    #expect(displayWidth("abc") == 3)
    #expect(displayWidth("写真") == 4)
    #expect(displayWidth("e\u{301}") == 1)
    #expect(displayWidth("👨‍👩‍👧") == 2)
    #expect(cut("写真写真", toColumns: 5) == "写真…")
    #expect(cut("abc", toColumns: 3) == "abc")
    #expect(pad("写", toColumns: 4) == "写  ")
    #expect(pad("1", toColumns: 3, alignedRight: true) == "  1")
  }

  @Test("The progress line has rate and time left and fits the terminal")
  func progress() {
    let half = Progress.line(
      verb: "adding", done: 50, total: 100, elapsed: .seconds(5), columns: 80)
    #expect(half == "adding [###############               ] 50/100  10.0/s  0:05 left")
    let long = Progress.line(
      verb: "adding", done: 1, total: 10_000, elapsed: .seconds(1), columns: 80)
    #expect(long.hasSuffix("1/10000  1.0/s  2:46:39 left"))
    for columns in [1, 10, 20, 40, 60] {
      let line = Progress.line(
        verb: "thumbnails", done: 7, total: 10, elapsed: .seconds(3), columns: columns)
      #expect(displayWidth(line) < columns)
    }
    #expect(
      Progress.line(verb: "adding", done: 3, total: 0, elapsed: .zero, columns: 80)
        .hasSuffix("3/3"))
  }
}
