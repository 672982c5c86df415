package import PhotoModel

/// A date as text gives it.
package struct DateText: Hashable, Sendable {
  package let wallClock: WallClock
  /// The offset that the text itself names, or nil.
  package let offset: UTCOffset?

  package init(wallClock: WallClock, offset: UTCOffset?) {
    self.wallClock = wallClock
    self.offset = offset
  }

  /// Reads the forms of EXIF, ISO 8601 (as XMP and PNG use it) and what lies between them:
  /// `2024:05:17 14:03:22`, `2024-05-17T14:03:22.5+02:00`, `2024/05/17 14:03`, `2024-05-17 14-03-22`, `2024-05-17`.
  ///
  /// A whole day without a time is midnight of that day. Anything that is less than a day, blank, zero,
  /// impossible or followed by something else is no date at all: parts are never made up.
  package init?(_ text: String, fraction: String? = nil) {
    var scanner = TextScanner(text)
    scanner.skipBlanks()
    guard let year = scanner.number(digits: 4), let first = scanner.take(anyOf: ":-/."),
      let month = scanner.number(digits: 2), scanner.take(anyOf: ":-/.") == first,
      let day = scanner.number(digits: 2)
    else { return nil }
    var hour = 0
    var minute = 0
    var second = 0
    var nanosecond = 0
    var offset: UTCOffset?
    let separator = scanner.take(anyOf: "T ")
    scanner.skipBlanks()
    if let separator, !scanner.isAtEnd || separator == UInt8(ascii: "T") {
      guard let hours = scanner.number(digits: 2), let mark = scanner.take(anyOf: ":-."),
        let minutes = scanner.number(digits: 2)
      else { return nil }
      hour = hours
      minute = minutes
      // Dashes and points only where seconds follow: `14-03` could be an hour and an offset.
      let hasSeconds = scanner.next == mark
      guard hasSeconds || mark == UInt8(ascii: ":") else { return nil }
      if hasSeconds {
        scanner.skip()
        guard let seconds = scanner.number(digits: 2) else { return nil }
        second = seconds
        if scanner.take(anyOf: ".,") != nil { nanosecond = scanner.fraction() ?? 0 }
      }
      scanner.skipBlanks()
      if !scanner.isAtEnd {
        guard let found = scanner.offset() else { return nil }
        offset = found
        scanner.skipBlanks()
      }
    }
    guard scanner.isAtEnd else { return nil }
    if let fraction, let value = Self.nanoseconds(fraction: fraction) { nanosecond = value }
    guard
      let wallClock = WallClock(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second,
        nanosecond: nanosecond)
    else { return nil }
    self.init(wallClock: wallClock, offset: offset)
  }

  /// The digits of EXIF's sub-second tags behind the point: `05` is 50 milliseconds.
  ///
  /// Digits behind the ninth are dropped; what is no digit is no fraction.
  static func nanoseconds(fraction text: String) -> Int? {
    var scanner = TextScanner(text)
    scanner.skipBlanks()
    return scanner.fraction()
  }

  /// EXIF's offset tags: `+02:00`, `-05:30`, `Z`; anything else is none.
  static func offset(_ text: String) -> UTCOffset? {
    var scanner = TextScanner(text)
    scanner.skipBlanks()
    let offset = scanner.offset()
    scanner.skipBlanks()
    return scanner.isAtEnd ? offset : nil
  }
}
