package import PhotoModel

/// How much may wait for an owner, so that no client fills the library with requests.
package enum RequestLimit {
  /// Requests of all clients that wait at a time.
  package static let pending = 64
  /// Deletions of one client that wait at a time.
  package static let deletions = 16
  /// Assets of one deletion.
  package static let assets = 10_000
  /// Bytes of a purpose.
  package static let purpose = 1...500
}

/// What clients ask and owners answer. Each call decides within its transaction, so that several
/// processes that ask at once come to one request.
extension WriteTransaction {
  /// Asks for a level of access, or joins the request that waits already; makes the client if it is new.
  ///
  /// - Returns: the request; nil where the level is decided, and nobody is asked.
  /// - Throws: `invalidArgument` for a purpose of the wrong length, `busy` at a limit.
  package func requestAccess(
    _ level: AccessLevel, for client: ClientID, purpose: String
  ) throws(StoreError) -> RequestID? {
    try Self.requirePurpose(purpose)
    let status = try reading.client(client)?.status(for: level) ?? .notDetermined
    guard status == .notDetermined else { return nil }
    return try open(.access(level), of: client, purpose: purpose)
  }

  /// Asks for more photos, or joins the request that waits already.
  ///
  /// - Returns: the request; nil where the client is not limited, and nobody is asked.
  /// - Throws: as `requestAccess` does.
  package func requestMoreAssets(
    for client: ClientID, purpose: String
  ) throws(StoreError) -> RequestID? {
    try Self.requirePurpose(purpose)
    guard try reading.client(client)?.readWrite == .limited else { return nil }
    return try open(.moreAssets, of: client, purpose: purpose)
  }

  /// Asks whether assets may be put into the trash; a request of its own each time.
  ///
  /// - Parameters:
  ///   - ids: at most 10,000 assets, which the caller has checked the client to see.
  ///   - client: a client that may read.
  ///   - purpose: 1 to 500 bytes.
  /// - Returns: the request, which waits.
  /// - Throws: as `requestAccess` does; `invalidArgument` also for too many assets.
  package func requestDeletion(
    of ids: [AssetID], for client: ClientID, purpose: String
  ) throws(StoreError) -> RequestID {
    try Self.requirePurpose(purpose)
    guard (1...RequestLimit.assets).contains(ids.count) else {
      throw StoreError(
        code: .invalidArgument,
        message: "a request to delete is for 1 to \(RequestLimit.assets) photos")
    }
    let id = try open(.deletion, of: client, purpose: purpose)
    guard let row = try reading.requestRow(id)?.row else { throw Self.noSuchRequest }
    for asset in ids {
      try connection.run(RequestSQL.insertAsset, .int(row), .blob(asset.bytes))
    }
    return id
  }

  /// Uses up the owner's consent to a deletion.
  ///
  /// - Returns: whether there was one: it counts once.
  package func useDeletion(
    _ id: RequestID, of client: ClientID
  ) throws(StoreError) -> Bool {
    guard let row = try reading.row(of: client) else { return false }
    try connection.run(
      RequestSQL.setUsed, .int(now.nanoseconds), .blob(id.bytes), .int(row))
    return connection.changeCount > 0
  }

  /// The client no longer waits for an answer; one that was given meanwhile stays, and so does another
  /// client's request.
  package func withdraw(_ id: RequestID, of client: ClientID) throws(StoreError) {
    guard let request = try reading.requestRow(id), request.clientID == client,
      request.answer == nil
    else { return }
    try settle(request, .withdrawn)
  }

  /// Records what the owner answers, and sets the level that was asked for.
  ///
  /// - Throws: `noSuchRequest` where none of that identifier waits; `invalidArgument` for an answer that
  ///   does not fit what was asked.
  package func answer(_ id: RequestID, _ answer: RequestAnswer) throws(StoreError) {
    guard let request = try reading.requestRow(id), request.answer == nil else {
      throw Self.noSuchRequest
    }
    switch (request.kind, answer) {
    case (_, .withdrawn):
      throw Self.unfit("only the client withdraws a request")
    case (.access(.readWrite), _):
      try setAccess(
        request.clientID, readWrite: Self.status(for: answer), addOnly: nil, location: nil)
    case (.access(.addOnly), .limited):
      throw Self.unfit("adding cannot be limited: full or denied")
    case (.access(.addOnly), _):
      try setAccess(
        request.clientID, readWrite: nil, addOnly: Self.status(for: answer), location: nil)
    case (.deletion, .limited):
      throw Self.unfit("a deletion cannot be limited: full or denied")
    case (.deletion, _), (.moreAssets, .denied):
      try settle(request, answer)
    case (.moreAssets, _):
      throw Self.unfit("more photos are given by selecting them")
    }
  }

