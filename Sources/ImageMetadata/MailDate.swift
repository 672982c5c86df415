import PhotoModel

extension DateText {
  /// The form that PNG recommends for "Creation Time" (RFC 1123 5.2.14, RFC 5322 3.3), the day of the
  /// week and the comma optional: `Fri, 17 May 2024 14:03:22 +0200`; also the C library's
  /// `Fri May 17 14:03:22 2024`.
  ///
  /// Years of two digits are no year here: nobody can tell the century.
  init?(mailDate text: String) {
    var scanner = TextScanner(text)
    scanner.skipBlanks()
    var day: Int?
    var year: Int?
    var month: Int?
    let word = scanner.word()
    if Self.weekdays.contains(String(word.prefix(3))) {
      _ = scanner.take(anyOf: ",")
      scanner.skipBlanks()
    } else if let found = Self.month(word) {
      month = found
    } else if !word.isEmpty {
      return nil
    }
    if month == nil, let first = scanner.number(upTo: 2) {
      day = first
      _ = scanner.take(anyOf: "- ")
      scanner.skipBlanks()
      month = Self.month(scanner.word())
      _ = scanner.take(anyOf: "- ")
      scanner.skipBlanks()
      year = scanner.number(digits: 4)
      if year == nil { return nil }
    } else {
      if month == nil { month = Self.month(scanner.word()) }
      scanner.skipBlanks()
      day = scanner.number(upTo: 2)
      _ = scanner.take(anyOf: ",")
    }
    scanner.skipBlanks()
    guard let hour = scanner.number(digits: 2), scanner.take(anyOf: ":") != nil,
      let minute = scanner.number(digits: 2)
    else { return nil }
    var second = 0
    if scanner.take(anyOf: ":") != nil {
      guard let found = scanner.number(digits: 2) else { return nil }
      second = found
    }
    scanner.skipBlanks()
    if year == nil {
      year = scanner.number(digits: 4)
      scanner.skipBlanks()
    }
    var offset: UTCOffset?
    if !scanner.isAtEnd {
      if let found = scanner.offset() {
        offset = found
      } else {
        guard let found = Self.zones[scanner.word()] else { return nil }
        offset = UTCOffset(minutes: found * 60)
      }
      scanner.skipBlanks()
    }
    guard scanner.isAtEnd, let year, let month, let day,
      let wallClock = WallClock(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    else { return nil }
    self.init(wallClock: wallClock, offset: offset)
  }

  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  /// RFC 5322 4.3, in hours.
  private static let zones = [
    "gmt": 0, "ut": 0, "utc": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
    "mdt": -6, "pst": -8, "pdt": -7,
  ]

  private static func month(_ word: String) -> Int? {
    word.count >= 3 ? months.firstIndex(of: String(word.prefix(3))).map { $0 + 1 } : nil
  }
}
