import PhotoModel

@testable import ImageMetadata

/// Where a file's metadata, as read here, is not what the table says.
struct Difference {
  let file: String
  let column: String
  let ours: String
  let expected: String

  var text: String {
    "\(file): \(column): here \(ours.isEmpty ? "nothing" : ours), "
      + "exiftool \(expected.isEmpty ? "nothing" : expected)"
  }
}

/// How many values were compared, and which differ.
struct Comparison {
  var compared: [String: Int] = [:]
  var differences: [Difference] = []

  mutating func compare(
    _ picture: Corpus.Picture, _ column: String, _ ours: String, _ expected: String,
    isEqual: Bool? = nil
  ) {
    if ours.isEmpty && expected.isEmpty { return }
    compared[column, default: 0] += 1
    if isEqual ?? (ours == expected) { return }
    differences.append(
      Difference(file: picture.row.name, column: column, ours: ours, expected: expected))
  }

  /// The raw columns, as exiftool prints them with -n.
  mutating func compareRaw(_ picture: Corpus.Picture) {
    let exif = picture.metadata.exif
    let texts: [(String, String?)] = [
      ("DateTimeOriginal", exif.dateTimeOriginal), ("CreateDate", exif.dateTimeDigitized),
      ("ModifyDate", exif.dateTime), ("SubSecTimeOriginal", exif.subSecTimeOriginal),
      ("SubSecTimeDigitized", exif.subSecTimeDigitized), ("SubSecTime", exif.subSecTime),
      ("OffsetTimeOriginal", exif.offsetTimeOriginal),
      ("OffsetTimeDigitized", exif.offsetTimeDigitized), ("OffsetTime", exif.offsetTime),
      ("orientation", exif.orientation.map(String.init)), ("Make", exif.make),
      ("Model", exif.model), ("GPSDateStamp", exif.gpsDateStamp),
    ]
    for (column, value) in texts {
      compare(
        picture, column, Corpus.trimmed(value ?? ""), Corpus.trimmed(picture.row[column]))
    }
    let time = exif.gpsTimeStamp.flatMap(seconds)
    let expectedTime = picture.row["GPSTimeStamp"]
    compare(
      picture, "GPSTimeStamp", time.map { "\($0) s" } ?? "", expectedTime,
      isEqual: time.flatMap { time in seconds(expectedTime).map { abs($0 - time) < 1e-6 } } ?? false
    )
    let place = exif.location
    for (column, value) in [("GPSLatitude", place?.latitude), ("GPSLongitude", place?.longitude)] {
      let expected = picture.row[column]
      compare(
        picture, column, value.map { "\($0)" } ?? "", expected,
        isEqual: value.flatMap { value in Double(expected).map { abs($0 - value) < 1e-6 } } ?? false
      )
    }
  }

  private func seconds(_ parts: [Rational]) -> Double? {
    let values = parts.compactMap(\.value)
    guard values.count == 3 else { return nil }
    return values[0] * 3600 + values[1] * 60 + values[2]
  }

  private func seconds(_ text: String) -> Double? {
    let values = text.split(separator: ":").compactMap { Double($0) }
    guard values.count == 3 else { return nil }
    return values[0] * 3600 + values[1] * 60 + values[2]
  }

  /// The date that counts here, against the table's where it comes from EXIF's three tags, and against
  /// what exiftool says of the same source where it comes from another.
  mutating func compareChosenDate(_ picture: Corpus.Picture, _ policy: CreationDatePolicy) {
    let candidates = policy.candidates(
      metadata: picture.metadata, fileName: FileName(picture.row["file"]),
      modificationTime: Instant(nanoseconds: 0))
    guard let best = candidates.first else { return }
    let row = picture.row
    switch best.source {
    case .exifDateTimeOriginal, .exifDateTimeDigitized, .exifDateTime:
      let expected = row["derived_date"]
      compare(
        picture, "derived_date", Self.text(best, like: expected, mark: "-", separator: "T"),
        expected)
    case .fileName, .gps, .fileModification, .edited:
      compare(picture, "derived_date", "", row["derived_date"])
      for (name, value) in Self.otherDates(row) where Self.isDate(value) {
        compare(picture, name, best.source.name, value)
      }
    case .pngCreationTime:
      // The table does not have it; it must not hold any that comes before.
      let isLater = row["derived_from"] == "ModifyDate"
      compare(picture, "derived_date", "", isLater ? "" : row["derived_date"])
    default:
      compareOther(picture, best)
    }
  }

