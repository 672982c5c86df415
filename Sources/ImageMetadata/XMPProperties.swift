/// The XMP properties that a photo library uses, as found.
struct XMPProperties: Hashable {
  /// The property's name in its namespace.
  enum Name: String, CaseIterable {
    case exifDateTimeOriginal = "exif:DateTimeOriginal"
    case photoshopDateCreated = "photoshop:DateCreated"
    case createDate = "xmp:CreateDate"
    /// The older name of xmp:CreateDate, under which exempi finds it too.
    case exifDateTimeDigitized = "exif:DateTimeDigitized"
    case orientation = "tiff:Orientation"
    case make = "tiff:Make"
    case model = "tiff:Model"
    case gpsLatitude = "exif:GPSLatitude"
    case gpsLongitude = "exif:GPSLongitude"
    case gpsAltitude = "exif:GPSAltitude"
    case gpsAltitudeRef = "exif:GPSAltitudeRef"
    /// Date and time in UTC, unlike EXIF's tag of that name.
    case gpsTimeStamp = "exif:GPSTimeStamp"
    case rating = "xmp:Rating"
    /// A rating in percent, as Windows writes it beside the other.
    case ratingPercent = "MicrosoftPhoto:Rating"
    /// The same in the namespace without its last slash, as exiftool and older Windows have it.
    case ratingPercentUnslashed = "MicrosoftPhoto_1_:Rating"
    /// The heart of the app F-Stop, which PhotoPrism reads too: `1` or `0`.
    case favorite = "fstop:favorite"
    /// The GUID of the extended packet.
    case hasExtendedXMP = "xmpNote:HasExtendedXMP"

    /// The namespace's URI (XMP specification part 2).
    var space: String {
      switch rawValue.prefix(while: { $0 != ":" }) {
      case "exif": "http://ns.adobe.com/exif/1.0/"
      case "photoshop": "http://ns.adobe.com/photoshop/1.0/"
      case "xmp": "http://ns.adobe.com/xap/1.0/"
      case "xmpNote": "http://ns.adobe.com/xmp/note/"
      case "MicrosoftPhoto": "http://ns.microsoft.com/photo/1.0/"
      case "MicrosoftPhoto_1_": "http://ns.microsoft.com/photo/1.0"
      case "fstop": "http://www.fstopapp.com/xmp/"
      default: "http://ns.adobe.com/tiff/1.0/"
      }
    }

    var local: String { String(rawValue.drop { $0 != ":" }.dropFirst()) }
  }

  /// Longer texts are no date, place or name of a camera.
  static let maximumLength = 256

  private(set) var values: [Name: String] = [:]

  subscript(name: Name) -> String? { values[name] }

  init() {}

  /// Keeps the first value of a name, as for EXIF's duplicate tags.
  mutating func add(_ value: String, for name: Name) {
    guard values[name] == nil, value.utf8.count <= Self.maximumLength else { return }
    values[name] = value
  }

  /// Reads a packet of UTF-8 or UTF-16: by exempi where it is well-formed, else what can be recognised in the text.
  ///
  /// Where the budget of the file is exhausted, what follows is absent.
  init(packet: [UInt8], budget: inout XMPBudget) {
    if budget.isExhausted { return }
    let text = Self.utf8(packet)
    let markup = XMPMarkup(text, budget: &budget)
    if markup.isRegular, let parsed = XMPPacket.properties(of: text) {
      self = parsed
      // exempi gives no text for an array, of which the first item counts here.
      fill(from: markup.properties)
    } else {
      self = markup.properties
    }
  }

  /// The packet's text in UTF-8, without the NULs that some writers put behind it.
  static func utf8(_ packet: [UInt8]) -> [UInt8] {
    let start = packet.prefix(2)
    let isBigEndian = start.elementsEqual([0, 0x3C]) || start.elementsEqual([0xFE, 0xFF])
    if isBigEndian || start.elementsEqual([0x3C, 0]) || start.elementsEqual([0xFF, 0xFE]) {
      let units = stride(from: 0, to: packet.count - 1, by: 2).map { index in
        let (first, second) = (UInt16(packet[index]), UInt16(packet[index + 1]))
        return isBigEndian ? first << 8 | second : second << 8 | first
      }
      return utf8(Array(String(decoding: units, as: UTF16.self).utf8))
    }
    let end = packet.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return Array(packet[..<end])
  }

  /// Takes from a later packet what this one does not have.
  mutating func fill(from other: XMPProperties) {
    values.merge(other.values) { first, _ in first }
  }
}
