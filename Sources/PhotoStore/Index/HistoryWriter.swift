import PhotoModel

/// Appends the events of one write transaction to the histories, and hands out the library's
/// strictly increasing numbers.
///
/// Counters are kept here during the transaction and written back once at its end.
final class HistoryWriter {
  private let connection: Connection
  private let now: Instant
  private var lastSequence: Int64
  private var lastAdded: Int64
  /// The last ordinal of each client with an event in this transaction.
  private var ordinals: [Int64: Int64] = [:]
  /// The number of this transaction's first event, by which its events are told to belong together.
  private var firstSequence: Int64?
  private var isDirty = false

  init(_ connection: Connection, now: Instant) throws(StoreError) {
    self.connection = connection
    self.now = now
    let counters = try connection.first(SQL(HistorySQL.counters)) { ($0.int64(0), $0.int64(1)) }
    guard let counters else {
      throw StoreError(code: .damaged, message: "the library's index has no settings")
    }
    (lastSequence, lastAdded) = counters
  }

  /// The next moment of adding in microseconds: the clock's, or one more than the last where the
  /// clock stands or went back.
  func nextAdded() throws(StoreError) -> Int64 {
    lastAdded = max(now.nanoseconds / 1_000, try increment(lastAdded))
    isDirty = true
    return lastAdded
  }

  /// Records what happened to an asset, for the library and for each client that has it selected.
  func append(
    _ kind: EventKind, _ id: AssetID, row: Int64, old: SortPosition?, new: SortPosition?
  ) throws(StoreError) {
    let (sequence, commit) = try nextSequence()
    try connection.run(
      HistorySQL.insert, .int(sequence), .int(commit), .int(HistoryObject.asset.rawValue),
      .blob(id.bytes), .int(kind.rawValue), .int(now.nanoseconds), .optional(old?.created),
      Self.blob(old), .optional(new?.created), Self.blob(new))
    let clients = try connection.all(SQL(SelectionSQL.clientsOfAsset, .int(row))) { $0.int64(0) }
    for client in clients { try append(kind, id, client: client, old: old, new: new) }
  }

  /// Records what happened to an asset for one client alone: it was selected, or deselected.
  func append(
    _ kind: EventKind, _ id: AssetID, client: Int64, old: SortPosition?, new: SortPosition?
  ) throws(StoreError) {
    let (sequence, commit) = try nextSequence()
    try connection.run(
      HistorySQL.insertForClient, .int(client), .int(try nextOrdinal(client)), .int(sequence),
      .int(commit), .int(HistoryObject.asset.rawValue), .int(kind.rawValue), .blob(id.bytes), .null,
      .null,
      .int(now.nanoseconds), .optional(old?.created), Self.blob(old), .optional(new?.created),
      Self.blob(new))
  }

  /// Records that a client's level of reading was switched: one row, resolved when it is read.
  func switchLevel(
    of client: Int64, from old: ReadingLevel, to new: ReadingLevel
  ) throws(StoreError) {
    guard old != new else { return }
    try appendLevels(of: client, old, new)
  }

  /// Records that a client may know places from now on, or no longer: one row, resolved when it is read.
  func switchLocation(of client: Int64, at level: ReadingLevel) throws(StoreError) {
    try appendLevels(of: client, level, level)
  }

  private func appendLevels(
    of client: Int64, _ old: ReadingLevel, _ new: ReadingLevel
  ) throws(StoreError) {
    let (sequence, commit) = try nextSequence()
    try connection.run(
      HistorySQL.insertForClient, .int(client), .int(try nextOrdinal(client)), .int(sequence),
      .int(commit), .int(HistoryObject.asset.rawValue), .int(EventKind.levelSwitch.rawValue), .null,
      .int(old.rawValue),
      .int(new.rawValue), .int(now.nanoseconds), .null, .null, .null, .null)
  }

  /// Writes the counters back; the transaction calls it once, last.
  func finish() throws(StoreError) {
    guard isDirty else { return }
    try connection.run(HistorySQL.setCounters, .int(lastSequence), .int(lastAdded))
    for (client, ordinal) in ordinals {
      try connection.run(HistorySQL.setOrdinal, .int(ordinal), .int(client))
    }
    isDirty = false
  }

  private func nextSequence() throws(StoreError) -> (sequence: Int64, commit: Int64) {
    lastSequence = try increment(lastSequence)
    isDirty = true
    let first = firstSequence ?? lastSequence
    firstSequence = first
    return (lastSequence, first)
  }

  private func nextOrdinal(_ client: Int64) throws(StoreError) -> Int64 {
    let last: Int64
    if let known = ordinals[client] {
      last = known
    } else {
      last = try connection.integer(HistorySQL.ordinal, .int(client))
    }
    let next = try increment(last)
    ordinals[client] = next
    return next
  }

  private func increment(_ counter: Int64) throws(StoreError) -> Int64 {
    let (next, overflow) = counter.addingReportingOverflow(1)
    guard !overflow else {
      throw StoreError(code: .damaged, message: "a counter of the library's index is damaged")
    }
    return next
  }

  private static func blob(_ position: SortPosition?) -> SQLValue {
    position.map { .blob($0.nameKey) } ?? .null
  }
}
