/// The EXIF values that a photo library uses, as found; texts end before their first NUL, but for dates
/// with a NUL between day and time.
///
/// Tags are those of EXIF 2.32 (CIPA DC-008) and TIFF 6.0.
package struct ExifFields: Hashable, Sendable {
  /// 0x9003, 0x9291, 0x9011.
  package var dateTimeOriginal: String?
  package var subSecTimeOriginal: String?
  package var offsetTimeOriginal: String?
  /// 0x9004, 0x9292, 0x9012.
  package var dateTimeDigitized: String?
  package var subSecTimeDigitized: String?
  package var offsetTimeDigitized: String?
  /// 0x0132, 0x9290, 0x9010.
  package var dateTime: String?
  package var subSecTime: String?
  package var offsetTime: String?
  /// 0x0112 of IFD0, whatever its value.
  package var orientation: Int?
  /// 0x010F, 0x0110.
  package var make: String?
  package var model: String?
  /// GPS tags 1 to 4: the letters N, S, E, W, and degrees, minutes and seconds.
  package var gpsLatitudeRef: String?
  package var gpsLatitude: [Rational]?
  package var gpsLongitudeRef: String?
  package var gpsLongitude: [Rational]?
  /// GPS tags 5 and 6: 1 is below sea level; metres.
  package var gpsAltitudeRef: Int?
  package var gpsAltitude: Rational?
  /// GPS tags 7 and 0x1D: hours, minutes, seconds, and the date, in UTC.
  package var gpsTimeStamp: [Rational]?
  package var gpsDateStamp: String?
  /// 0x4746, as Windows writes it: 0 to 5.
  package var rating: Int?
  /// IFD1: where the preview's JPEG bytes lie, counted from the start of the TIFF block.
  package var preview: Range<Int>?
  /// IFD1's own orientation of the preview.
  package var previewOrientation: Int?

  package init() {}

  /// Takes from a later block what this one does not have.
  ///
  /// A date goes with its sub-seconds and offset, a place with its letters and height: they are taken
  /// from one block, the first that has the main value, else the first that has any.
  mutating func fill(from other: ExifFields) {
    fill(from: other, \.dateTimeOriginal, [\.subSecTimeOriginal, \.offsetTimeOriginal])
    fill(from: other, \.dateTimeDigitized, [\.subSecTimeDigitized, \.offsetTimeDigitized])
    fill(from: other, \.dateTime, [\.subSecTime, \.offsetTime])
    fill(from: other, \.make, [])
    fill(from: other, \.model, [])
    if orientation == nil { orientation = other.orientation }
    if rating == nil { rating = other.rating }
    let hasPlace = gpsLatitude != nil && gpsLongitude != nil
    let hasPartOfPlace = gpsLatitude != nil || gpsLongitude != nil
    if !hasPlace, other.gpsLatitude != nil && other.gpsLongitude != nil || !hasPartOfPlace {
      gpsLatitude = other.gpsLatitude
      gpsLatitudeRef = other.gpsLatitudeRef
      gpsLongitude = other.gpsLongitude
      gpsLongitudeRef = other.gpsLongitudeRef
      gpsAltitude = other.gpsAltitude
      gpsAltitudeRef = other.gpsAltitudeRef
    }
    let hasTime = gpsDateStamp != nil && gpsTimeStamp != nil
    let hasPartOfTime = gpsDateStamp != nil || gpsTimeStamp != nil
    if !hasTime, other.gpsDateStamp != nil && other.gpsTimeStamp != nil || !hasPartOfTime {
      gpsDateStamp = other.gpsDateStamp
      gpsTimeStamp = other.gpsTimeStamp
    }
  }

  private mutating func fill(
    from other: ExifFields, _ main: WritableKeyPath<ExifFields, String?>,
    _ parts: [WritableKeyPath<ExifFields, String?>]
  ) {
    guard self[keyPath: main] == nil else { return }
    let hasNothing = parts.allSatisfy { self[keyPath: $0] == nil }
    guard other[keyPath: main] != nil || hasNothing else { return }
    for path in [main] + parts { self[keyPath: path] = other[keyPath: path] }
  }
}
