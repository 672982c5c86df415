package import PhotoModel

extension ReadTransaction {
  /// The position after the last event that this reader may know of.
  ///
  /// - Parameters:
  ///   - client: who reads; nil for the owner.
  ///   - visibility: what the reader may see now.
  /// - Returns: the position now; it stands still while nothing happens that the reader may know of.
  /// - Throws: `damaged` or `io` where the history cannot be read.
  package func historyPosition(
    client: ClientID?, _ visibility: Visibility
  ) throws(StoreError) -> HistoryPosition {
    let row = try client.flatMap { (id) throws(StoreError) in try self.row(of: id) }
    return try historyPosition(row, ReadingLevel(visibility))
  }

  func historyPosition(
    _ row: Int64?, _ level: ReadingLevel
  ) throws(StoreError) -> HistoryPosition {
    let ordinal = try row.map { (row) throws(StoreError) in
      // Selections are kept while nothing may be read, which is nothing to be known then.
      try connection.integer(
        level == .nothing ? HistorySQL.lastSwitch : HistorySQL.ordinal, .int(row))
    }
    return HistoryPosition(
      sequence: try level == .everything ? connection.integer(HistorySQL.lastOfLibrary) : 0,
      ordinal: ordinal ?? 0)
  }

  /// A message's HMAC-SHA-256 under the library's own key, which never leaves the store: what makes
  /// a token of a position one that no client can forge.
  package func authenticationCode(of message: [UInt8]) throws(StoreError) -> [UInt8] {
    guard let key = try connection.first(SQL(LibrarySQL.tokenKey), { $0.blob(0) }) else {
      throw StoreError(code: .damaged, message: "the library's index has no settings")
    }
    return try MessageCode.of(message, key: key)
  }

  /// What changed for a reader since a position, folded: an asset that was inserted and removed
  /// since is in no set.
  ///
  /// A limited client's changes come from its own history, everyone else's from the library's.
  /// Where the client's level was switched since, the assets that came and went by the switch are
  /// in the sets; where its permission for places was, all that it saw before and sees now has changed.
  ///
  /// - Parameters:
  ///   - since: up to where the reader knows the history.
  ///   - client: who reads; nil for the owner.
  ///   - visibility: what the reader may see now.
  /// - Returns: the changes and the position up to which they reach.
  /// - Throws: `historyTrimmed` where the history no longer reaches back so far; `damaged` or `io` where
  ///   it cannot be read.
  package func changes(
    since: HistoryPosition, client: ClientID?, _ visibility: Visibility
  ) throws(StoreError) -> (changes: ChangeSet, position: HistoryPosition) {
    let row = try client.flatMap { (id) throws(StoreError) in try self.row(of: id) }
    let now = ReadingLevel(visibility)
    let position = try historyPosition(row, now)
    let switches = try row.map { (row) throws(StoreError) in
      try self.switches(of: row, since: since)
    }
    try requireKept(since, row, switches?.before ?? now)
    var changes: ChangeSet
    if let before = switches?.before, before != now {
      changes = try changesOfLevel(from: before, to: visibility, row, since)
    } else {
      switch now {
      case .nothing: changes = ChangeSet()
      case .selection: changes = try clientHistory(row, since).changes
      case .everything: changes = try libraryHistory(since).changes
      }
    }
    if let switches, switches.isOfLocation, now != .nothing {
      // Each record tells whether places are left out, and the bytes with or without them.
      let present = try identifiers(FetchQuery(includesHidden: true), visibility).ids
      changes.changed = Set(present).subtracting(changes.inserted)
    }
    return (changes, position)
  }

  /// What a client's level was at a position, where it was switched since, else nil or what it is; and
  /// whether its permission for places was.
  func switches(
    of row: Int64, since: HistoryPosition
  ) throws(StoreError) -> (before: ReadingLevel?, isOfLocation: Bool) {
    let switches = try connection.all(
      SQL(HistorySQL.switches, .int(row), .int(since.ordinal))
    ) { (old: $0.int64(0), new: $0.int64(1)) }
    return (
      switches.first.flatMap { ReadingLevel(rawValue: $0.old) },
      switches.contains { $0.old == $0.new }
    )
  }

