/// Where a date was read from, in the order in which sources are trusted.
///
/// The order of the cases is the date policy: of the dates that are present and sane the first one wins.
/// `ImageMetadata` produces candidates, `CreationDatePolicy` there chooses. The raw values are what an index
/// stores: they never change, and say nothing of the order.
public enum DateSource: Int, Sendable, Hashable, CaseIterable, Comparable {
  /// Set by the owner.
  case edited = 0
  /// EXIF DateTimeOriginal (0x9003) with SubSecTimeOriginal and OffsetTimeOriginal.
  case exifDateTimeOriginal = 1
  /// XMP exif:DateTimeOriginal of a sidecar, the `.xmp` file beside the picture.
  case sidecarDateTimeOriginal = 13
  /// XMP photoshop:DateCreated of a sidecar.
  case sidecarPhotoshopDateCreated = 14
  /// XMP exif:DateTimeOriginal, embedded.
  case xmpDateTimeOriginal = 2
  /// XMP photoshop:DateCreated, embedded.
  case xmpPhotoshopDateCreated = 3
  /// IPTC DateCreated (2:55) with TimeCreated (2:60).
  case iptcDateCreated = 4
  /// EXIF DateTimeDigitized (0x9004) with its own sub-seconds and offset.
  case exifDateTimeDigitized = 5
  /// XMP xmp:CreateDate of a sidecar.
  case sidecarCreateDate = 15
  /// XMP xmp:CreateDate, embedded.
  case xmpCreateDate = 6
  /// PNG text "Creation Time".
  case pngCreationTime = 7
  /// EXIF DateTime (0x0132).
  case exifDateTime = 8
  /// PNG tIME.
  case pngTime = 9
  /// A date in the file's name, in a known form.
  case fileName = 10
  /// GPS date and time.
  case gps = 11
  /// The modification time of the file that was added.
  case fileModification = 12

  /// Orders two values, the more trusted first.
  public static func < (first: DateSource, second: DateSource) -> Bool {
    first.rank < second.rank
  }

  /// The place in the order of trust: that of the case.
  private var rank: Int { Self.ranks[self] ?? .max }

  private static let ranks = Dictionary(uniqueKeysWithValues: zip(allCases, 0...))

  /// The name that commands print.
  public var name: String {
    switch self {
    case .edited: "edited"
    case .exifDateTimeOriginal: "exif:DateTimeOriginal"
    case .sidecarDateTimeOriginal: "sidecar:exif:DateTimeOriginal"
    case .sidecarPhotoshopDateCreated: "sidecar:photoshop:DateCreated"
    case .xmpDateTimeOriginal: "xmp:exif:DateTimeOriginal"
    case .xmpPhotoshopDateCreated: "xmp:photoshop:DateCreated"
    case .iptcDateCreated: "iptc:DateCreated"
    case .exifDateTimeDigitized: "exif:DateTimeDigitized"
    case .sidecarCreateDate: "sidecar:xmp:CreateDate"
    case .xmpCreateDate: "xmp:CreateDate"
    case .pngCreationTime: "png:CreationTime"
    case .exifDateTime: "exif:DateTime"
    case .pngTime: "png:tIME"
    case .fileName: "fileName"
    case .gps: "gps"
    case .fileModification: "fileModification"
    }
  }
}

/// A date that some source gives for a photograph, as found there.
public struct DateCandidate: Hashable, Sendable {
  /// Where the date was found.
  public let source: DateSource
  /// What the clock showed.
  public let wallClock: WallClock
  /// The offset that belongs to this very date, or nil where the source names none.
  public let offset: UTCOffset?

  /// Makes a value of its parts.
  public init(source: DateSource, wallClock: WallClock, offset: UTCOffset?) {
    self.source = source
    self.wallClock = wallClock
    self.offset = offset
  }
}

/// When a photograph was taken: the camera's wall clock, its offset, and the moment they name.
public struct CreationDate: Hashable, Sendable {
  /// What the camera's clock showed.
  public let wallClock: WallClock
  /// The clock's difference from UTC; the library time zone's where `isOffsetKnown` is false.
  public let offset: UTCOffset
  /// Whether the offset comes from the file, and not from the library's time zone.
  public let isOffsetKnown: Bool
  /// Where the date was found.
  public let source: DateSource

  /// Makes a value of its parts.
  public init(wallClock: WallClock, offset: UTCOffset, isOffsetKnown: Bool, source: DateSource) {
    self.wallClock = wallClock
    self.offset = offset
    self.isOffsetKnown = isOffsetKnown
    self.source = source
  }

  /// The moment, by which assets are sorted.
  public var instant: Instant { wallClock.instant(at: offset) }

  /// RFC 3339 with milliseconds: the camera's wall clock with its offset.
  public var rfc3339: String {
    let text = wallClock.rfc3339(offset: offset)
    // A camera's +00:00 is a statement about its clock; keep it apart from UTC's Z.
    return offset == .utc ? text.dropLast() + "+00:00" : text
  }
}
