package import PhotoModel

extension ReadTransaction {
  /// What waits for the owner's answer, the oldest first.
  package func pendingRequests() throws(StoreError) -> [AccessRequest] {
    let found = try connection.all(SQL(RequestSQL.pending)) { (row) throws(StoreError) in
      try RequestRow(row)
    }
    var requests: [AccessRequest] = []
    for row in found { requests.append(try request(row)) }
    return requests
  }

  /// What was answered to a client's request: nil while it waits, `withdrawn` also where it is gone, or another
  /// client's.
  package func answer(
    to id: RequestID, of client: ClientID
  ) throws(StoreError) -> RequestAnswer? {
    guard let row = try requestRow(id), row.clientID == client else { return .withdrawn }
    return row.answer
  }

  /// What the owner selected in answer to a client's request for more photos, as far as the client sees it
  /// now, in date order.
  package func assetsSelected(
    for id: RequestID, of client: ClientID, _ visibility: Visibility
  ) throws(StoreError) -> [AssetID] {
    guard let row = try requestRow(id), row.clientID == client, row.answer == .full else {
      return []
    }
    let new = try connection.all(
      SQL(
        RequestSQL.selected, .int(row.client), .int(row.askedOrdinal), .int(row.client),
        .int(row.askedOrdinal))
    ) { (row) throws(StoreError) in try AssetRow.id(row, 0) }
    if new.isEmpty { return [] }
    return try identifiers(FetchQuery(ids: new, includesHidden: true), visibility).ids
  }

  func requestRow(_ id: RequestID) throws(StoreError) -> RequestRow? {
    try connection.first(SQL(RequestSQL.one, .blob(id.bytes))) { (row) throws(StoreError) in
      try RequestRow(row)
    }
  }

  private func request(_ row: RequestRow) throws(StoreError) -> AccessRequest {
    let kind: AccessRequestKind
    switch row.kind {
    case .access(let level): kind = .access(level)
    case .moreAssets: kind = .moreAssets
    case .deletion:
      kind = .deletion(
        try connection.all(SQL(RequestSQL.assets, .int(row.row))) { (row) throws(StoreError) in
          try AssetRow.id(row, 0)
        })
    }
    return AccessRequest(
      id: row.id, client: row.clientID, kind: kind, purpose: row.purpose, askedAt: row.askedAt,
      answeredAt: row.answeredAt, answer: row.answer)
  }
}

/// A row of `requests`, checked.
struct RequestRow {
  enum Kind: Equatable { case access(AccessLevel), deletion, moreAssets }

  let row: Int64
  let id: RequestID
  let client: Int64
  let clientID: ClientID
  let kind: Kind
  let purpose: String
  let askedAt: Instant
  /// The last ordinal of the client before the owner's selection that answered it.
  let askedOrdinal: Int64
  let answeredAt: Instant?
  let answer: RequestAnswer?

  init(_ statement: Statement) throws(StoreError) {
    let kind: Kind? =
      switch statement.int(4) {
      case 1: AccessLevel(rawValue: statement.int(5)).map { .access($0) }
      case 2: .deletion
      case 3: .moreAssets
      default: nil
      }
    guard let clientID = ClientID(statement.text(3)), let kind else {
      throw StoreError(code: .damaged, message: "the library's record of a request is damaged")
    }
    row = statement.int64(0)
    id = RequestID(uuid: try AssetRow.id(statement, 1).uuid)
    client = statement.int64(2)
    self.clientID = clientID
    self.kind = kind
    purpose = statement.text(6)
    askedAt = Instant(nanoseconds: statement.int64(7))
    askedOrdinal = statement.int64(8)
    answeredAt = statement.optionalInt64(9).map { Instant(nanoseconds: $0) }
    answer = statement.isNull(10) ? nil : RequestAnswer(rawValue: statement.int(10))
  }
}

enum RequestSQL {
  private static let from = """
    SELECT r.row, r.id, r.client, c.id, r.kind, r.level, r.purpose, r.asked_at, r.asked_ordinal,
      r.answered_at, r.answer
    FROM requests AS r CROSS JOIN clients AS c ON c.row = r.client
    """
  static let one = "\(from) WHERE r.id = ?"
  static let pending = "\(from) WHERE r.answered_at IS NULL ORDER BY r.asked_at, r.row"
  static let pendingOfClient = "\(from) WHERE r.answered_at IS NULL AND r.client = ? ORDER BY r.row"
  static let assets = "SELECT uuid FROM request_assets WHERE request = ? ORDER BY uuid"
  static let countPending = "SELECT count(*) FROM requests WHERE answered_at IS NULL"
  static let insert = """
    INSERT INTO requests (id, client, kind, level, purpose, asked_at, asked_ordinal)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """
  static let insertAsset = "INSERT OR IGNORE INTO request_assets (request, uuid) VALUES (?, ?)"
  static let setAnswer = "UPDATE requests SET answered_at = ?, answer = ? WHERE row = ?"
  static let setOrdinal = "UPDATE requests SET asked_ordinal = ? WHERE row = ?"
  static let setUsed = """
    UPDATE requests SET used_at = ?
    WHERE id = ? AND client = ? AND kind = 2 AND answer = 1 AND used_at IS NULL
    """
  static let setRequested = "UPDATE clients SET requested_at = ? WHERE row = ?"
  /// Events of the first commit behind an ordinal: the one in which the owner selected.
  static let selected = """
    SELECT uuid FROM client_history
    WHERE client = ? AND ordinal > ? AND kind = 1 AND object = 1 AND commit_seq = (
      SELECT commit_seq FROM client_history WHERE client = ? AND ordinal > ?
      ORDER BY ordinal LIMIT 1)
    ORDER BY ordinal
    """
  private static let old = """
    SELECT row FROM requests WHERE client = ? AND answered_at IS NOT NULL
    ORDER BY row DESC LIMIT -1 OFFSET 100
    """
  static let forgetAssets = "DELETE FROM request_assets WHERE request IN (\(old))"
  static let forget = "DELETE FROM requests WHERE row IN (\(old))"
}
