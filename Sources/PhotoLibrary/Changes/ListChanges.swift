import PhotoModel
import PhotoStore

/// How one list of assets becomes another: removals, then insertions, then moves.
///
/// Both lists hold each asset once. What they have in common at the beginning and at the end is passed
/// over without being hashed.
struct ListChanges {
  /// Indexes of the list before.
  private(set) var removed = IndexRanges()
  /// Indexes of the list after, which are those of the list behind removals and insertions.
  private(set) var inserted = IndexRanges()
  /// Indexes of the list after, none of them inserted.
  private(set) var changed = IndexRanges()
  /// Each of the list that the one before it left: taken out at `from`, put in so that it is at `to`.
  private(set) var moves: [(from: Int, to: Int)] = []

  /// Above so many steps over elements, moves are not worked out.
  private static let greatestWork = 200_000_000

  var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && changed.isEmpty && moves.isEmpty }

  /// Compares two lists; nil where so much has moved that fetching anew is cheaper than moving.
  ///
  /// - Parameters:
  ///   - before: the list before.
  ///   - after: the list after.
  ///   - touched: assets whose record differs; those in only one of the lists do not matter.
  init?(from before: PackedIDs, to after: PackedIDs, touched: Set<AssetID>) {
    let shorter = min(before.count, after.count)
    var prefix = 0
    while prefix < shorter, before[prefix] == after[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix,
      before[before.count - 1 - suffix] == after[after.count - 1 - suffix]
    {
      suffix += 1
    }
    let end = after.count - suffix
    var ranks: [AssetID: Int] = [:]
    for index in prefix..<end { ranks[after[index]] = index - prefix }
    var kept: [Int] = []
    for index in prefix..<before.count - suffix {
      if let rank = ranks[before[index]] { kept.append(rank) } else { removed.append(index) }
    }
    var isKept = [Bool](repeating: false, count: end - prefix)
    for rank in kept { isKept[rank] = true }
    // Behind removals and insertions: each inserted one at its last index, the kept ones as before.
    var next = kept.makeIterator()
    let middle = isKept.indices.map { isKept[$0] ? next.next() ?? $0 : $0 }
    for rank in isKept.indices where !isKept[rank] { inserted.append(rank + prefix) }
    if !touched.isEmpty {
      for index in 0..<after.count where touched.contains(after[index]) {
        let isInserted = index >= prefix && index < end && !isKept[index - prefix]
        if !isInserted { changed.append(index) }
      }
    }
    guard let moves = Self.moves(sorting: middle) else { return nil }
    self.moves = moves.map { ($0.from + prefix, $0.to + prefix) }
  }

  /// The fewest moves that sort a permutation of 0..<count: of all that is not in its longest increasing run.
  private static func moves(sorting list: [Int]) -> [(from: Int, to: Int)]? {
    let staying = longestIncreasingRun(list)
    let moving = list.indices.filter { !staying.contains(list[$0]) }.map { list[$0] }.sorted()
    guard moving.count.multipliedReportingOverflow(by: list.count).partialValue <= greatestWork
    else { return nil }
    var list = list
    return moving.compactMap { rank in
      // All that are smaller stand in order already, so its place is right behind the next smaller one.
      guard let from = list.firstIndex(of: rank) else { return nil }
      list.remove(at: from)
      let to = rank == 0 ? 0 : (list.firstIndex(of: rank - 1) ?? -1) + 1
      list.insert(rank, at: to)
      return (from, to)
    }
  }

  /// The members of a longest increasing run, by patience sorting (Fredman 1975): n log n steps.
  private static func longestIncreasingRun(_ list: [Int]) -> Set<Int> {
    var tops: [Int] = []
    var previous = [Int?](repeating: nil, count: list.count)
    for index in list.indices {
      var low = 0
      var high = tops.count
      while low < high {
        let middle = (low + high) / 2
        if list[tops[middle]] < list[index] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tops[low - 1] }
      if low == tops.count { tops.append(index) } else { tops[low] = index }
    }
    var run: Set<Int> = []
    var index = tops.last
    while let at = index {
      run.insert(list[at])
      index = previous[at]
    }
    return run
  }
}
