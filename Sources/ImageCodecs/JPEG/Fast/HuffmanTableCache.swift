import Synchronization

/// Decoding tables by the code that they are made from: cameras use the same codes for every picture,
/// and a set of tables costs as much to make as some per cent of a picture to decode.
///
/// Safe from any thread.
final class HuffmanTableCache: Sendable {
  private struct State {
    var dc: [HuffmanCode: DCTable] = [:]
    var ac: [HuffmanCode: ACTable] = [:]
  }

  static let shared = HuffmanTableCache()

  /// Pictures with codes made to measure fill the cache; it is then emptied, which costs the others
  /// one set of tables.
  ///
  /// A code's tables take 34 KB at most, whatever it is like.
  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int = 32) {
    self.capacity = capacity
  }

  var count: Int { state.withLock { $0.dc.count + $0.ac.count } }

  /// Nil where the code cannot be one of DC differences.
  func dc(_ code: HuffmanCode) -> DCTable? {
    if let table = state.withLock({ $0.dc[code] }) { return table }
    // Made outside the lock, so that nobody waits for another's tables.
    guard let table = DCTable(code) else { return nil }
    state.withLock { state in
      if state.dc.count >= capacity { state.dc.removeAll() }
      state.dc[code] = table
    }
    return table
  }

  func ac(_ code: HuffmanCode) -> ACTable {
    if let table = state.withLock({ $0.ac[code] }) { return table }
    let table = ACTable(code)
    state.withLock { state in
      if state.ac.count >= capacity { state.ac.removeAll() }
      state.ac[code] = table
    }
    return table
  }
}
