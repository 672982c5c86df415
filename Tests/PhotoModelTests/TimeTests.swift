import PhotoModel
import Testing

@Suite("Time")
struct TimeTests {
  // Seconds by `date -u -d '…' +%s`.
  @Test(
    "A wall clock counts from 1970 as date(1) does",
    arguments: [
      (1970, 1, 1, 0, 0, 0, 0), (2024, 5, 17, 14, 3, 22, 1_715_954_602),
      (2000, 2, 29, 23, 59, 59, 951_868_799), (1969, 12, 31, 23, 59, 59, -1),
      (1826, 1, 1, 0, 0, 0, -4_544_208_000), (1900, 3, 1, 0, 0, 0, -2_203_891_200),
      (2099, 12, 31, 23, 59, 59, 4_102_444_799),
    ] as [(Int, Int, Int, Int, Int, Int, Int)])
  func secondsSince1970(_ row: (Int, Int, Int, Int, Int, Int, Int)) throws {
    let clock = try #require(
      WallClock(
        year: row.0, month: row.1, day: row.2, hour: row.3, minute: row.4, second: row.5,
        nanosecond: 7))
    #expect(clock.nanosecondsSince1970 == Int64(row.6) * 1_000_000_000 + 7)
    #expect(WallClock(nanosecondsSince1970: clock.nanosecondsSince1970) == clock)
  }

  @Test("Every day of the years of photography survives the way there and back")
  func everyDay() throws {
    let first = try #require(WallClock(year: 1826, month: 1, day: 1))
    var day = first.nanosecondsSince1970
    var count = 0
    while let clock = WallClock(nanosecondsSince1970: day) {
      #expect(clock.nanosecondsSince1970 == day)
      day += 86_400 * 1_000_000_000
      count += 1
    }
    // 274 years, 66 of them leap years: 1828 to 2096 are 68, less 1900; 2000 is one.
    #expect(count == 274 * 365 + 67)
  }

  @Test(
    "Dates that do not exist are refused",
    arguments: [
      (2023, 2, 29, 0, 0, 0), (1900, 2, 29, 0, 0, 0), (2024, 4, 31, 0, 0, 0),
      (2024, 13, 1, 0, 0, 0), (2024, 0, 1, 0, 0, 0), (2024, 1, 0, 0, 0, 0),
      (2024, 1, 1, 24, 0, 0), (2024, 1, 1, 0, 60, 0), (2024, 1, 1, 0, 0, 60),
      (0, 0, 0, 0, 0, 0), (1825, 12, 31, 0, 0, 0), (2100, 1, 1, 0, 0, 0), (9999, 1, 1, 0, 0, 0),
    ])
  func impossible(_ row: (Int, Int, Int, Int, Int, Int)) {
    #expect(
      WallClock(
        year: row.0, month: row.1, day: row.2, hour: row.3, minute: row.4, second: row.5) == nil)
  }

  @Test("A creation date is written with the camera's clock and offset, milliseconds cut")
  func creationDateText() throws {
    let clock = try #require(
      WallClock(
        year: 2024, month: 5, day: 17, hour: 14, minute: 3, second: 22, nanosecond: 123_999_999))
    func text(_ minutes: Int) throws -> String {
      CreationDate(
        wallClock: clock, offset: try #require(UTCOffset(minutes: minutes)), isOffsetKnown: true,
        source: .exifDateTimeOriginal
      ).rfc3339
    }
    #expect(try text(120) == "2024-05-17T14:03:22.123+02:00")
    #expect(try text(-330) == "2024-05-17T14:03:22.123-05:30")
    #expect(try text(0) == "2024-05-17T14:03:22.123+00:00")
  }

  @Test("An offset moves the moment against the wall clock, east is earlier")
  func offsets() throws {
    let clock = try #require(WallClock(year: 2024, month: 1, day: 1, hour: 1))
    let east = try #require(UTCOffset(minutes: 120))
    let west = try #require(UTCOffset(minutes: -420))
    #expect(clock.instant(at: east).rfc3339() == "2023-12-31T23:00:00.000Z")
    #expect(clock.instant(at: west).rfc3339() == "2024-01-01T08:00:00.000Z")
    #expect(clock.instant(at: west).wallClock(at: west) == clock)
    #expect(UTCOffset(minutes: 18 * 60 + 1) == nil)
  }

  @Test("Moments outside the years of photography are written without a trap")
  func extremes() {
    #expect(Instant(nanoseconds: .min).rfc3339() == "1826-01-01T00:00:00.000Z")
    #expect(Instant(nanoseconds: .max).rfc3339() == "2099-12-31T23:59:59.999Z")
  }
}
