package import PhotoModel

/// What one commit changed for a reader, or several commits folded into one.
package struct HistoryStep: Hashable, Sendable {
  package let changes: ChangeSet
  /// Up to where a reader knows the history with this step.
  package let position: HistoryPosition
  /// Whether more than one commit may be in it.
  package let isFolded: Bool

  package init(changes: ChangeSet, position: HistoryPosition, isFolded: Bool) {
    self.changes = changes
    self.position = position
    self.isFolded = isFolded
  }
}

extension ReadTransaction {
  /// A reader that is behind by more commits gets them folded into one.
  package static let greatestStepCount = 1_000

  /// What changed for a reader since a position, commit by commit and in their order.
  ///
  /// More than ``greatestStepCount`` commits come as one step, and so does a span in which the client's
  /// level or its permission for places was switched. A commit that changed nothing for the reader is no step.
  ///
  /// - Parameters:
  ///   - since: up to where the reader knows the history.
  ///   - client: who reads; nil for the owner.
  ///   - visibility: what the reader may see now.
  /// - Returns: the steps and the position now.
  /// - Throws: `historyTrimmed` where the history no longer reaches back so far; `damaged` or `io`.
  package func steps(
    since: HistoryPosition, client: ClientID?, _ visibility: Visibility
  ) throws(StoreError) -> (steps: [HistoryStep], position: HistoryPosition) {
    let row = try client.flatMap { (id) throws(StoreError) in try self.row(of: id) }
    let level = ReadingLevel(visibility)
    let isSwitched =
      try row.map { (row) throws(StoreError) in
        let switches = try self.switches(of: row, since: since)
        return switches.before != nil || switches.isOfLocation
      } ?? false
    let limit = SQLValue.int(Self.greatestStepCount + 1)
    let sql: SQL
    let count: Int64
    switch (level, row) {
    case (.everything, _):
      sql = SQL(HistorySQL.commits, .int(since.sequence))
      count = try connection.integer(HistorySQL.commitCount, .int(since.sequence), limit)
    case (.selection, let row?):
      sql = SQL(HistorySQL.clientCommits, .int(row), .int(since.ordinal))
      count = try connection.integer(
        HistorySQL.clientCommitCount, .int(row), .int(since.ordinal), limit)
    default:
      sql = SQL("")
      count = 0
    }
    if isSwitched || count > Self.greatestStepCount {
      let (changes, position) = try changes(since: since, client: client, visibility)
      let step = HistoryStep(changes: changes, position: position, isFolded: true)
      return (changes.isEmpty ? [] : [step], position)
    }
    let position = try historyPosition(row, level)
    try requireKept(since, row, level)
    if count == 0 { return ([], position) }
    var steps: [HistoryStep] = []
    var history = FoldedHistory()
    var commit: Int64?
    var last: Int64 = 0
    func end() {
      let changes = history.changes
      history = FoldedHistory()
      guard !changes.isEmpty else { return }
      // No switch lies between, so the other half of the position says nothing about the step.
      let position =
        level == .everything
        ? HistoryPosition(sequence: last, ordinal: since.ordinal)
        : HistoryPosition(sequence: 0, ordinal: last)
      steps.append(HistoryStep(changes: changes, position: position, isFolded: false))
    }
    try connection.each(sql) { (row) throws(StoreError) in
      guard let kind = EventKind(rawValue: row.int64(0)), kind != .levelSwitch else { return }
      if commit != row.int64(2) { end() }
      commit = row.int64(2)
      last = row.int64(3)
      history.append(kind, try AssetRow.id(row, 1))
    }
    end()
    return (steps, position)
  }

  /// Throws `historyTrimmed` where events behind a position are gone, given the level that the client had there.
  ///
  /// Switches of level are never trimmed, so that level is always known; who saw nothing needs no events.
  func requireKept(
    _ since: HistoryPosition, _ row: Int64?, _ level: ReadingLevel
  ) throws(StoreError) {
    let isTrimmed: Bool
    switch (level, row) {
    case (.everything, _):
      isTrimmed = try since.sequence < connection.integer(HistorySQL.trimmedSequence)
    case (.selection, let row?):
      isTrimmed = try since.ordinal < connection.integer(HistorySQL.trimmedOrdinal, .int(row))
    default: isTrimmed = false
    }
    guard !isTrimmed else {
      throw StoreError(
        code: .historyTrimmed, message: "the history no longer reaches back so far: fetch anew")
    }
  }
}
