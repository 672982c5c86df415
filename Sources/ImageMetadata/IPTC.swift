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

  /// DateCreated (2:55, CCYYMMDD) with TimeCreated (2:60, HHMMSS±HHMM) of IIM 4.2; a date without a time
  /// is midnight, a time without a date is nothing.
  static func dateCandidate(records: ArraySlice<UInt8>) -> DateCandidate? {
    let sets = dataSets(records)
    guard let dateText = sets[55] else { return nil }
    var date = TextScanner(dateText)
    // Some programs write dashes between the parts.
    guard let year = date.number(digits: 4), date.skip("-"), let month = date.number(digits: 2),
      date.skip("-"), let day = date.number(digits: 2), date.isAtEnd
    else { return nil }
    var hour = 0
    var minute = 0
    var second = 0
    var offset: UTCOffset?
    var time = TextScanner(sets[60] ?? [])
    // And colons in the time.
    if let hours = time.number(digits: 2), time.skip(":"), let minutes = time.number(digits: 2),
      time.skip(":"), let seconds = time.number(digits: 2)
    {
      (hour, minute, second) = (hours, minutes, seconds)
      offset = time.offset()
    }
    return WallClock(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second
    ).map { DateCandidate(source: .iptcDateCreated, wallClock: $0, offset: offset) }
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

extension TextScanner {
  /// Skips a mark if it is there; always true.
  fileprivate mutating func skip(_ mark: String) -> Bool {
    _ = take(anyOf: mark)
    return true
  }
}
