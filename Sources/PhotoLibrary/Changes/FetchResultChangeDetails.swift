public import PhotoModel
import PhotoStore

/// What became of a result: removals, insertions, changes and moves, to be applied in this order.
public struct FetchResultChangeDetails: Sendable {
  /// The result as it was.
  public let before: FetchResult
  /// The result as it is: the same query's answer.
  public let after: FetchResult
  /// Whether the indexes are there; without them, the list after replaces the list before.
  public let hasIncrementalChanges: Bool
  /// Indexes of the list before.
  public let removedIndexes: IndexRanges?
  /// Indexes of the list behind the removals and insertions, which are those of the list after.
  public let insertedIndexes: IndexRanges?
  /// Indexes of the list after, none of them inserted.
  public let changedIndexes: IndexRanges?
  /// Each of the list that the one before it left: taken out at `from`, put in so that it is at `to`.
  public let moves: [(from: Int, to: Int)]

  /// The assets at the removed indexes; empty without increments.
  public var removed: [AssetID] { removedIndexes?.map { before.id(at: $0) } ?? [] }
  /// The assets at the inserted indexes; empty without increments.
  public var inserted: [AssetID] { insertedIndexes?.map { after.id(at: $0) } ?? [] }
  /// The assets at the changed indexes; empty without increments.
  public var changed: [AssetID] { changedIndexes?.map { after.id(at: $0) } ?? [] }

  /// Fetches anew and compares, in one state of the library; nil where nothing in the result is different.
  init?(of result: FetchResult, isFolded: Bool) throws(LibraryError) {
    var isIncremental = !isFolded && result.query.wantsIncrementalChangeDetails
    let found: (ids: PackedIDs, touched: Set<AssetID>, position: HistoryPosition)?
    do throws(LibraryError) {
      found = try result.service.fetch(result.query, since: result.position)
    } catch  where error.code == .tokenExpired {
      // What happened since is forgotten: all that can be told is what there is.
      let (ids, position) = try result.service.fetch(result.query)
      found = (ids, Set(ids.ids), position)
      isIncremental = false
    }
    guard let found else { return nil }
    let changes = ListChanges(from: result.identifiers, to: found.ids, touched: found.touched)
    if let changes, changes.isEmpty { return nil }
    before = result
    after = FetchResult(
      service: result.service, identifiers: found.ids, query: result.query,
      position: found.position)
    let told = isIncremental ? changes : nil
    hasIncrementalChanges = told != nil
    removedIndexes = told?.removed
    insertedIndexes = told?.inserted
    changedIndexes = told?.changed
    moves = told?.moves ?? []
  }
}
