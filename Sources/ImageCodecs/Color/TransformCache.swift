import Synchronization

/// Transforms by the bytes of their profile: making one costs 5 to 11 times as much as running it
/// on a thumbnail, and a camera's pictures all carry the same.
///
/// Safe from any thread.
final class TransformCache: Sendable {
  /// What a profile asks for.
  enum Entry: Sendable {
    /// Nothing: it is sRGB itself, or cannot be used, which is treated as sRGB.
    case none
    case transform(ColorTransform)
  }

  private struct Key: Hashable {
    let channels: Int
    let profile: [UInt8]
  }
  private struct State {
    var entries: [Key: Entry] = [:]
    /// Least recently used first.
    var order: [Key] = []
  }

  private let capacity: Int
  private let largestProfile: Int
  private let state = Mutex(State())

  /// Keeps at most `capacity` entries, of profiles up to `largestProfile` bytes.
  init(capacity: Int = 16, largestProfile: Int = 1 << 20) {
    self.capacity = capacity
    self.largestProfile = largestProfile
  }

  var count: Int { state.withLock { $0.entries.count } }

  /// The transform for pixels of `channels` channels; made outside the lock, so that one slow
  /// profile does not hold up the pictures with others.
  func entry(profile: [UInt8], channels: Int) -> Entry {
    let key = Key(channels: channels, profile: profile)
    let known = state.withLock { state -> Entry? in
      guard let entry = state.entries[key] else { return nil }
      if let index = state.order.firstIndex(of: key) {
        state.order.append(state.order.remove(at: index))
      }
      return entry
    }
    if let known { return known }

    let entry: Entry
    if let transform = ColorTransform(profile: profile, channels: channels),
      !transform.isIdentity()
    {
      entry = .transform(transform)
    } else {
      entry = .none
    }
    guard profile.count <= largestProfile else { return entry }
    state.withLock { state in
      guard state.entries.updateValue(entry, forKey: key) == nil else { return }
      state.order.append(key)
      if state.order.count > capacity {
        state.entries[state.order.removeFirst()] = nil
      }
    }
    return entry
  }
}
