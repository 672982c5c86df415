import PhotoModel

/// A date in a file's name, in the forms that cameras, phones and screenshot tools write.
///
/// - `IMG_20240131_142233.jpg`, `VID_…`, `20240131_142233.jpg`, `IMG_20240131_142233123.jpg` (with
///   milliseconds), `Screenshot_20240131-142233.png`
/// - `DJI_20240131142233_0001_D.jpg`, `WIN_20240131_14_22_33_Pro.jpg`
/// - `PXL_20240131_142233123.jpg`, `Copy of PXL_…`: Pixel phones write UTC, so the offset is +00:00
/// - `20240131T142233Z.jpg`, `2024-01-31T14:22:33Z.jpg` (ISO 8601): so is it where `Z` follows
/// - `Screenshot 2024-01-31 at 14.22.33.png`, `… at 2.22.33 PM.png`, the same in other languages
///   of Latin letters (`… a la(s) 2.22.33 p.m..png`), `2024-01-31 14.22.33.jpg`,
///   `Screenshot from 2024-01-31 14-22-33.png`, `photo_2024-01-31_14-22-33.jpg`
/// - `signal-2024-01-31-142233-123.jpg`, `Screenshot_2024-01-31-14-22-33-123_com.app.png` (with
///   milliseconds behind the mark that stands before)
/// - `截屏2024-01-31 下午2.22.33.png`, the same in Japanese and Korean
/// - `IMG-20240131-WA0007.jpg`: WhatsApp keeps only the day, which counts as its midnight
///
/// Digits inside a longer run of digits are never a date.
enum FileNameDate {
  static func candidate(_ name: FileName) -> DateCandidate? {
    let bytes = Array(name.bytes.prefix(255))
    var position = 0
    while position < bytes.count {
      guard isDigit(bytes[position]) else {
        position += 1
        continue
      }
      if let found = compact(bytes, at: position) ?? dashed(bytes, at: position) { return found }
      // To the end of this run of digits.
      position = bytes[position...].firstIndex { !isDigit($0) } ?? bytes.count
    }
    return nil
  }

  /// `20240131_142233`, with three digits of milliseconds directly behind or not; the same in one run of
  /// digits; or WhatsApp's day.
  private static func compact(_ bytes: [UInt8], at start: Int) -> DateCandidate? {
    let whole = digitRun(bytes, at: start)
    guard whole == 8 || whole == 14 || whole == 17 else { return nil }
    var scanner = TextScanner(Array(bytes[start...]))
    guard let year = scanner.number(digits: 4), let month = scanner.number(digits: 2),
      let day = scanner.number(digits: 2)
    else { return nil }
    let mark = whole > 8 ? nil : scanner.take(anyOf: "_-T ")
    guard whole > 8 || mark != nil else { return nil }
    if bytes[(start + 8)...].starts(with: Array("-WA".utf8)), digitRun(bytes, at: start + 11) > 0 {
      return candidate(WallClock(year: year, month: month, day: day))
    }
    let run = whole > 8 ? whole - 8 : digitRun(bytes, at: start + 9)
    // Two digits each, with a mark between.
    let isSpread = run == 2
    guard run == 6 || run == 9 || isSpread, let hour = scanner.number(digits: 2),
      !isSpread || scanner.take(anyOf: "_-.") != nil, let minute = scanner.number(digits: 2),
      !isSpread || scanner.take(anyOf: "_-.") != nil, let second = scanner.number(digits: 2),
      !isSpread || scanner.next.map(isDigit) != true
    else { return nil }
    let wallClock = WallClock(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      nanosecond: isSpread ? 0 : scanner.fraction() ?? 0)
    let maker = String(decoding: bytes[..<start].suffix(4), as: UTF8.self).lowercased()
    let isUTC = maker == "pxl_" || mark == UInt8(ascii: "T") && scanner.isZulu
    return candidate(wallClock, offset: isUTC ? .utc : nil)
  }

