public import FoundationEssentials

/// Identifies one album, smart album or folder.
///
/// Those of albums and folders are random; a smart album has the same one in every library.
public struct CollectionID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The 128 bits of the identifier.
  public let uuid: UUID

  /// Wraps a UUID.
  public init(uuid: UUID) { self.uuid = uuid }

  /// Makes an identifier of 16 bytes, or nil for any other number of them.
  public init?(bytes: some Collection<UInt8>) {
    guard let id = AssetID(bytes: bytes) else { return nil }
    uuid = id.uuid
  }

  /// Reads a local identifier or its UUID, with or without `/L0/040`, in any letter case.
  ///
  /// Returns nil for anything else.
  public init?(localIdentifier: String) {
    let text =
      localIdentifier.hasSuffix(Self.suffix)
      ? String(localIdentifier.dropLast(Self.suffix.count)) : localIdentifier
    guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
    self.uuid = uuid
  }

  /// What follows the UUID in the local identifier of a collection, as PhotoKit has it for albums.
  private static let suffix = "/L0/040"

  /// The 36 digits and dashes of the UUID, upper case.
  public var uuidString: String { uuid.uuidString }

  /// The identifier as PhotoKit writes it.
  public var localIdentifier: String { uuid.uuidString + Self.suffix }

  /// The text form.
  public var description: String { localIdentifier }

  /// The 16 bytes of the UUID, most significant first.
  public var bytes: [UInt8] { AssetID(uuid: uuid).bytes }

  /// Orders two values, the smaller first.
  public static func < (first: CollectionID, second: CollectionID) -> Bool {
    first.bytes.lexicographicallyPrecedes(second.bytes)
  }
}

/// What a collection holds, and who decides on it.
///
/// The first two raw values are PhotoKit's (`PHAssetCollectionType`); a folder is its `PHCollectionList`.
public enum CollectionKind: Int, Sendable, Hashable, CaseIterable {
  /// Assets that somebody put into it, in an order of theirs.
  case album = 1
  /// Assets that meet a condition.
  case smartAlbum = 2
  /// Albums and folders.
  case folder = 3
}

/// The smart albums.
///
/// Raw values are PhotoKit's (`PHAssetCollectionSubtype`).
public enum SmartAlbum: Int, Sendable, Hashable, CaseIterable {
  /// Always empty: a library holds images only.
  case videos = 202
  case favorites = 203
  /// Hidden assets, which no other one lists unless they are asked for.
  case hidden = 205
  /// Added within the last 30 days.
  case recentlyAdded = 206
  /// All assets.
  case userLibrary = 209
  case screenshots = 211
}

/// An album, a smart album or a folder as one client sees it: a value, filled when it was read.
public struct AssetCollection: Hashable, Sendable, Identifiable {
  /// The identifier, the same for all clients.
  public let id: CollectionID
  /// Album, smart album or folder.
  public let kind: CollectionKind
  /// Which smart album, or nil.
  public let smartAlbum: SmartAlbum?
  /// The title, as its maker wrote it.
  public let title: String
  /// The folder that it is in, or nil.
  public let parent: CollectionID?
  /// When the first and the last of its visible assets were taken; nil for a folder and where there is none.
  public let startDate, endDate: Instant?
  /// The number of its assets that are visible and not hidden (for ``SmartAlbum/hidden`` those that are), or of a
  /// folder's collections.
  public let count: Int
  /// Whether this client may change it.
  public let isEditable: Bool

  /// The identifier as PhotoKit writes it.
  public var localIdentifier: String { id.localIdentifier }

  package init(
    id: CollectionID, kind: CollectionKind, smartAlbum: SmartAlbum?, title: String,
    parent: CollectionID?, startDate: Instant?, endDate: Instant?, count: Int, isEditable: Bool
  ) {
    self.id = id
    self.kind = kind
    self.smartAlbum = smartAlbum
    self.title = title
    self.parent = parent
    self.startDate = startDate
    self.endDate = endDate
    self.count = count
    self.isEditable = isEditable
  }
}
