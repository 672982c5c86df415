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

  /// Returns nil for what is no date, or outside the years of photography.
  init?(_ text: String) {
    var reader = DateReader(text)
    guard let year = reader.digits(4) else { return nil }
    var month: Int?
    var day: Int?
    if reader.skip("-") {
      month = reader.digits(2)
      guard month != nil else { return nil }
      if reader.skip("-") {
        day = reader.digits(2)
        guard day != nil else { return nil }
      }
    }
    var time: (hour: Int, minute: Int, second: Int, nanosecond: Int) = (0, 0, 0, 0)
    var unit: Int64 = 86_400_000_000_000
    if day != nil, reader.skip("T") || reader.skip("t") || reader.skip(" ") {
      guard let hour = reader.digits(2), reader.skip(":"), let minute = reader.digits(2) else {
        return nil
      }
      unit = 60_000_000_000
      time = (hour, minute, 0, 0)
      if reader.skip(":") {
        guard let second = reader.digits(2) else { return nil }
        time.second = second
        unit = 1_000_000_000
        if reader.skip(".") {
          guard let fraction = reader.fraction() else { return nil }
          time.nanosecond = fraction.nanoseconds
          unit = Int64(fraction.unit)
        }
      }
    }
    var offset: UTCOffset?
    if day != nil, !reader.isAtEnd {
      guard let found = reader.offset() else { return nil }
      offset = found
    }
    guard reader.isAtEnd,
      let start = WallClock(
        year: year, month: month ?? 1, day: day ?? 1, hour: time.hour, minute: time.minute,
        second: time.second, nanosecond: time.nanosecond)
    else { return nil }
    self.start = start
    self.offset = offset
    namesDay = day != nil
    if day != nil {
      end = WallClock(nanosecondsSince1970: start.nanosecondsSince1970 + unit)
    } else if let month, month < 12 {
      end = WallClock(year: year, month: month + 1, day: 1)
    } else {
      end = WallClock(year: year + 1, month: 1, day: 1)
    }
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

  /// The decimals of a second, 1 to 9 of them, and the length of the last one, in nanoseconds.
  mutating func fraction() -> (nanoseconds: Int, unit: Int)? {
    let count = rest.prefix(while: Self.isDigit).count
    guard (1...9).contains(count), let value = digits(count) else { return nil }
    let unit = (count..<9).reduce(1) { product, _ in product * 10 }
    return (value * unit, unit)
  }

  /// `Z`, `+02:00`, `+0200` or `+02`.
  mutating func offset() -> UTCOffset? {
    if skip("Z") || skip("z") { return .utc }
    let sign: Int
    if skip("+") {
      sign = 1
    } else if skip("-") {
      sign = -1
    } else {
      return nil
    }
    guard let hours = digits(2) else { return nil }
    if isAtEnd { return UTCOffset(minutes: sign * hours * 60) }
    _ = skip(":")
    guard let minutes = digits(2), minutes < 60 else { return nil }
    return UTCOffset(minutes: sign * (hours * 60 + minutes))
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