  /// `2024-01-31 14.22.33` with what the tools put between and behind.
  private static func dashed(_ bytes: [UInt8], at start: Int) -> DateCandidate? {
    guard digitRun(bytes, at: start) == 4 else { return nil }
    var scanner = TextScanner(Array(bytes[start...]))
    guard let year = scanner.number(digits: 4), let dash = scanner.take(anyOf: "-_."),
      let month = scanner.number(digits: 2), scanner.take(anyOf: "-_.") == dash,
      let day = scanner.number(digits: 2), let separator = scanner.take(anyOf: " _-T")
    else { return nil }
    for word in connectives where bytes[(start + scanner.position)...].starts(with: word.utf8) {
      for _ in word.utf8 { scanner.skip() }
      guard scanner.take(anyOf: " _-") != nil else { return nil }
      break
    }
    // Chinese, Japanese and Korean say the half of the day first.
    let half = scanner.halfOfDay()
    let run = digitRun(bytes, at: start + scanner.position)
    var mark = separator
    var hour: Int?
    var minute: Int?
    var second: Int?
    if run == 6 {
      hour = scanner.number(digits: 2)
      minute = scanner.number(digits: 2)
      second = scanner.number(digits: 2)
    } else if run == 1 || run == 2 {
      hour = scanner.number(upTo: 2)
      guard let found = scanner.take(anyOf: ".-_:") else { return nil }
      mark = found
      minute = scanner.number(digits: 2)
      guard scanner.take(anyOf: ".-_:") == mark else { return nil }
      second = scanner.number(digits: 2)
      guard scanner.next.map(isDigit) != true else { return nil }
    }
    guard var hour, let minute, let second else { return nil }
    var nanosecond = 0
    // Behind other marks, and of other lengths, it is a counter.
    if mark == UInt8(ascii: "-") || mark == UInt8(ascii: "."), scanner.next == mark,
      digitRun(bytes, at: start + scanner.position + 1) == 3
    {
      scanner.skip()
      nanosecond = scanner.fraction() ?? 0
    }
    if let isAfternoon = half ?? isAfternoon(&scanner) {
      // In Japan noon is 午後0.
      guard (half == nil ? 1...12 : 0...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    return candidate(
      WallClock(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second,
        nanosecond: nanosecond),
      offset: separator == UInt8(ascii: "T") && scanner.isZulu ? .utc : nil)
  }

  /// What stands between day and time in names of screenshots: English, German, French (as typed and with
  /// the accent apart), Italian, Spanish, Portuguese, Dutch, Scandinavian.
  private static let connectives = [
    "at", "um", "\u{E0}", "a\u{300}", "alle ore", "alle", "a las", "a la(s)", "\u{E0}s",
    "a\u{300}s",
    "om", "kl.",
  ].sorted { $0.utf8.count > $1.utf8.count }

  /// ` PM` or ` AM`, Spanish's ` p. m.`, or ` 下午`; macOS puts no-break spaces before it and into it.
  private static func isAfternoon(_ scanner: inout TextScanner) -> Bool? {
    scanner.skipSpaces()
    if let isAfternoon = scanner.isAfternoon() ?? scanner.halfOfDay() { return isAfternoon }
    var ahead = scanner
    guard let half = ahead.take(anyOf: "aApP"), ahead.take(anyOf: ".") != nil else { return nil }
    ahead.skipSpaces()
    guard ahead.take(anyOf: "mM") != nil, ahead.take(anyOf: ".") != nil else { return nil }
    scanner = ahead
    return half | 0x20 == UInt8(ascii: "p")
  }

  private static func candidate(
    _ wallClock: WallClock?, offset: UTCOffset? = nil
  ) -> DateCandidate? {
    wallClock.map { DateCandidate(source: .fileName, wallClock: $0, offset: offset) }
  }

  private static func digitRun(_ bytes: [UInt8], at start: Int) -> Int {
    guard start <= bytes.count else { return 0 }
    return bytes[start...].prefix(while: isDigit).count
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension TextScanner {
  /// ISO 8601's `Z`, and no longer word.
  fileprivate var isZulu: Bool {
    var ahead = self
    return ahead.word() == "z"
  }

  /// Skips blanks and no-break spaces, wide (U+00A0) and narrow (U+202F).
  fileprivate mutating func skipSpaces() {
    skipBlanks()
    while skip("\u{A0}") || skip("\u{202F}") { skipBlanks() }
  }

  /// Whether it is the second half of the day, where that is said in Chinese, Japanese or Korean (CLDR's
  /// dayPeriods am and pm), and the spaces behind it; Korean as typed and taken apart, as Apple's file
  /// systems did.
  fileprivate mutating func halfOfDay() -> Bool? {
    let halves: [(mark: String, isAfternoon: Bool)] = [
      ("上午", false), ("下午", true), ("午前", false), ("午後", true),
      ("\u{C624}\u{C804}", false), ("\u{C624}\u{D6C4}", true),
      ("\u{110B}\u{1169}\u{110C}\u{1165}\u{11AB}", false),
      ("\u{110B}\u{1169}\u{1112}\u{116E}", true),
    ]
    for half in halves where skip(half.mark) {
      skipSpaces()
      return half.isAfternoon
    }
    return nil
  }

  /// Skips a text, if it is next.
  private mutating func skip(_ expected: String) -> Bool {
    var ahead = self
    for byte in expected.utf8 {
      guard ahead.next == byte else { return false }
      ahead.skip()
    }
    self = ahead
    return true
  }
}
