import PhotoModel

/// The IPTC date of a Photoshop resource block (JPEG APP13).
enum IPTC {
  /// What the payload of APP13 begins with.
  static let signature = Array("Photoshop 3.0\0".utf8)
  /// The image resource that holds IPTC-IIM records.
  private static let resource = 0x0404

  /// DateCreated (2:55, CCYYMMDD) with TimeCreated (2:60, HHMMSS±HHMM) of IIM 4.2; a date without a time
  /// is midnight, a time without a date is nothing.
  static func dateCandidate(app13 bytes: [UInt8]) -> DateCandidate? {
    for records in resources(bytes) {
      let sets = dataSets(records)
      guard let dateText = sets[55] else { continue }
      var date = TextScanner(dateText)
      // Some programs write dashes between the parts.
      guard let year = date.number(digits: 4), date.skipDash(), let month = date.number(digits: 2),
        date.skipDash(), let day = date.number(digits: 2), date.isAtEnd
      else { continue }
      var hour = 0
      var minute = 0
      var second = 0
      var offset: UTCOffset?
      var time = TextScanner(sets[60] ?? [])
      if let hours = time.number(digits: 2), let minutes = time.number(digits: 2),
        let seconds = time.number(digits: 2)
      {
        (hour, minute, second) = (hours, minutes, seconds)
        offset = time.offset()
      }
      guard
        let wallClock = WallClock(
          year: year, month: month, day: day, hour: hour, minute: minute, second: second)
      else { continue }
      return DateCandidate(source: .iptcDateCreated, wallClock: wallClock, offset: offset)
    }
    return nil
  }

  /// The IIM records among the image resources: `8BIM`, id, padded name, size, padded data.
  private static func resources(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    guard bytes.starts(with: signature) else { return [] }
    var found: [ArraySlice<UInt8>] = []
    var position = signature.count
    while position + 12 <= bytes.count, bytes[position..<(position + 4)].elementsEqual("8BIM".utf8)
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
  /// Skips a dash if there is one; always true.
  fileprivate mutating func skipDash() -> Bool {
    _ = take(anyOf: "-")
    return true
  }
}