  /// All dates of XMP, IPTC and tIME, also where another one counts.
  mutating func compareOtherDates(_ picture: Corpus.Picture) {
    for source in Self.otherNames.keys.sorted() {
      if let date = picture.metadata.dates.first(where: { $0.source == source }) {
        compareOther(picture, date)
      } else if let name = Self.otherNames[source], !Self.isCut(picture.row, name) {
        let expected = Self.otherDates(picture.row)[name] ?? ""
        compare(picture, name, "", Self.isDate(expected) ? expected : "")
      }
    }
  }

  private mutating func compareOther(_ picture: Corpus.Picture, _ date: DateCandidate) {
    guard let name = Self.otherNames[date.source] else { return }
    let others = Self.otherDates(picture.row)
    // exempi takes the older exif:DateTimeDigitized for xmp:CreateDate, which the table leaves out.
    if others[name] == nil, date.source == .xmpCreateDate { return }
    guard !Self.isCut(picture.row, name) else { return }
    var expected = others[name] ?? ""
    if date.source == .iptcDateCreated, let time = others["IPTC:TimeCreated"] {
      expected += " " + time
    }
    compare(picture, name, Self.text(date, like: expected, mark: ":", separator: " "), expected)
  }

  private static let otherNames: [DateSource: String] = [
    .xmpDateTimeOriginal: "XMP-exif:DateTimeOriginal",
    .xmpPhotoshopDateCreated: "XMP-photoshop:DateCreated",
    .xmpCreateDate: "XMP-xmp:CreateDate", .pngTime: "PNG:ModifyDate",
    .iptcDateCreated: "IPTC:DateCreated",
  ]

  /// The dates of XMP, IPTC and PNG by exiftool's names.
  private static func otherDates(_ row: Corpus.Row) -> [String: String] {
    let pairs = row["other_dates"].split(separator: ";").compactMap { item in
      let parts = item.split(separator: "=", maxSplits: 1).map { Corpus.trimmed(String($0)) }
      return parts.count == 2 ? (parts[0], parts[1]) : nil
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// The table cuts a cell at 160 characters, and with it the last date in it, or all of IPTC's.
  private static func isCut(_ row: Corpus.Row, _ name: String) -> Bool {
    let cell = row["other_dates"]
    guard cell.count >= 159 else { return false }
    let last = cell.split(separator: ";").last.map { Corpus.trimmed(String($0)) } ?? ""
    return last.hasPrefix(name) || name.hasPrefix(last) || name.hasPrefix("IPTC:")
  }

  /// Whether exiftool's text holds at least a whole day that can be one.
  private static func isDate(_ text: String) -> Bool { DateText(text) != nil }

  /// A date with as many digits of a second as `expected` has, to whole days where it has no time, and
  /// with the offset only where either has one.
  private static func text(
    _ date: DateCandidate, like expected: String, mark: String, separator: String
  ) -> String {
    let clock = date.wallClock
    let day = String(clock.rfc3339(offset: .utc).prefix(10)).replacing("-", with: mark)
    let isMidnight = clock.hour == 0 && clock.minute == 0 && clock.second == 0
    if expected.count == 10, isMidnight, date.offset == nil { return day }
    let hasSeconds = expected.isEmpty || expected.dropFirst(16).first == ":"
    let time = clock.rfc3339(offset: .utc).dropFirst(11).prefix(hasSeconds ? 8 : 5)
    let fraction = expected.dropFirst(20).prefix { $0.isNumber }
    var text = day + separator + time
    if expected.dropFirst(19).first == "." {
      let digits = String(1_000_000_000 + clock.nanosecond).dropFirst()
      text +=
        "." + digits.prefix(fraction.count)
        + String(repeating: "0", count: max(0, fraction.count - 9))
    }
    if let offset = date.offset, date.source != .pngTime {
      text += expected.hasSuffix("Z") && offset == .utc ? "Z" : offset.description
    }
    return text
  }
}
