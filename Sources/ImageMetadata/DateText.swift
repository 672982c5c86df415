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

  /// Reads the forms of EXIF, ISO 8601 (as XMP and PNG use it) and what lies between them.
  ///
  /// `2024:05:17 14:03:22`, `2024-05-17T14:03:22.5+02:00`, `2024/05/17 14:03`, `2024-05-17 14-03-22`, `2024-05-17`.
  /// A blank may stand for a zero in front (`2024: 5: 7  4:03:22`), NULs for the blank between day and time.
  ///
  /// A whole day without a time is midnight of that day. Anything that is less than a day, blank, zero,
  /// impossible or followed by something else is no date at all: parts are never made up. An offset
  /// that no clock has (`+25:00`) costs only itself.
  ///
  /// - Parameters:
  ///   - text: at most the first 256 bytes count.
  ///   - fraction: the digits of a second from elsewhere, which count before those in the text.
  ///   - namesZones: whether the offset may also be a zone's name (`UTC`, `CET`).
  package init?(_ text: String, fraction: String? = nil, namesZones: Bool = false) {
    var scanner = TextScanner(text)
    scanner.skipBlanks()
    guard let year = scanner.number(digits: 4), let first = scanner.take(anyOf: ":-/."),
      let month = scanner.field(), scanner.take(anyOf: ":-/.") == first,
      let day = scanner.field()
    else { return nil }
    var hour = 0
    var minute = 0
    var second = 0
    var nanosecond = 0
    var offset: UTCOffset?
    let isMarked = scanner.take(anyOf: "T") != nil
    let isApart = scanner.skipGap()
    if isMarked || isApart && scanner.next != nil {
      // The blank for a zero in front was skipped with the others.
      guard let hours = scanner.number(digits: 2) ?? scanner.number(digits: 1),
        let mark = scanner.take(anyOf: ":-."), let minutes = scanner.field()
      else { return nil }
      hour = hours
      minute = minutes
      // Dashes and points only where seconds follow: `14-03` could be an hour and an offset.
      let hasSeconds = scanner.next == mark
      guard hasSeconds || mark == UInt8(ascii: ":") else { return nil }
      if hasSeconds {
        scanner.skip()
        guard let seconds = scanner.field() else { return nil }
        second = seconds
        if scanner.take(anyOf: ".,") != nil { nanosecond = scanner.fraction() ?? 0 }
      }
      // In `14:03-22` that may be a second behind a wrong mark.
      let mustBeKnown = !hasSeconds && scanner.next == UInt8(ascii: "-")
      scanner.skipBlanks()
      if !scanner.isAtEnd {
        guard let found = namesZones ? scanner.zone() : scanner.offset(),
          found != .unknown || !mustBeKnown
        else { return nil }
        offset = found.value
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

  /// EXIF's offset tags: `+02:00`, `-05:30`, `+5:45`, `Z`; anything else, and what no clock has, is none.
  static func offset(_ text: String) -> UTCOffset? {
    var scanner = TextScanner(text)
    scanner.skipBlanks()
    let offset = scanner.offset()
    scanner.skipBlanks()
    return scanner.isAtEnd ? offset?.value : nil
  }
}
