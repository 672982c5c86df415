/// What became different for one reader of a library between two moments; the three sets are disjoint.
///
/// A limited client finds an asset that was selected for it in `inserted`, and one that was taken
/// from its selection in `removed`, and never an asset outside its selection.
public struct ChangeSet: Hashable, Sendable {
  public var inserted: Set<AssetID>
  public var changed: Set<AssetID>
  public var removed: Set<AssetID>

  public init(
    inserted: Set<AssetID> = [], changed: Set<AssetID> = [], removed: Set<AssetID> = []
  ) {
    self.inserted = inserted
    self.changed = changed
    self.removed = removed
  }

  public var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && removed.isEmpty }
}
