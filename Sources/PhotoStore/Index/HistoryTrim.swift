import PhotoModel

/// Forgets what happened long ago.
///
/// Switches of level are kept: there are few, and without them nobody could say what a client saw.
enum HistoryTrim {
  /// How long events are kept, in nanoseconds: 90 days.
  static let age: Int64 = 90 * 86_400 * 1_000_000_000
  /// How many events of one history a transaction removes at most.
  static let greatestCount: Int64 = 10_000

  /// Removes the oldest events of each history that are too old.
  static func run(_ transaction: borrowing WriteTransaction) throws(StoreError) {
    let connection = transaction.reading.connection
    let (cutoff, overflow) = transaction.environment.now().nanoseconds.subtractingReportingOverflow(
      age)
    guard !overflow else { return }
    let count = SQLValue.int(greatestCount)
    let last = try connection.integer(TrimSQL.last, count, .int(cutoff))
    if last > 0 {
      try connection.run(TrimSQL.delete, .int(last))
      try connection.run(TrimSQL.setTrimmed, .int(last))
    }
    for client in try connection.all(SQL(TrimSQL.clients), { $0.int64(0) }) {
      let last = try connection.integer(TrimSQL.lastOfClient, .int(client), count, .int(cutoff))
      guard last > 0 else { continue }
      try connection.run(TrimSQL.deleteOfClient, .int(client), .int(last))
      try connection.run(TrimSQL.setTrimmedOfClient, .int(last), .int(client))
    }
  }
}

enum TrimSQL {
  static let clients = "SELECT row FROM clients"
  static let last = """
    SELECT coalesce(max(seq), 0) FROM (SELECT seq, at FROM history ORDER BY seq LIMIT ?)
    WHERE at < ?
    """
  static let delete = "DELETE FROM history WHERE seq <= ?"
  static let setTrimmed = "UPDATE library SET trimmed_seq = max(trimmed_seq, ?)"
  static let lastOfClient = """
    SELECT coalesce(max(ordinal), 0) FROM (SELECT ordinal, at FROM client_history
      WHERE client = ? AND kind < 4 ORDER BY ordinal LIMIT ?)
    WHERE at < ?
    """
  static let deleteOfClient = """
    DELETE FROM client_history WHERE client = ? AND ordinal <= ? AND kind < 4
    """
  static let setTrimmedOfClient = """
    UPDATE clients SET trimmed_ordinal = max(trimmed_ordinal, ?) WHERE row = ?
    """
}
