/// How two values are compared.
public enum Comparison: String, Sendable, Hashable, CaseIterable {
  case less = "<"
  case lessOrEqual = "<="
  case equal = "="
  case notEqual = "<>"
  case greaterOrEqual = ">="
  case greater = ">"
}

/// A moment that creation dates are compared with.
public enum DateBound: Hashable, Sendable {
  /// Compared with the camera's own wall clock.
  case wallClock(WallClock)
  /// Compared with the moment.
  case instant(Instant)
}

/// A condition that an asset meets or does not meet; no condition is ever unknown.
///
/// A predicate may be at most ``greatestDepth`` deep and have at most ``greatestCount`` parts; a fetch with a larger one
/// is refused.
public indirect enum AssetPredicate: Hashable, Sendable {
  /// When it was taken.
  case created(Comparison, DateBound)
  /// When its record was last changed.
  case modified(Comparison, Instant)
  /// When it was added.
  case added(Comparison, Instant)
  /// Pixels across, as displayed.
  case width(Comparison, Int)
  /// Pixels down, as displayed.
  case height(Comparison, Int)
  /// JPEG or PNG.
  case format(ImageFormat)
  /// Every asset of a library is an image so far.
  case mediaType(MediaType)
  /// All of these subtypes.
  case subtypes(AssetSubtypes)
  /// At least one of these subtypes: PhotoKit's test of bits.
  case anySubtype(AssetSubtypes)
  /// Whether it is a favourite.
  case favorite(Bool)
  /// Whether it is hidden; hidden assets are found only where the query includes them.
  case hidden(Bool)
  /// One of these assets.
  case ids([AssetID])
  /// All of the conditions; without any, every asset.
  case and([AssetPredicate])
  /// One of the conditions or several; without any, no asset.
  case or([AssetPredicate])
  /// Not the condition.
  case not(AssetPredicate)

  /// The deepest nesting that a fetch takes.
  public static let greatestDepth = 16
  /// The greatest number of parts that a fetch takes.
  public static let greatestCount = 256

  /// Whether depth and number of parts are within what a fetch takes.
  package var isWithinLimits: Bool {
    var count = 0
    return isWithinLimits(depth: 1, &count)
  }

  private func isWithinLimits(depth: Int, _ count: inout Int) -> Bool {
    count += 1
    guard depth <= Self.greatestDepth, count <= Self.greatestCount else { return false }
    switch self {
    case .and(let parts), .or(let parts):
      for part in parts {
        guard part.isWithinLimits(depth: depth + 1, &count) else { return false }
      }
      return true
    case .not(let part): return part.isWithinLimits(depth: depth + 1, &count)
    default: return true
    }
  }
}
