/// A moment in nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Spans 1677 to 2262; dates of photographs are accepted from 1826 to 2099.
public struct Instant: Hashable, Sendable, Comparable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public var nanoseconds: Int64

  /// Wraps a count of nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Orders two values, the smaller first.
  public static func < (first: Instant, second: Instant) -> Bool {
    first.nanoseconds < second.nanoseconds
  }
}

/// A difference from UTC in whole minutes, positive east of Greenwich.
public struct UTCOffset: Hashable, Sendable, CustomStringConvertible {
  /// Minutes east of Greenwich.
  public let minutes: Int

  /// Returns nil outside -18:00 to +18:00 (the range of ISO 8601 profiles such as `java.time`).
  public init?(minutes: Int) {
    guard (-18 * 60...18 * 60).contains(minutes) else { return nil }
    self.minutes = minutes
  }

  private init(zero: Void) { minutes = 0 }

  /// The minutes of the offsets that clocks have: -12:00 to +14:00, as the world's time zones are.
  public static let minutesInUse = -12 * 60...14 * 60

  /// No difference from UTC.
  public static let utc = UTCOffset(zero: ())

  /// As RFC 3339 writes it: `+02:00`, `-07:30`, `+00:00`.
  public var description: String {
    let magnitude = abs(minutes)
    return (minutes < 0 ? "-" : "+") + padded(magnitude / 60, 2) + ":" + padded(magnitude % 60, 2)
  }
}

/// A date and time as a clock on the wall shows it, in the proleptic Gregorian calendar, without a zone.
public struct WallClock: Hashable, Sendable, Comparable {
  /// 1826 to 2099.
  public let year: Int
  /// 1 to 12.
  public let month: Int
  /// 1 to 31.
  public let day: Int
  /// 0 to 23.
  public let hour: Int
  /// 0 to 59.
  public let minute: Int
  /// 0 to 59.
  public let second: Int
  /// 0 to 999,999,999.
  public let nanosecond: Int

  /// The years in which a photograph can have been taken: 1826 (the oldest one known) to 2099.
  public static let yearsOfPhotography = 1826...2099

  /// Checks every field; returns nil for a date that does not exist or lies outside the years of
  /// photography.
  ///
  /// Second 60 does not exist here.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    nanosecond: Int = 0
  ) {
    guard Self.yearsOfPhotography.contains(year), (1...12).contains(month),
      (1...Self.days(inMonth: month, year: year)).contains(day), (0...23).contains(hour),
      (0...59).contains(minute), (0...59).contains(second), (0...999_999_999).contains(nanosecond)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.nanosecond = nanosecond
  }

  /// The number of days of a month.
  public static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// The nanoseconds since 1970-01-01T00:00:00 on the same wall.
  public var nanosecondsSince1970: Int64 {
    // Days from civil date, counting years from March so that the leap day ends them.
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
    return Int64(seconds) * 1_000_000_000 + Int64(nanosecond)
  }

  /// The wall clock that shows this many nanoseconds since 1970-01-01T00:00:00 on the same wall, or
  /// nil outside the years of photography.
  public init?(nanosecondsSince1970 total: Int64) {
    let perDay: Int64 = 86_400 * 1_000_000_000
    var days = Int(total / perDay)
    var rest = total % perDay
    if rest < 0 {
      rest += perDay
      days -= 1
    }
    let z = days + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let m = (5 * dayOfYear + 2) / 153
    let month = m < 10 ? m + 3 : m - 9
    let seconds = Int(rest / 1_000_000_000)
    self.init(
      year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
      day: dayOfYear - (153 * m + 2) / 5 + 1, hour: seconds / 3_600, minute: seconds / 60 % 60,
      second: seconds % 60, nanosecond: Int(rest % 1_000_000_000))
  }

  /// The moment at which a clock with this offset shows this time.
  public func instant(at offset: UTCOffset) -> Instant {
    Instant(nanoseconds: nanosecondsSince1970 - Int64(offset.minutes) * 60_000_000_000)
  }

  /// Orders two values, the smaller first.
  public static func < (first: WallClock, second: WallClock) -> Bool {
    first.nanosecondsSince1970 < second.nanosecondsSince1970
  }
}

extension Instant {
  /// What a clock with this offset shows at this moment, or nil outside the years of photography.
  public func wallClock(at offset: UTCOffset) -> WallClock? {
    let (wall, overflow) = nanoseconds.addingReportingOverflow(
      Int64(offset.minutes) * 60_000_000_000)
    return overflow ? nil : WallClock(nanosecondsSince1970: wall)
  }

  /// RFC 3339 with milliseconds (further digits cut), in UTC unless an offset is given.
  ///
  /// Outside the years of photography the moment is written as the nearest year's limit.
  public func rfc3339(at offset: UTCOffset = .utc) -> String {
    wallClock(at: offset)?.rfc3339(offset: offset)
      ?? (nanoseconds < 0 ? "1826-01-01T00:00:00.000Z" : "2099-12-31T23:59:59.999Z")
  }
}

extension WallClock {
  /// RFC 3339 with milliseconds, further digits cut: `2024-05-17T14:03:22.123+02:00`.
  public func rfc3339(offset: UTCOffset) -> String {
    let date = padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
    let time = padded(hour, 2) + ":" + padded(minute, 2) + ":" + padded(second, 2)
    let zone = offset == .utc ? "Z" : offset.description
    return date + "T" + time + "." + padded(nanosecond / 1_000_000, 3) + zone
  }
}

/// Decimal digits with zeros in front.
func padded(_ value: Int, _ digits: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
