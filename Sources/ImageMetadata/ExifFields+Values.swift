import PhotoModel

/// What the raw values mean.
extension ExifFields {
  /// Nil for a value outside 1 to 8.
  var orientationValue: Orientation? { orientation.flatMap(Orientation.init(rawValue:)) }

  /// Nil for a value outside 0 to 5.
  var ratingValue: Int? { rating.flatMap { (0...5).contains($0) ? $0 : nil } }

  /// The dates that are present and sane.
  var dateCandidates: [DateCandidate] {
    [
      candidate(
        .exifDateTimeOriginal, dateTimeOriginal, subSecTimeOriginal, offsetTimeOriginal),
      candidate(
        .exifDateTimeDigitized, dateTimeDigitized, subSecTimeDigitized, offsetTimeDigitized),
      candidate(.exifDateTime, dateTime, subSecTime, offsetTime),
      gpsWallClock.map { DateCandidate(source: .gps, wallClock: $0, offset: .utc) },
    ].compactMap { $0 }
  }

  private func candidate(
    _ source: DateSource, _ text: String?, _ fraction: String?, _ offset: String?
  ) -> DateCandidate? {
    guard let date = text.flatMap({ DateText($0, fraction: fraction) }) else { return nil }
    return DateCandidate(
      source: source, wallClock: date.wallClock,
      offset: offset.flatMap(DateText.offset) ?? date.offset)
  }

  /// GPSDateStamp with GPSTimeStamp, which are UTC.
  private var gpsWallClock: WallClock? {
    guard let date = gpsDateStamp.flatMap({ DateText($0) }), let time = gpsTimeStamp,
      time.count == 3, let hour = time[0].wholeNumber, let minute = time[1].wholeNumber,
      time[2].denominator > 0, (0..<(60 * time[2].denominator)).contains(time[2].numerator)
    else { return nil }
    // The numerator is below 60 times a 32-bit number: times 10^9 needs more than 64 bits.
    let (high, low) = time[2].numerator.multipliedFullWidth(by: 1_000_000_000)
    let nanoseconds = time[2].denominator.dividingFullWidth((high, low)).quotient
    let day = date.wallClock
    return WallClock(
      year: day.year, month: day.month, day: day.day, hour: hour, minute: minute,
      second: nanoseconds / 1_000_000_000, nanosecond: nanoseconds % 1_000_000_000)
  }

  /// Nil where a part is unknown (0/0) or out of range, or no letter says which hemisphere.
  var location: Location? {
    guard let latitude = degrees(gpsLatitude, gpsLatitudeRef, positive: "N", negative: "S"),
      let longitude = degrees(gpsLongitude, gpsLongitudeRef, positive: "E", negative: "W")
    else { return nil }
    // EXIF 2.32: 1 is below sea level; EXIF 3.0 adds 3 for it and 1 for below the ellipsoid.
    let isBelow = gpsAltitudeRef == 1 || gpsAltitudeRef == 3
    let altitude = gpsAltitude?.value.map { isBelow ? -$0 : $0 }
    return Location(latitude: latitude, longitude: longitude, altitude: altitude)
  }

  private func degrees(
    _ parts: [Rational]?, _ reference: String?, positive: String, negative: String
  ) -> Double? {
    guard let parts, !parts.isEmpty,
      let letter = reference?.drop(while: { $0 == " " }).prefix(1).uppercased(),
      letter == positive || letter == negative
    else { return nil }
    var total = 0.0
    for (part, divisor) in zip(parts, [1.0, 60.0, 3600.0]) {
      guard let value = part.value, value >= 0 else { return nil }
      total += value / divisor
    }
    return letter == negative ? -total : total
  }

  /// Blanks at the ends removed; nothing else is changed.
  var camera: Camera? { Camera(make: Self.trimmed(make), model: Self.trimmed(model)) }

  static func trimmed(_ text: String?) -> String? {
    guard let text else { return nil }
    let start = text.drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(start[...last])
  }
}
