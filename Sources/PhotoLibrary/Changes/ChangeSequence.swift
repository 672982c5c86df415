public import PhotoModel
import PhotoStore

/// The changes that a client sees from the moment it asked on, in commit order, as an `AsyncSequence`.
///
/// Commits of every process arrive. While nobody asks for the next element, changes are folded: the next
/// one tells the difference since the last, and a slow observer never holds up a writer. Ends when its
/// task is cancelled or the library can no longer be read.
public struct ChangeSequence: AsyncSequence, Sendable {
  /// What the sequence yields.
  public typealias Element = ChangeSet

  private let service: any LibraryService
  private let hub: ObserverHub
  private let start: HistoryPosition

  init(service: any LibraryService, hub: ObserverHub) throws(LibraryError) {
    self.service = service
    self.hub = hub
    start = try service.historyPosition()
  }

  /// Starts to iterate; each iterator is on its own.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(service: service, hub: hub, position: start)
  }

  /// Waits for changes, one set at a time.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let service: any LibraryService
    private let hub: ObserverHub
    private var position: HistoryPosition
    private var wakes: AsyncStream<Void>.Iterator
    // Released with the iterator, which ends the watch.
    private let listener: CommitListener?

    fileprivate init(
      service: any LibraryService, hub: ObserverHub, position: HistoryPosition
    ) {
      self.service = service
      self.hub = hub
      self.position = position
      let (stream, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      wakes = stream.makeAsyncIterator()
      // Watching begins before the first look at the history, so no commit falls between the two.
      listener = try? hub.listen { continuation.yield() }
      if listener == nil { continuation.finish() }
    }

    /// The next set of changes, never an empty one; nil when the sequence has ended.
    public mutating func next() async -> ChangeSet? {
      while !Task.isCancelled {
        let (service, since) = (service, position)
        // It blocks, so it is not for a thread of Swift's tasks.
        let found = await hub.read { try? service.changes(since: since) }
        guard let (changes, newPosition) = found else { return nil }
        position = newPosition
        if !changes.isEmpty { return changes }
        guard await wakes.next() != nil else { return nil }
      }
      return nil
    }
  }
}
