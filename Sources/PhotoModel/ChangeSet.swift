/// What became different for one reader of a library between two moments; the three sets are disjoint.
///
/// A limited client finds an asset that was selected for it in `inserted`, and one that was taken
/// from its selection in `removed`, and never an asset outside its selection.
public struct ChangeSet: Hashable, Sendable {
  /// Assets that the reader sees now and did not see before.
  public var inserted: Set<AssetID>
  /// Assets seen before and after that differ.
  public var changed: Set<AssetID>
  /// Assets that the reader no longer sees.
  public var removed: Set<AssetID>

  /// Makes a set of changes; the three sets must be disjoint.
  public init(
    inserted: Set<AssetID> = [], changed: Set<AssetID> = [], removed: Set<AssetID> = []
  ) {
    self.inserted = inserted
    self.changed = changed
    self.removed = removed
  }

  /// Whether nothing became different.
  public var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && removed.isEmpty }
}
