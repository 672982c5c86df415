/// Up to where a reader knows what happened.
///
/// It does not move while nothing happens that the reader may know of, and tells it no number of anything
/// else.
package struct HistoryPosition: Hashable, Sendable {
  /// The number of the library's last event; 0 for a client that does not see everything.
  package let sequence: Int64
  /// The number of the client's own last event; 0 for the owner.
  package let ordinal: Int64

  package init(sequence: Int64, ordinal: Int64) {
    self.sequence = sequence
    self.ordinal = ordinal
  }
}
