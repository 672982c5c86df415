package import PhotoModel

/// What the importer knows of a picture that it adds.
package struct NewAsset: Sendable {
  package var original: StagedOriginal
  package var fileName: FileName
  package var format: ImageFormat
  /// The size as displayed, orientation applied.
  package var pixelSize: PixelSize
  package var orientation: Orientation
  package var creationDate: CreationDate
  /// All dates that were found, most trusted first.
  package var dateCandidates: [DateCandidate]
  package var location: Location?
  /// -1 to 5, or nil where the file says nothing.
  package var rating: Int?
  /// Whether the file is marked as a favourite.
  package var isFavorite: Bool
  package var camera: Camera?
  /// Why the picture is not whole, or nil.
  package var damage: String?
  /// Why a whole picture cannot be shown, or nil.
  package var undecodable: String?
  /// The bytes without places, or nil where they are to be computed later.
  package var redacted: RedactedOriginal?
  /// What more there is to say of its kind, or nil where nobody has looked.
  package var subtypes: AssetSubtypes?
  /// An identifier that was promised; nil for a new one.
  package var id: AssetID?
  /// The moment of adding, in microseconds since 1970 UTC, in the stead of the next one; no other asset may have it.
  package var added: Int64?

  package init(
    original: StagedOriginal, fileName: FileName, format: ImageFormat, pixelSize: PixelSize,
    orientation: Orientation, creationDate: CreationDate, dateCandidates: [DateCandidate],
    location: Location?, camera: Camera?, damage: String?, undecodable: String?,
    rating: Int? = nil, isFavorite: Bool = false, redacted: RedactedOriginal? = nil,
    subtypes: AssetSubtypes? = nil, id: AssetID? = nil, added: Int64? = nil
  ) {
    self.original = original
    self.fileName = fileName
    self.format = format
    self.pixelSize = pixelSize
    self.orientation = orientation
    self.creationDate = creationDate
    self.dateCandidates = dateCandidates
    self.location = location
    self.rating = rating
    self.isFavorite = isFavorite
    self.camera = camera
    self.damage = damage
    self.undecodable = undecodable
    self.redacted = redacted
    self.subtypes = subtypes
    self.id = id
    self.added = added
  }
}

/// What became of one asset that was to be added.
package enum AddOutcome: Hashable, Sendable {
  case added(AssetID)
  /// The same bytes are an asset already, and the adder may know of it.
  case duplicate(AssetID)
  case failed(StoreError)
}

/// Who adds: decides on duplicates, the scope of cache entries, and selection rows.
package enum Adder: Hashable, Sendable {
  /// The owner: one asset a content.
  case owner
  /// A client. Without `mayKnowDuplicates` it gets a new asset over the same original, with a cache
  /// scope of its own, so that nothing tells whether bytes were there that it does not see. With
  /// `selects` the asset is selected for it in the same commit.
  case client(ClientID, mayKnowDuplicates: Bool, selects: Bool)

  /// Whether equal bytes already in the library are to be reported.
  var mayKnowDuplicates: Bool {
    switch self {
    case .owner: true
    case .client(_, let may, _): may
    }
  }
}
