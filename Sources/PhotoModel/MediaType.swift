/// What kind of thing an asset is.
///
/// Raw values are PhotoKit's. A library holds images only; the others match nothing.
public enum MediaType: Int, Sendable, Hashable, CaseIterable {
  case unknown = 0
  case image = 1
  case video = 2
  case audio = 3
}

/// What more there is to say of the kind of an image.
///
/// Bits are PhotoKit's (`PHAssetMediaSubtype`).
public struct AssetSubtypes: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Wraps bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A picture put together of several, at least twice as wide as high or the other way round.
  public static let panorama = AssetSubtypes(rawValue: 1 << 0)
  /// A picture of a screen.
  public static let screenshot = AssetSubtypes(rawValue: 1 << 2)
}
