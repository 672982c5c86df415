/// What assets are ordered by.
public enum SortKey: String, Sendable, Hashable, CaseIterable {
  case creationDate
  case modificationDate
  case addedDate
  case filename
  /// The number of pixels.
  case pixels
  /// Pixels across, as displayed.
  case width
  /// Pixels down, as displayed.
  case height
  /// Those that are no favourites come first in ascending order.
  case favorite
  /// Those that are not hidden come first in ascending order.
  case hidden
  case localIdentifier
}

/// One key of an order, and its direction.
public struct SortDescriptor: Hashable, Sendable {
  /// What is compared.
  public var key: SortKey
  /// Whether the smallest value comes first.
  public var ascending: Bool

  /// Orders by a key.
  public init(_ key: SortKey, ascending: Bool = true) {
    self.key = key
    self.ascending = ascending
  }
}

/// Which assets to fetch, and in what order.
public struct FetchQuery: Hashable, Sendable {
  /// The keys of the order, the first one before the others; empty for creation date, oldest first.
  ///
  /// Ties are broken by file name (natural order), then by identifier, both in the direction of the first key, so
  /// the order is total, and turning all directions round gives the exact reverse.
  public var sort: [SortDescriptor]
  /// What assets must meet, or nil for all.
  public var predicate: AssetPredicate?
  /// Only these, or nil for all.
  ///
  /// The order of the result is the sort order, not this one.
  public var ids: [AssetID]?
  /// Hidden assets are left out unless this is true.
  public var includesHidden: Bool
  /// At most so many, after `offset`; nil for no limit.
  ///
  /// Not negative.
  public var limit: Int?
  /// Skips so many of the ordered assets.
  ///
  /// Not negative.
  public var offset: Int
  /// Whether changes of the result are told by indexes; without, an observer gets the list after alone.
  public var wantsIncrementalChangeDetails = true

  /// All assets, oldest first.
  public init(
    sort: [SortDescriptor] = [], predicate: AssetPredicate? = nil, ids: [AssetID]? = nil,
    includesHidden: Bool = false, limit: Int? = nil, offset: Int = 0
  ) {
    self.sort = sort
    self.predicate = predicate
    self.ids = ids
    self.includesHidden = includesHidden
    self.limit = limit
    self.offset = offset
  }
}
