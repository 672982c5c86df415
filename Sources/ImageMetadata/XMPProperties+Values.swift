import PhotoModel

/// What the properties mean.
extension XMPProperties {
  /// The dates that are present and sane, of a packet in the picture or of a sidecar.
  func dateCandidates(ofSidecar isSidecar: Bool = false) -> [DateCandidate] {
    let taken: DateSource = isSidecar ? .sidecarDateTimeOriginal : .xmpDateTimeOriginal
    let created: DateSource = isSidecar ? .sidecarPhotoshopDateCreated : .xmpPhotoshopDateCreated
    let digitized: DateSource = isSidecar ? .sidecarCreateDate : .xmpCreateDate
    return [
      candidate(taken, .exifDateTimeOriginal),
      candidate(created, .photoshopDateCreated),
      candidate(digitized, .createDate) ?? candidate(digitized, .exifDateTimeDigitized),
      candidate(.gps, .gpsTimeStamp).map {
        DateCandidate(source: .gps, wallClock: $0.wallClock, offset: $0.offset ?? .utc)
      },
    ].compactMap { $0 }
  }

  private func candidate(_ source: DateSource, _ name: Name) -> DateCandidate? {
    guard let date = self[name].flatMap({ DateText($0) }) else { return nil }
    return DateCandidate(source: source, wallClock: date.wallClock, offset: date.offset)
  }

  /// Nil for a value outside 1 to 8.
  var orientation: Orientation? {
    self[.orientation].flatMap { Int($0) }.flatMap(Orientation.init(rawValue:))
  }

  /// 1 to 5 stars, 0 for none, -1 for rejected; nil for anything else.
  ///
  /// XMP specification part 1, 8.4, xmp:Rating: a real number that is -1 or from 0 to 5. Programs write
  /// whole ones, some with a fraction of 0; of half stars the whole ones count, as exiv2 reads them.
  var rating: Int? {
    guard let text = self[.rating], let value = Self.number(text),
      value == -1 || (0...5).contains(value)
    else { return starsOfPercent }
    return Int(value)
  }

  /// Windows writes 1, 25, 50, 75 and 99 for 1 to 5 stars, and reads what lies between as the nearest.
  private var starsOfPercent: Int? {
    let text = self[.ratingPercent] ?? self[.ratingPercentUnslashed]
    guard let percent = text.flatMap({ Int($0) }) else { return nil }
    return switch percent {
    case 0: 0
    case 1...12: 1
    case 13...37: 2
    case 38...62: 3
    case 63...87: 4
    case 88...100: 5
    default: nil
    }
  }

  /// Nil where nothing is said.
  var isFavorite: Bool? {
    // Boolean as XMP writes it (specification part 1, 8.2.1.1) or as a number.
    switch self[.favorite]?.lowercased() {
    case "1", "true": true
    case "0", "false": false
    default: nil
    }
  }

  var location: Location? {
    guard let latitude = degrees(.gpsLatitude, positive: "n", negative: "s"),
      let longitude = degrees(.gpsLongitude, positive: "e", negative: "w")
    else { return nil }
    let metres = self[.gpsAltitude].flatMap { Self.number($0) }
    return Location(
      latitude: latitude, longitude: longitude,
      altitude: metres.map { self[.gpsAltitudeRef] == "1" ? -$0 : $0 })
  }

  /// `DDD,MM,SSk` or `DDD,MM.mmk` (XMP specification part 2, GPSCoordinate), k being a letter of the
  /// hemisphere; fractions such as `55/1,54/1,40/10N` are read too.
  private func degrees(_ name: Name, positive: Character, negative: Character) -> Double? {
    guard let text = self[name]?.lowercased(), let letter = text.last,
      letter == positive || letter == negative
    else { return nil }
    let parts = text.dropLast().split(
      omittingEmptySubsequences: true, whereSeparator: { $0 == "," || $0 == " " })
    guard (1...3).contains(parts.count) else { return nil }
    var total = 0.0
    for (part, divisor) in zip(parts, [1.0, 60.0, 3600.0]) {
      guard let value = Self.number(String(part)), value >= 0 else { return nil }
      total += value / divisor
    }
    return letter == negative ? -total : total
  }

  /// A decimal number or a fraction; nil for anything that is not finite.
  private static func number(_ text: String) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ $0.allSatisfy("+-.0123456789".contains) }) else {
      return nil
    }
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count else { return nil }
    let value = numbers.count == 2 ? numbers[0] / numbers[1] : numbers[0]
    return value.isFinite ? value : nil
  }
}
