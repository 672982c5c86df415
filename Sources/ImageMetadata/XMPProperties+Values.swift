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

  /// 1 to 5 stars, 0 for none, -1 for rejected (XMP specification part 1, 8.4, xmp:Rating); nil for
  /// anything else.
  ///
  /// It is a real number by its type, but programs write whole ones, some with a fraction of 0.
  var rating: Int? {
    guard let value = self[.rating].flatMap({ Self.number($0) }), (-1...5).contains(value) else {
      return nil
    }
    return Int(exactly: value)
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
