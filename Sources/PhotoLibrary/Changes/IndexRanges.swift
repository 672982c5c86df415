/// Indexes of a list in ascending order, kept as ranges.
public struct IndexRanges: Hashable, Sendable, Sequence {
  /// The ranges: ascending, not empty, and none touching the next.
  public private(set) var ranges: [Range<Int>] = []

  /// No index.
  public init() {}

  /// Appends an index that is greater than all before it.
  mutating func append(_ index: Int) {
    if let last = ranges.last, last.upperBound == index {
      ranges[ranges.count - 1] = last.lowerBound..<index + 1
    } else {
      ranges.append(index..<index + 1)
    }
  }

  /// How many indexes there are.
  public var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Whether there is none.
  public var isEmpty: Bool { ranges.isEmpty }

  /// Iterates over the indexes, the smallest first.
  public func makeIterator() -> AnyIterator<Int> {
    AnyIterator(ranges.lazy.joined().makeIterator())
  }
}
