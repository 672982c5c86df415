package import PhotoModel

extension ReadTransaction {
  /// The position after the last event of the library and of all clients.
  package func historyPosition() throws(StoreError) -> HistoryPosition {
    HistoryPosition(sequence: try connection.integer(HistorySQL.last))
  }

  /// The position after the last event that this reader may know of.
  ///
  /// It does not move while nothing visible to it happens.
  package func historyPosition(
    client: ClientID?, _ visibility: Visibility
  ) throws(StoreError) -> HistoryPosition {
    guard let client = visibility.client ?? client, let row = try row(of: client) else {
      return try historyPosition()
    }
    let own = try connection.integer(HistorySQL.lastOfClient, .int(row))
    guard ReadingLevel(visibility) == .everything else { return HistoryPosition(sequence: own) }
    return HistoryPosition(sequence: max(own, try connection.integer(HistorySQL.lastOfLibrary)))
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
  /// in the sets.
  ///
  /// - Parameters:
  ///   - since: up to where the reader knows the history.
  ///   - client: whose level is looked at; nil for the owner.
  ///   - visibility: what the reader may see now.
  /// - Returns: the changes and the position up to which they reach.
  /// - Throws: `damaged` or `io` where the history cannot be read.
  package func changes(
    since: HistoryPosition, client: ClientID?, _ visibility: Visibility
  ) throws(StoreError) -> (changes: ChangeSet, position: HistoryPosition) {
    let row = try (visibility.client ?? client).flatMap { (id) throws(StoreError) in
      try self.row(of: id)
    }
    let reached = try historyPosition(client: client, visibility).sequence
    let position = HistoryPosition(sequence: max(since.sequence, reached))
    let now = ReadingLevel(visibility)
    let before = try row.flatMap { (row) throws(StoreError) in
      try level(of: row, before: since)
    }
    if let before, before != now {
      return (try changesOfLevel(from: before, to: visibility, row, since), position)
    }
    switch now {
    case .nothing: return (ChangeSet(), position)
    case .selection: return (try clientHistory(row, since).changes, position)
    case .everything: return (try libraryHistory(since).changes, position)
    }
  }

  /// The level of a client at a position, where it was switched since; else nil.
  private func level(
    of row: Int64, before since: HistoryPosition
  ) throws(StoreError) -> ReadingLevel? {
    let level = try connection.first(
      SQL(HistorySQL.firstSwitch, .int(row), .int(since.sequence))
    ) { ReadingLevel(rawValue: $0.int64(0)) }
    return level ?? nil
  }

  /// Compares the sets that were and are visible.
  ///
  /// Only a switch of level needs this.
  private func changesOfLevel(
    from level: ReadingLevel, to visibility: Visibility, _ row: Int64?, _ since: HistoryPosition
  ) throws(StoreError) -> ChangeSet {
    let library = try libraryHistory(since)
    let past: Set<AssetID>
    switch level {
    case .nothing: past = []
    case .everything: past = try undone(library, at: .everything(location: false))
    case .selection:
      guard let row else { return ChangeSet() }
      let own = try clientHistory(row, since)
      let selected = try connection.all(SQL(SelectionSQL.visible, .int(row))) {
        (row) throws(StoreError) in try AssetRow.id(row, 0)
      }
      past = Self.undone(own, now: selected)
    }
    let present = Set(try identifiers(FetchQuery(includesHidden: true), visibility).ids)
    let kept = past.intersection(present)
    return ChangeSet(
      inserted: present.subtracting(past), changed: kept.filter { library.touches($0) },
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
    return try folded(SQL(HistorySQL.clientSince, .int(row), .int(since.sequence)))
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
  static let last = "SELECT last_sequence FROM library"
  static let lastOfLibrary = "SELECT coalesce(max(seq), 0) FROM history"
  static let lastOfClient = "SELECT coalesce(max(seq), 0) FROM client_history WHERE client = ?"
  static let since = "SELECT kind, uuid FROM history WHERE seq > ? ORDER BY seq"
  static let clientSince = """
    SELECT kind, uuid FROM client_history WHERE client = ? AND seq > ? ORDER BY seq
    """
  static let firstSwitch = """
    SELECT old_level FROM client_history
    WHERE client = ? AND seq > ? AND kind = 4 ORDER BY seq LIMIT 1
    """
  static let insert = """
    INSERT INTO history (seq, uuid, kind, at, old_created, old_name_key, new_created, new_name_key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let insertForClient = """
    INSERT INTO client_history (client, ordinal, seq, kind, uuid, old_level, new_level, at,
      old_created, old_name_key, new_created, new_name_key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  static let counters = "SELECT last_sequence, last_added FROM library"
  static let setCounters = "UPDATE library SET last_sequence = ?, last_added = ?"
  static let ordinal = "SELECT last_ordinal FROM clients WHERE row = ?"
  static let setOrdinal = "UPDATE clients SET last_ordinal = ? WHERE row = ?"
}
