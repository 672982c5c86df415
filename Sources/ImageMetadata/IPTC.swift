import PhotoModel

/// The IPTC date among Photoshop's image resources (JPEG APP13 and raw profiles of PNG).
enum IPTC {
  /// The image resource that holds IPTC-IIM records.
  private static let resource = 0x0404

  /// The date of the first records that have a sane one.
  static func dateCandidate(resources bytes: [UInt8]) -> DateCandidate? {
    for records in resources(bytes) {
      if let date = dateCandidate(records: records) { return date }
    }
    return nil
  }

  /// DateCreated (2:55, CCYYMMDD) with TimeCreated (2:60, HHMMSS±HHMM) of IIM 4.2.
  ///
  /// A date without a time is midnight, as everywhere; so is one with a time that cannot be read, is impossible
  /// or has second 60: a data set that says nothing counts as absent and costs no other. A time without
  /// a date is nothing.
  static func dateCandidate(records: ArraySlice<UInt8>) -> DateCandidate? {
    let sets = dataSets(records)
    guard let date = sets[55].flatMap(date) else { return nil }
    let day = date.wallClock
    if let time = sets[60].flatMap(Time.init),
      let wallClock = WallClock(
        year: day.year, month: day.month, day: day.day, hour: time.hour, minute: time.minute,
        second: time.second, nanosecond: time.nanosecond)
    {
      return DateCandidate(source: .iptcDateCreated, wallClock: wallClock, offset: time.offset)
    }
    return DateCandidate(source: .iptcDateCreated, wallClock: day, offset: date.offset)
  }

  /// `20240517`; or the forms of EXIF and XMP, which some programs write, even with their time.
  private static func date(_ bytes: [UInt8]) -> DateText? {
    var scanner = TextScanner(bytes)
    scanner.skipBlanks()
    guard let year = scanner.number(digits: 4), let month = scanner.number(digits: 2),
      let day = scanner.number(digits: 2)
    else { return DateText(String(decoding: bytes, as: UTF8.self)) }
    scanner.skipBlanks()
    guard scanner.isAtEnd else { return nil }
    return WallClock(year: year, month: month, day: day).map {
      DateText(wallClock: $0, offset: nil)
    }
  }

  /// `140322+0200`, also without seconds or offset, and with the colons that some programs write.
  private struct Time {
    let hour: Int
    let minute: Int
    var second = 0
    var nanosecond = 0
    var offset: UTCOffset?

    init?(_ bytes: [UInt8]) {
      var scanner = TextScanner(bytes)
      scanner.skipBlanks()
      guard let hour = scanner.number(digits: 2) else { return nil }
      let hasMarks = scanner.take(anyOf: ":") != nil
      guard let minute = scanner.number(digits: 2) else { return nil }
      self.hour = hour
      self.minute = minute
      if hasMarks ? scanner.take(anyOf: ":") != nil : scanner.nextIsDigit {
        guard let second = scanner.number(digits: 2) else { return nil }
        self.second = second
        if scanner.take(anyOf: ".") != nil { nanosecond = scanner.fraction() ?? 0 }
      }
      scanner.skipBlanks()
      offset = scanner.offset()?.value
      scanner.skipBlanks()
      guard scanner.isAtEnd else { return nil }
    }
  }

  /// What a resource begins with: Photoshop's own, and those of ImageReady, PhotoDeluxe, Lightroom and
  /// others (as exiftool and exiv2 know them).
  private static let signatures: Set<String> = ["8BIM", "MeSa", "PHUT", "AgHg", "DCSR"]

  /// The IIM records among the image resources: signature, id, padded name, size, padded data.
  private static func resources(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var found: [ArraySlice<UInt8>] = []
    var position = 0
    while position + 12 <= bytes.count,
      signatures.contains(String(decoding: bytes[position..<(position + 4)], as: UTF8.self))
    {
      let identifier = Int(bytes[position + 4]) << 8 | Int(bytes[position + 5])
      let nameLength = Int(bytes[position + 6]) + 1
      let sizeOffset = position + 6 + nameLength + nameLength % 2
      guard sizeOffset + 4 <= bytes.count else { break }
      let size = bytes[sizeOffset..<(sizeOffset + 4)].reduce(0) { $0 << 8 | Int($1) }
      let start = sizeOffset + 4
      guard size <= bytes.count - start else { break }
      if identifier == resource { found.append(bytes[start..<(start + size)]) }
      position = start + size + size % 2
    }
    return found
  }

  /// The first data set of each number in record 2.
  private static func dataSets(_ bytes: ArraySlice<UInt8>) -> [UInt8: [UInt8]] {
    var sets: [UInt8: [UInt8]] = [:]
    var position = bytes.startIndex
    while position + 5 <= bytes.endIndex, bytes[position] == 0x1C {
      let length = Int(bytes[position + 3]) << 8 | Int(bytes[position + 4])
      let start = position + 5
      // The highest bit announces a longer length field: nothing a date needs.
      guard length < 0x8000, length <= bytes.endIndex - start else { break }
      if bytes[position + 1] == 2, sets[bytes[position + 2]] == nil, length <= 64 {
        sets[bytes[position + 2]] = Array(bytes[start..<(start + length)])
      }
      position = start + length
    }
    return sets
  }
}
