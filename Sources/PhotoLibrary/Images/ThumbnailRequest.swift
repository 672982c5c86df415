package import PhotoModel

/// One thumbnail that a client asks for.
package struct ThumbnailRequest: Hashable, Sendable {
  package var asset: AssetID
  package var recipe: ThumbnailRecipe
  package var usesCache: Bool
  package var priority: Priority
  /// Whether a picture inside the file may answer: a degraded thumbnail, which is never kept.
  package var allowsPreview: Bool

  /// Who waits for it; the later ones overtake the earlier ones.
  package enum Priority: Int, CaseIterable, Comparable, Sendable {
    /// Nobody yet.
    case prefetch
    /// A program that works through many.
    case batch
    /// A person.
    case interactive

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  package init(
    asset: AssetID, recipe: ThumbnailRecipe, usesCache: Bool, priority: Priority,
    allowsPreview: Bool = false
  ) {
    self.asset = asset
    self.recipe = recipe
    self.usesCache = usesCache
    self.priority = priority
    self.allowsPreview = allowsPreview
  }
}
