/// Where a photograph was taken (WGS 84).
public struct Location: Hashable, Sendable {
  /// Degrees north, -90 to 90.
  public let latitude: Double
  /// Degrees east, -180 to 180.
  public let longitude: Double
  /// Metres above sea level, or nil where unknown.
  public let altitude: Double?

  /// Returns nil for values that are no place: not finite, or out of range.
  ///
  /// An altitude that is not finite is dropped.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard (-90.0...90).contains(latitude), (-180.0...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude.flatMap { $0.isFinite ? $0 : nil }
  }
}

/// The camera that took a photograph, as it names itself, blanks at the ends removed.
public struct Camera: Hashable, Sendable {
  /// The maker as the camera names it.
  public let make: String?
  /// The model as the camera names it.
  public let model: String?

  /// Returns nil where neither is known.
  public init?(make: String?, model: String?) {
    guard make != nil || model != nil else { return nil }
    self.make = make
    self.model = model
  }
}

/// The bytes of an original as the caller may read them.
public struct OriginalDescription: Hashable, Sendable {
  /// The number of bytes.
  public let byteSize: Int64
  /// Their SHA-256, 32 bytes.
  public let sha256: [UInt8]

  /// Wraps a size and a hash of 32 bytes.
  public init(byteSize: Int64, sha256: [UInt8]) {
    self.byteSize = byteSize
    self.sha256 = sha256
  }

  /// The SHA-256 as 64 lower-case hexadecimal digits.
  public var sha256Hex: String {
    sha256.map { padded2($0) }.joined()
  }

  private func padded2(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

/// One photograph of a library, as one client sees it: a value, filled when it was read.
public struct Asset: Hashable, Sendable, Identifiable {
  /// The identifier, the same for all clients.
  public let id: AssetID
  /// The name that the file had when it was added.
  public let originalFilename: FileName
  /// JPEG or PNG.
  public let format: ImageFormat
  /// The size as displayed: upright, orientation applied.
  public let pixelSize: PixelSize
  /// How the stored picture is turned; `pixelSize` already has it applied.
  public let orientation: Orientation
  /// When it was taken.
  ///
  /// Never absent; `creationDate.source` says how much to trust it.
  public let creationDate: CreationDate
  /// When its record was last changed.
  public let modificationDate: Instant
  /// When it was added; strictly increasing, so it alone is the order of adding.
  public let addedDate: Instant
  /// Whether it is marked as a favourite.
  public let isFavorite: Bool
  /// Whether it is left out of fetches that do not ask for hidden assets.
  public let isHidden: Bool
  /// The stars that the file or its sidecar had when it was added.
  ///
  /// 1 to 5, 0 for none given, -1 for rejected; nil where nothing was said.
  public let rating: Int?
  /// Where it was taken; nil where unknown, and for every client without the location permission.
  public let location: Location?
  /// Whether this reader may not know places; true whether or not there was one.
  public let isLocationRedacted: Bool
  /// Size and hash of the bytes that this reader may read; nil where it may read none.
  ///
  /// That is so for a reader without the location permission where the places could not be removed with
  /// certainty, or the original cannot be read: it gets no bytes then, and is told no size and no hash.
  public let original: OriginalDescription?
  /// The camera that took it.
  public let camera: Camera?
  /// Why the picture is not whole, or nil.
  public let damage: String?
  /// Why a whole picture cannot be shown (a kind or a size that no decoder here takes), or nil.
  public let undecodable: String?
  /// All dates found in the file, most trusted first.
  ///
  /// Filled by `show` alone; else empty.
  public let dateCandidates: [DateCandidate]

  /// The identifier as PhotoKit writes it.
  public var localIdentifier: String { id.localIdentifier }

  /// The same record with what became known of its bytes.
  package func describing(_ original: OriginalDescription?) -> Asset {
    Asset(
      id: id, originalFilename: originalFilename, format: format, pixelSize: pixelSize,
      orientation: orientation, creationDate: creationDate, modificationDate: modificationDate,
      addedDate: addedDate, isFavorite: isFavorite, isHidden: isHidden, rating: rating,
      location: location, isLocationRedacted: isLocationRedacted, original: original,
      camera: camera, damage: damage,
      undecodable: undecodable, dateCandidates: dateCandidates)
  }

  package init(
    id: AssetID, originalFilename: FileName, format: ImageFormat, pixelSize: PixelSize,
    orientation: Orientation, creationDate: CreationDate, modificationDate: Instant,
    addedDate: Instant, isFavorite: Bool, isHidden: Bool, rating: Int?, location: Location?,
    isLocationRedacted: Bool, original: OriginalDescription?, camera: Camera?, damage: String?,
    undecodable: String?, dateCandidates: [DateCandidate]
  ) {
    self.id = id
    self.originalFilename = originalFilename
    self.format = format
    self.pixelSize = pixelSize
    self.orientation = orientation
    self.creationDate = creationDate
    self.modificationDate = modificationDate
    self.addedDate = addedDate
    self.isFavorite = isFavorite
    self.isHidden = isHidden
    self.rating = rating
    self.location = location
    self.isLocationRedacted = isLocationRedacted
    self.original = original
    self.camera = camera
    self.damage = damage
    self.undecodable = undecodable
    self.dateCandidates = dateCandidates
  }
}
