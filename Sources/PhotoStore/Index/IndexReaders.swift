import Synchronization

/// The connections that read the index, each used by one thread at a time.
final class IndexReaders: Sendable {
  private let source: IndexSource
  private let busyTimeoutMilliseconds: Int
  private let state = Mutex(State())
  private let counter = Mutex(Counter())
  /// So many are kept for the next readers; more are opened while they are needed.
  private static let keptConnections = 4

  private struct State {
    var idle: [Connection] = []
    var isClosed = false
    /// The source's generation that the idle connections belong to.
    var generation = 0
  }

  /// The one connection that sees the commits of all others go by (`PRAGMA data_version`).
  private struct Counter {
    var connection: Connection?
    var generation = 0
    /// How many there were.
    var opened = 0
    var isClosed = false
  }

  init(_ source: IndexSource, busyTimeoutMilliseconds: Int) {
    self.source = source
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
  }

  /// Lends a connection.
  func read<Result>(
    _ body: (Connection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let (connection, generation) = try take()
    defer { give(connection, generation) }
    return try body(connection)
  }

  private func take() throws(StoreError) -> (Connection, Int) {
    let generation = try source.generation()
    let idle = try state.withLock { (state) throws(StoreError) -> Connection? in
      guard !state.isClosed else { throw Store.closed }
      if state.generation != generation {
        state.idle.removeAll()
        state.generation = generation
      }
      return state.idle.popLast()
    }
    if let idle { return (idle, generation) }
    return (try source.open(busyTimeoutMilliseconds), generation)
  }

  private func give(_ connection: Connection, _ generation: Int) {
    state.withLock { state in
      guard !state.isClosed, state.generation == generation,
        state.idle.count < Self.keptConnections
      else { return }
      state.idle.append(connection)
    }
  }

  func commitState() throws(StoreError) -> CommitState {
    let generation = try source.generation()
    return try counter.withLock { (counter) throws(StoreError) -> CommitState in
      guard !counter.isClosed else { throw Store.closed }
      do throws(StoreError) {
        let connection: Connection
        if let current = counter.connection, counter.generation == generation {
          connection = current
        } else {
          connection = try source.open(busyTimeoutMilliseconds)
          counter.connection = connection
          counter.generation = generation
          counter.opened += 1
        }
        return CommitState(
          connection: counter.opened, version: try connection.integer(WatchSQL.dataVersion))
      } catch {
        counter.connection = nil
        throw error
      }
    }
  }

  /// A connection outside the pool, for one holder.
  func makeConnection() throws(StoreError) -> Connection {
    try source.open(busyTimeoutMilliseconds)
  }

  /// Whether other processes' commits can be seen through a connection (`PRAGMA data_version`).
  var isShared: Bool { source.isShared }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.idle.removeAll()
    }
    counter.withLock { counter in
      counter.isClosed = true
      counter.connection = nil
    }
    source.close()
  }
}