  /// Answers a client's request for more photos, where one waits, by what the owner selected in this
  /// transaction.
  package func answerMoreAssets(of client: ClientID, added: Int) throws(StoreError) {
    guard let row = try reading.row(of: client) else { return }
    for request in try pendingRequests(of: row) where request.kind == .moreAssets {
      // Counters are written back at the end: this still is the last ordinal before the transaction.
      let ordinal = try connection.integer(HistorySQL.ordinal, .int(row))
      try connection.run(RequestSQL.setOrdinal, .int(ordinal), .int(request.row))
      try settle(request, added > 0 ? .full : .denied)
    }
  }

  /// Answers what a client waits for by what was decided otherwise.
  ///
  /// - Parameters:
  ///   - client: the client's row.
  ///   - record: what is decided now.
  ///   - decided: the levels that were decided just now, if only that nothing is to be decided.
  /// - Throws: what reading or writing the index throws.
  func settleRequests(
    of client: Int64, _ record: ClientRecord, decided: Set<AccessLevel>
  ) throws(StoreError) {
    for request in try pendingRequests(of: client) {
      switch request.kind {
      case .access(let level):
        switch record.status(for: level) {
        case .authorized: try settle(request, .full)
        case .limited: try settle(request, .limited)
        case .denied, .restricted: try settle(request, .denied)
        case .notDetermined:
          if decided.contains(level) { try settle(request, .denied) }
        }
      case .moreAssets:
        if record.readWrite != .limited { try settle(request, .denied) }
      case .deletion:
        if !record.readWrite.permitsReading { try settle(request, .denied) }
      }
    }
  }

  private func pendingRequests(of client: Int64) throws(StoreError) -> [RequestRow] {
    try connection.all(SQL(RequestSQL.pendingOfClient, .int(client))) {
      (row) throws(StoreError) in try RequestRow(row)
    }
  }

  private func settle(_ request: RequestRow, _ answer: RequestAnswer) throws(StoreError) {
    try connection.run(
      RequestSQL.setAnswer, .int(now.nanoseconds), .int(answer.rawValue),
      .int(request.row))
  }

  private func open(
    _ kind: RequestRow.Kind, of client: ClientID, purpose: String
  ) throws(StoreError) -> RequestID {
    let known = try reading.row(of: client)
    let pending = try known.map { (row) throws(StoreError) in try pendingRequests(of: row) } ?? []
    let alike = pending.filter { $0.kind == kind }
    if kind != .deletion, let request = alike.first { return request.id }
    guard alike.count < RequestLimit.deletions else {
      throw StoreError(
        code: .busy, message: "too many deletions of this client wait for the owner's answer")
    }
    guard try connection.integer(RequestSQL.countPending) < Int64(RequestLimit.pending) else {
      throw StoreError(code: .busy, message: "too many requests wait for the owner's answer")
    }
    let row = try makeClient(client)
    try connection.run(RequestSQL.forgetAssets, .int(row))
    try connection.run(RequestSQL.forget, .int(row))
    let id = try makeRequestID()
    let askedAt = SQLValue.int(now.nanoseconds)
    let (number, level): (Int, SQLValue) =
      switch kind {
      case .access(let level): (1, .int(level.rawValue))
      case .deletion: (2, .null)
      case .moreAssets: (3, .null)
      }
    try connection.run(
      RequestSQL.insert, .blob(id.bytes), .int(row), .int(number), level, .text(purpose), askedAt,
      .int(try connection.integer(HistorySQL.ordinal, .int(row))))
    try connection.run(RequestSQL.setRequested, askedAt, .int(row))
    return id
  }

  /// A UUID of version 4.
  private func makeRequestID() throws(StoreError) -> RequestID {
    var bytes = try environment.makeRandomBytes(16)
    if bytes.count == 16 {
      bytes[6] = bytes[6] & 0x0F | 0x40
      bytes[8] = bytes[8] & 0x3F | 0x80
    }
    guard let id = AssetID(bytes: bytes) else {
      throw StoreError(code: .io, message: "no identifier could be made")
    }
    return RequestID(uuid: id.uuid)
  }

  private static func status(for answer: RequestAnswer) -> AuthorizationStatus {
    switch answer {
    case .full: .authorized
    case .limited: .limited
    case .denied, .withdrawn: .denied
    }
  }

  private static func requirePurpose(_ purpose: String) throws(StoreError) {
    guard RequestLimit.purpose.contains(purpose.utf8.count) else {
      throw StoreError(
        code: .invalidArgument, message: "a purpose has 1 to 500 bytes of text")
    }
  }

  private static func unfit(_ message: String) -> StoreError {
    StoreError(code: .invalidArgument, message: message)
  }

  private static let noSuchRequest = StoreError(
    code: .noSuchRequest, message: "no such request waits for an answer")
}
