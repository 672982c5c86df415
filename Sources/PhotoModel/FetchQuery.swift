/// What assets are ordered by.
///
/// Ties are broken by file name (natural order), then by identifier.
public enum SortKey: String, Sendable, Hashable, CaseIterable {
  case creationDate
  case modificationDate
  case addedDate
  case filename
  /// The number of pixels.
  case pixels
}

/// One end of a range of creation dates.
public enum DateBound: Hashable, Sendable {
  /// Compared with the camera's own wall clock.
  case wallClock(WallClock)
  /// Compared with the moment.
  case instant(Instant)
}

/// Which assets to fetch, and in what order.
public struct FetchQuery: Hashable, Sendable {
  /// What the assets are ordered by.
  public var sortKey: SortKey
  /// False is the exact reverse of the ascending order.
  public var ascending: Bool
  /// Only these, or nil for all.
  ///
  /// The order of the result is the sort order, not this one.
  public var ids: [AssetID]?
  /// Created at this bound or after it.
  public var createdFrom: DateBound?
  /// Created before this bound (which itself is left out).
  public var createdBefore: DateBound?
  /// Only this kind of original, or nil for all.
  public var format: ImageFormat?
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

  /// All assets, oldest first.
  public init(
    sortKey: SortKey = .creationDate, ascending: Bool = true, ids: [AssetID]? = nil,
    createdFrom: DateBound? = nil, createdBefore: DateBound? = nil, format: ImageFormat? = nil,
    includesHidden: Bool = false, limit: Int? = nil, offset: Int = 0
  ) {
    self.sortKey = sortKey
    self.ascending = ascending
    self.ids = ids
    self.createdFrom = createdFrom
    self.createdBefore = createdBefore
    self.format = format
    self.includesHidden = includesHidden
    self.limit = limit
    self.offset = offset
  }
}
