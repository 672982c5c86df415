import Synchronization

/// Decoding tables by the code that they are made from: cameras use the same codes for every picture,
/// and a set of tables costs as much to make as 3 % of a picture to decode.
///
/// Safe from any thread.
final class HuffmanTableCache: Sendable {
  private enum Use: Hashable {
    case dc
    case ac(window: Int)
  }
  private struct Key: Hashable {
    let code: HuffmanCode
    let use: Use
  }
  private struct State {
    var dc: [Key: DCTable] = [:]
    var ac: [Key: ACTable] = [:]
  }

  static let shared = HuffmanTableCache()

  /// Pictures with codes made to measure fill the cache; it is then emptied, which costs the others
  /// one set of tables.
  ///
  /// A hostile code's tables take 160 KB at most.
  private let capacity: Int
  private let state = Mutex(State())

  init(capacity: Int = 32) {
    self.capacity = capacity
  }

  var count: Int { state.withLock { $0.dc.count + $0.ac.count } }

  /// Nil where the code cannot be one of DC differences.
  func dc(_ code: HuffmanCode) -> DCTable? {
    let key = Key(code: code, use: .dc)
    if let table = state.withLock({ $0.dc[key] }) { return table }
    // Made outside the lock, so that nobody waits for another's tables.
    guard let table = DCTable(code) else { return nil }
    state.withLock { state in
      if state.dc.count >= capacity { state.dc.removeAll() }
      state.dc[key] = table
    }
    return table
  }

  func ac(_ code: HuffmanCode, window: Int) -> ACTable {
    let key = Key(code: code, use: .ac(window: window))
    if let table = state.withLock({ $0.ac[key] }) { return table }
    let table = ACTable(code, window: window)
    state.withLock { state in
      if state.ac.count >= capacity { state.ac.removeAll() }
      state.ac[key] = table
    }
    return table
  }
}
