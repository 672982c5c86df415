import PhotoModel

extension DateText {
  /// The form that PNG recommends for "Creation Time" (RFC 1123 5.2.14, RFC 5322 3.3), the day of the
  /// week and the comma optional: `Fri, 17 May 2024 14:03:22 +0200`; also those of the C library and of
  /// `date`: `Fri May 17 14:03:22 2024`, `Fri May 17 14:03:22 CEST 2024`, `Fri 17 May 2024 02:03:22 PM CEST`.
  ///
  /// Years of two digits are no year here: nobody can tell the century.
  init?(mailDate text: String) {
    var scanner = TextScanner(text)
    scanner.skipBlanks()
    var word = scanner.word()
    if Self.weekdays.contains(String(word.prefix(3))) {
      _ = scanner.take(anyOf: ",")
      scanner.skipBlanks()
      word = scanner.word()
    }
    var month = Self.month(word)
    guard word.isEmpty || month != nil else { return nil }
    scanner.skipBlanks()
    guard let day = scanner.number(upTo: 2) else { return nil }
    var year: Int?
    if month == nil {
      _ = scanner.take(anyOf: "- ")
      scanner.skipBlanks()
      month = Self.month(scanner.word())
      _ = scanner.take(anyOf: "- ")
      scanner.skipBlanks()
      year = scanner.number(digits: 4)
      if year == nil { return nil }
    } else {
      _ = scanner.take(anyOf: ",")
      scanner.skipBlanks()
      year = scanner.number(digits: 4)
    }
    _ = scanner.take(anyOf: ",")
    scanner.skipBlanks()
    guard var hour = scanner.number(upTo: 2), scanner.take(anyOf: ":") != nil,
      let minute = scanner.field()
    else { return nil }
    var second = 0
    if scanner.take(anyOf: ":") != nil {
      guard let found = scanner.field() else { return nil }
      second = found
    }
    scanner.skipBlanks()
    if let isAfternoon = scanner.isAfternoon() {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
      scanner.skipBlanks()
    }
    // `date` puts the zone before the year.
    if year == nil { year = scanner.number(digits: 4) }
    scanner.skipBlanks()
    var offset: UTCOffset?
    if !scanner.isAtEnd {
      guard let found = scanner.zone() else { return nil }
      offset = found.value
      scanner.skipBlanks()
    }
    if year == nil { year = scanner.number(digits: 4) }
    scanner.skipBlanks()
    guard scanner.isAtEnd, let year, let month,
      let wallClock = WallClock(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    self.init(wallClock: wallClock, offset: offset)
  }

  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func month(_ word: String) -> Int? {
    word.count >= 3 ? months.firstIndex(of: String(word.prefix(3))).map { $0 + 1 } : nil
  }
}

extension TextScanner {
  /// `PM` or `AM`; nil, and nothing read, for anything else.
  mutating func isAfternoon() -> Bool? {
    var ahead = self
    let word = ahead.word()
    guard word == "am" || word == "pm" else { return nil }
    self = ahead
    return word == "pm"
  }
}
