/// Which names of properties, in XMP and PNG text, stand for a place.
///
/// The name in its namespace decides, whatever the namespace: vendors have their own (`drone-dji`,
/// `photomech`, `prism`), and a packet with undeclared prefixes is still read by many programs. Better a
/// value too many is blanked than a place left.
enum PlaceName {
  /// Whether a property of this name tells a place.
  ///
  /// - Parameter name: with or without prefixes, in any case.
  /// - Returns: true also for names that only may.
  static func isPlace(_ name: String) -> Bool {
    let lower = name.lowercased()
    let local = lower.lastIndex(of: ":").map { lower[lower.index(after: $0)...] } ?? lower[...]
    // `City2`, `place_name` and `sub-location` are written too.
    let letters = String(decoding: local.utf8.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
    if letters.hasPrefix("gps") || names.contains(letters) { return true }
    // "longtitude" is how DJI spells it.
    if ["latitude", "longitude", "longtitude", "altitude"].contains(where: letters.contains) {
      return true
    }
    // Not in other namespaces: rdf:Alt is a list.
    return lower.hasPrefix("geo:") && local == "alt"
  }

  /// Whether a PNG text of this keyword tells a place: a name of a property, or words of which one is.
  static func isPlace(keyword: String) -> Bool {
    if isPlace(keyword) { return true }
    let words = keyword.lowercased().split { !$0.isASCII || !$0.isLetter }
    return words.contains { word in
      // A long description is no longitude.
      word.hasPrefix("gps") || word != "long" && names.contains(String(word))
    }
  }

  /// Whether a property holds a digest of metadata that may have told a place.
  static func isDigest(_ name: String) -> Bool {
    let local = name.lowercased().split(separator: ":").last ?? ""
    return local == "legacyiptcdigest" || local == "nativedigest"
  }

  /// IPTC Photo Metadata Standard 2022 (photoshop:City ..., Iptc4xmpCore:Location, Iptc4xmpExt's location
  /// structure), Dublin Core's coverage and spatial, Darwin Core's location class, XMP Dynamic Media's
  /// shot location, the W3C's geo, FLIR's and others' plain ones; letters only.
  private static let names: Set<String> = [
    "city", "state", "country", "countrycode", "countryname", "location", "sublocation",
    "province", "provincestate", "stateprovince", "worldregion", "locationname", "locationid",
    "locationshown", "locationcreated", "shotlocation", "coverage", "spatial", "geotag",
    "continent", "county", "island", "islandgroup", "locality", "municipality", "waterbody",
    "highergeography", "highergeographyid", "verbatimlocality", "verbatimcoordinates",
    "verbatimelevation", "locationremarks", "locationaccordingto", "footprintwkt",
    "countryprimarylocationname", "countryprimarylocationcode", "place", "placename", "landmark",
    "address", "streetaddress", "street", "district", "neighborhood", "neighbourhood", "town",
    "village", "postalcode", "postcode", "zipcode", "coordinate", "coordinates", "coords", "geo",
    "geolocation", "geoposition", "lat", "lon", "lng", "long", "latlong", "latlon", "latlng",
  ]
}

extension ArraySlice<UInt8> {
  /// Whether nothing but blanks, line ends and NULs is there.
  var isBlank: Bool { allSatisfy(\.isBlank) }
}

extension UInt8 {
  fileprivate var isBlank: Bool {
    self == 0x20 || self == 0 || self == 0x09 || self == 0x0A || self == 0x0D
  }
}

extension [UInt8] {
  /// Blanks for all that is not blank in a range of it.
  mutating func blank(_ range: Range<Int>) {
    for index in range.clamped(to: indices) where !self[index].isBlank {
      self[index] = 0x20
    }
  }

  /// The same byte over a range of it.
  mutating func fill(_ range: Range<Int>, with byte: UInt8 = 0) {
    for index in range.clamped(to: indices) { self[index] = byte }
  }

  /// Changes a part of it in place, keeping the part's length.
  mutating func rewrite(_ range: Range<Int>, _ body: (inout [UInt8]) -> Void) {
    guard range.lowerBound >= startIndex, range.upperBound <= endIndex, !range.isEmpty else {
      return
    }
    var part = [UInt8](self[range])
    body(&part)
    if part.count == range.count { replaceSubrange(range, with: part) }
  }

  /// Where each occurrence of a text begins, of the first ones so many; ASCII letters compare in any case
  /// if asked for.
  func offsets(of text: String, anyCase: Bool = false, limit: Int = .max) -> [Int] {
    let pattern = [UInt8]((anyCase ? text.lowercased() : text).utf8)
    guard let first = pattern.first, count >= pattern.count else { return [] }
    func folded(_ byte: UInt8) -> UInt8 {
      anyCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
    var found: [Int] = []
    for start in 0...(count - pattern.count) where folded(self[start]) == first {
      if pattern.indices.allSatisfy({ folded(self[start + $0]) == pattern[$0] }) {
        found.append(start)
        if found.count >= limit { break }
      }
    }
    return found
  }
}
