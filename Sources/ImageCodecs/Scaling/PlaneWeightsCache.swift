import Synchronization

/// Weights by what they depend on: the pictures of a batch mostly have one size, and making weights
/// costs as much as using them.
///
/// Safe from any thread.
final class PlaneWeightsCache: Sendable {
  private struct State {
    var entries: [PlaneWeights.Axis: PlaneWeights] = [:]
    /// First in, first out.
    var order: [PlaneWeights.Axis] = []
  }

  /// The one that all decoders share; it holds 4 MiB at most.
  static let shared = PlaneWeightsCache(capacity: 64, largest: 16_384)

  private let capacity: Int
  private let largest: Int
  private let state = Mutex(State())

  /// Keeps at most `capacity` axes, each of at most `largest` weights.
  init(capacity: Int, largest: Int) {
    self.capacity = capacity
    self.largest = largest
  }

  var count: Int { state.withLock { $0.entries.count } }

  func weights(_ axis: PlaneWeights.Axis) -> PlaneWeights {
    if let known = state.withLock({ $0.entries[axis] }) { return known }
    let weights = PlaneWeights(axis)
    guard weights.weights.count <= largest else { return weights }
    state.withLock { state in
      guard state.entries.updateValue(weights, forKey: axis) == nil else { return }
      state.order.append(axis)
      if state.order.count > capacity { state.entries[state.order.removeFirst()] = nil }
    }
    return weights
  }
}
