import PhotoLibrary

/// A date of the command line: a year, month, day, minute or second, with or without an offset.
///
/// The forms are those of ISO 8601 that a person types: `2024`, `2024-05`, `2024-05-01`,
/// `2024-05-01T14:30`, `2024-05-01 14:30:05.25`, the last three also with `Z`, `+02:00` or `-0730`.
struct DateArgument: Hashable {
  /// The first moment of the unit named.
  private let start: WallClock
  /// The first moment behind it; nil at the end of the years of photography.
  private let end: WallClock?
  private let offset: UTCOffset?
  private let namesDay: Bool

  /// The first moment of the unit named, if that is a day or less: a year alone does not say when.
  var moment: (wallClock: WallClock, offset: UTCOffset?)? { namesDay ? (start, offset) : nil }

  /// The unit and all that follows: what `--from` names.
  var lowerBound: DateBound { bound(start) }

  /// The end of the unit, which itself is left out: what `--to` names; nil for no bound.
  var upperBound: DateBound? { end.map(bound) }

  /// With an offset the moment is meant, without one the camera's own wall clock.
  private func bound(_ wallClock: WallClock) -> DateBound {
    offset.map { .instant(wallClock.instant(at: $0)) } ?? .wallClock(wallClock)
  }

  /// Reads a date of the command line.
  ///
  /// - Throws: what is wrong with it, of several things the first.
  init(_ text: String) throws(DateProblem) {
    guard let parts = Parts(text) else { throw .form }
    let (year, month, day) = (parts.year, parts.month ?? 1, parts.day ?? 1)
    guard WallClock.yearsOfPhotography.contains(year) else { throw .year }
    guard (1...12).contains(month) else { throw .month(month) }
    guard (1...WallClock.days(inMonth: month, year: year)).contains(day) else {
      throw .day(day, month: month, year: year)
    }
    guard
      let start = WallClock(
        year: year, month: month, day: day, hour: parts.hour, minute: parts.minute,
        second: parts.second, nanosecond: parts.nanosecond)
    else { throw .time }
    offset = try parts.offsetMinutes.map { minutes throws(DateProblem) in
      guard let minutes, UTCOffset.minutesInUse.contains(minutes),
        let offset = UTCOffset(minutes: minutes)
      else { throw .offset }
      return offset
    }
    self.start = start
    namesDay = parts.day != nil
    if parts.day != nil {
      end = WallClock(nanosecondsSince1970: start.nanosecondsSince1970 + parts.unit)
    } else if let month = parts.month, month < 12 {
      end = WallClock(year: year, month: month + 1, day: 1)
    } else {
      end = WallClock(year: year + 1, month: 1, day: 1)
    }
  }
}

/// What is wrong with a date of the command line.
enum DateProblem: Error, Hashable {
  case form
  case year
  case month(Int)
  case day(Int, month: Int, year: Int)
  case time
  case offset

  /// The words that stand behind the date in an error.
  var why: String {
    let years = WallClock.yearsOfPhotography
    switch self {
    case .form: return "is in no form of a date"
    case .year: return "is outside of the years \(years.lowerBound) to \(years.upperBound)"
    case .month(let month): return "there is no month \(month)"
    case .day(let day, let month, let year):
      let days = WallClock.days(inMonth: month, year: year)
      return "there is no day \(day) in month \(month) of \(year), which has \(days)"
    case .time: return "its time is none from 00:00:00 to 23:59:59"
    case .offset: return "its offset is none from -12:00 to +14:00"
    }
  }
}

/// The numbers that a date is written with, whether or not there is such a date.
private struct Parts {
  let year: Int
  var month: Int?
  var day: Int?
  var hour = 0
  var minute = 0
  var second = 0
  var nanosecond = 0
  /// The nanoseconds of the smallest unit named, a day or less.
  var unit: Int64 = 86_400_000_000_000
  /// Nil without an offset; nil inside for minutes of 60 and more.
  var offsetMinutes: Int??

  /// Returns nil for what is in none of the forms.
  init?(_ text: String) {
    var reader = DateReader(text)
    guard let year = reader.digits(4) else { return nil }
    self.year = year
    if reader.skip("-") {
      month = reader.digits(2)
      guard month != nil else { return nil }
      if reader.skip("-") {
        day = reader.digits(2)
        guard day != nil else { return nil }
      }
    }
    if day != nil, reader.skip("T") || reader.skip("t") || reader.skip(" ") {
      guard let hour = reader.digits(2), reader.skip(":"), let minute = reader.digits(2) else {
        return nil
      }
      self.hour = hour
      self.minute = minute
      unit = 60_000_000_000
      if reader.skip(":") {
        guard let second = reader.digits(2) else { return nil }
        self.second = second
        unit = 1_000_000_000
        if reader.skip(".") {
          guard let fraction = reader.fraction() else { return nil }
          nanosecond = fraction.nanoseconds
          unit = Int64(fraction.unit)
        }
      }
    }
    if day != nil, !reader.isAtEnd {
      guard let minutes = reader.offsetMinutes() else { return nil }
      offsetMinutes = .some(minutes)
    }
    guard reader.isAtEnd else { return nil }
  }
}

/// Reads the parts of a date from the front of a text.
private struct DateReader {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = text[...].utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Exactly so many decimal digits.
  mutating func digits(_ count: Int) -> Int? {
    let part = rest.prefix(count)
    guard part.count == count, part.allSatisfy(Self.isDigit) else { return nil }
    rest = rest.dropFirst(count)
    return part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// The decimals of a second, those behind the ninth dropped, and the length of the last one, in
  /// nanoseconds.
  mutating func fraction() -> (nanoseconds: Int, unit: Int)? {
    let count = min(9, rest.prefix(while: Self.isDigit).count)
    guard count > 0, let value = digits(count) else { return nil }
    rest = rest.drop(while: Self.isDigit)
    let unit = (count..<9).reduce(1) { product, _ in product * 10 }
    return (value * unit, unit)
  }

  /// `Z`, `+02:00`, `+0200` or `+02`; nil inside for minutes of 60 and more.
  mutating func offsetMinutes() -> Int?? {
    if skip("Z") || skip("z") { return .some(0) }
    let sign: Int
    if skip("+") {
      sign = 1
    } else if skip("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hours = digits(2) else { return nil }
    if isAtEnd { return .some(sign * hours * 60) }
    _ = skip(":")
    guard let minutes = digits(2) else { return nil }
    return .some(minutes < 60 ? sign * (hours * 60 + minutes) : nil)
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
