public import PhotoLibrary
import Synchronization

/// Records what changes for a client while a test goes on.
public final class ChangeRecorder: Sendable {
  private let recorded = Mutex<(changes: [ChangeSet], last: ContinuousClock.Instant)>(([], .now))
  private let task: Mutex<Task<Void, Never>?>

  /// Starts to record what `client` sees change from now on.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public init(_ client: LibraryClient) throws {
    let sequence = try client.changes()
    task = Mutex(nil)
    let observation = Task { [weak self] in
      for await change in sequence { self?.record(change) }
    }
    task.withLock { $0 = observation }
  }

  deinit { task.withLock { $0 }?.cancel() }

  private func record(_ change: ChangeSet) {
    recorded.withLock { recorded in
      recorded.changes.append(change)
      recorded.last = .now
    }
  }

  /// What was recorded so far.
  public var changes: [ChangeSet] { recorded.withLock { $0.changes } }

  /// Waits until what was recorded is what a test waits for.
  ///
  /// - Parameters:
  ///   - limit: how long to wait at most.
  ///   - isExpected: looks at all that was recorded.
  /// - Returns: All that was recorded, whether or not it is what was waited for.
  public func wait(
    limit: Duration = .seconds(20), until isExpected: ([ChangeSet]) -> Bool
  ) async -> [ChangeSet] {
    let began = ContinuousClock.now
    while !isExpected(changes), ContinuousClock.now - began < limit {
      try? await Task.sleep(for: .milliseconds(5))
    }
    return changes
  }

  /// Waits until nothing has changed for a while.
  ///
  /// - Parameters:
  ///   - pause: how long it must be quiet.
  ///   - limit: how long to wait at most.
  /// - Returns: All that was recorded.
  @discardableResult
  public func waitUntilQuiet(
    for pause: Duration = .milliseconds(250), limit: Duration = .seconds(10)
  ) async -> [ChangeSet] {
    let began = ContinuousClock.now
    recorded.withLock { $0.last = Swift.max($0.last, began) }
    while ContinuousClock.now - began < limit {
      let last = recorded.withLock { $0.last }
      if ContinuousClock.now - last >= pause { break }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return changes
  }
}