  /// Compares the sets that were and are visible.
  ///
  /// Only a switch of level needs this.
  private func changesOfLevel(
    from level: ReadingLevel, to visibility: Visibility, _ row: Int64?, _ since: HistoryPosition
  ) throws(StoreError) -> ChangeSet {
    let history: FoldedHistory
    let past: Set<AssetID>
    switch level {
    case .nothing:
      history = FoldedHistory()
      past = []
    case .everything:
      history = try libraryHistory(since)
      past = try undone(history, at: .everything(location: false))
    case .selection:
      guard let row else { return ChangeSet() }
      // It has every event of an asset that was selected, up to that of its leaving the selection.
      history = try clientHistory(row, since)
      let selected = try connection.all(SQL(SelectionSQL.visible, .int(row))) {
        (row) throws(StoreError) in try AssetRow.id(row, 0)
      }
      past = Self.undone(history, now: selected)
    }
    let present = Set(try identifiers(FetchQuery(includesHidden: true), visibility).ids)
    let kept = past.intersection(present)
    return ChangeSet(
      inserted: present.subtracting(past), changed: kept.filter { history.touches($0) },
      removed: past.subtracting(present))
  }

  private func undone(
    _ history: FoldedHistory, at visibility: Visibility
  ) throws(StoreError) -> Set<AssetID> {
    Self.undone(
      history, now: try identifiers(FetchQuery(includesHidden: true), visibility).ids)
  }

  /// The set as it was before the events, given the set as it is.
  private static func undone(_ history: FoldedHistory, now: [AssetID]) -> Set<AssetID> {
    Set(now.filter { history.wasThere($0) ?? true }).union(history.previously)
  }

  private func libraryHistory(_ since: HistoryPosition) throws(StoreError) -> FoldedHistory {
    try folded(SQL(HistorySQL.since, .int(since.sequence)))
  }

  private func clientHistory(
    _ row: Int64?, _ since: HistoryPosition
  ) throws(StoreError) -> FoldedHistory {
    guard let row else { return FoldedHistory() }
    return try folded(SQL(HistorySQL.clientSince, .int(row), .int(since.ordinal)))
  }

  private func folded(_ sql: SQL) throws(StoreError) -> FoldedHistory {
    var history = FoldedHistory()
    try connection.each(sql) { (row) throws(StoreError) in
      guard let kind = EventKind(rawValue: row.int64(0)), kind != .levelSwitch else { return }
      history.append(kind, try AssetRow.id(row, 1))
    }
    return history
  }
}

enum HistorySQL {
  /// Also where all events were trimmed.
  static let lastOfLibrary = """
    SELECT max((SELECT coalesce(max(seq), 0) FROM history), trimmed_seq) FROM library
    """
  static let lastSwitch = """
    SELECT coalesce(max(ordinal), 0) FROM client_history
    WHERE client = ? AND kind = 4 AND old_level <> new_level
    """
  static let since = "SELECT kind, uuid FROM history WHERE seq > ? AND object = 1 ORDER BY seq"
  static let clientSince = """
    SELECT kind, uuid FROM client_history
    WHERE client = ? AND ordinal > ? AND object = 1 ORDER BY ordinal
    """
  static let switches = """
    SELECT old_level, new_level FROM client_history
    WHERE client = ? AND ordinal > ? AND kind = 4 ORDER BY ordinal
    """
  static let trimmedSequence = "SELECT trimmed_seq FROM library"
  static let trimmedOrdinal = "SELECT trimmed_ordinal FROM clients WHERE row = ?"
  static let commits = """
    SELECT kind, uuid, commit_seq, seq FROM history
    WHERE seq > ? AND object = 1 ORDER BY seq
    """
  static let clientCommits = """
    SELECT kind, uuid, commit_seq, ordinal FROM client_history
    WHERE client = ? AND ordinal > ? AND object = 1 ORDER BY ordinal
    """
  static let commitCount = """
    SELECT count(*) FROM (SELECT DISTINCT commit_seq FROM history WHERE seq > ? LIMIT ?)
    """
  static let clientCommitCount = """
    SELECT count(*) FROM (SELECT DISTINCT commit_seq FROM client_history
      WHERE client = ? AND ordinal > ? LIMIT ?)
    """
  static let insert = """
    INSERT INTO history (seq, commit_seq, object, uuid, kind, at, old_created, old_name_key,
      new_created, new_name_key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let insertForClient = """
    INSERT INTO client_history (client, ordinal, seq, commit_seq, object, kind, uuid, old_level,
      new_level, at, old_created, old_name_key, new_created, new_name_key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let counters = "SELECT last_sequence, last_added FROM library"
  static let setCounters = "UPDATE library SET last_sequence = ?, last_added = ?"
  static let ordinal = "SELECT last_ordinal FROM clients WHERE row = ?"
  static let setOrdinal = "UPDATE clients SET last_ordinal = ? WHERE row = ?"
}
