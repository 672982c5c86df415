import CSQLite

/// A connection to an SQLite file, with its cache of prepared statements.
///
/// It is opened without SQLite's own mutexes: whoever holds a connection has it alone until giving
/// it back, which the pool of readers and the writer's lock see to.
// Unchecked: SQLite's handles may pass between threads; the owner's lock keeps them with one at a
// time.
@safe final class Connection: @unchecked Sendable {
  /// What the connection is for.
  enum Purpose {
    /// Reads and writes; commits reach the disk before they return.
    case writer
    /// Reads a live library that others may write, and never writes.
    case reader
    /// Reads a file that nobody can write, without locks or a log.
    case immutable
    /// Reads and writes derived data, where losing the last commits in a power cut is no harm.
    case cache
    /// Reads derived data.
    case cacheReader
  }

  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// More distinct statements than this and the cache starts anew.
  private static let cachedStatementLimit = 128

  init(path: String, purpose: Purpose, busyTimeoutMilliseconds: Int) throws(StoreError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    var name = path
    switch purpose {
    case .writer, .cache: flags |= SQLITE_OPEN_READWRITE
    case .reader, .cacheReader: flags |= SQLITE_OPEN_READONLY
    case .immutable:
      flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      name = "file:\(Self.escapedForURI(path))?immutable=1"
    }
    var opened: OpaquePointer?
    let result = unsafe sqlite3_open_v2(name, &opened, flags, nil)
    guard result == SQLITE_OK, let opened = unsafe opened else {
      let error = unsafe StoreError(sqlite: result, in: opened)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe handle = opened
    try configure(purpose, busyTimeoutMilliseconds)
  }

  deinit {
    statements.removeAll()
    unsafe sqlite3_close_v2(handle)
  }

  private func configure(_ purpose: Purpose, _ busyTimeout: Int) throws(StoreError) {
    unsafe sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout))
    // The file may come from anywhere: its schema is not trusted and cannot be rewritten from SQL.
    for (option, on): (Int32, Int32) in [
      (SQLITE_DBCONFIG_ENABLE_FKEY, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
      (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
    ] {
      let result = unsafe csqlite_set_switch(handle, option, on)
      guard result == SQLITE_OK else { throw unsafe StoreError(sqlite: result, in: handle) }
    }
    try execute(ConnectionSQL.common)
    if purpose == .cache, try integer(ConnectionSQL.pageCount) == 0 {
      try execute(ConnectionSQL.newCache)
    }
    switch purpose {
    case .writer, .cache:
      let mode = try first(SQL(ConnectionSQL.useLog)) { $0.text(0) }
      guard mode == "wal" else {
        throw StoreError(
          code: .io, message: "the file system does not let SQLite keep a write-ahead log")
      }
      try execute(purpose == .writer ? ConnectionSQL.durable : ConnectionSQL.disposable)
    case .reader, .immutable, .cacheReader: try execute(ConnectionSQL.neverWrite)
    }
  }

  private static func escapedForURI(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%" + [byte].hexadecimal
      }
    }
    return text
  }

  /// Runs statements that have neither parameters nor results.
  func execute(_ text: String) throws(StoreError) {
    let result = unsafe sqlite3_exec(handle, text, nil, nil, nil)
    guard result == SQLITE_OK else { throw unsafe StoreError(sqlite: result, in: handle) }
  }

  /// Calls back for each row.
  func each(
    _ sql: SQL, _ row: (Statement) throws(StoreError) -> Void
  ) throws(StoreError) {
    try withStatement(sql) { (statement) throws(StoreError) in
      while try statement.step() { try row(statement) }
    }
  }

  private func withStatement<Result>(
    _ sql: SQL, _ body: (Statement) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    // A statement that an outer loop is stepping is not in the cache: a second one is made then.
    let statement: Statement
    if let cached = statements.removeValue(forKey: sql.text) {
      statement = cached
    } else {
      statement = unsafe try Statement(sql.text, in: handle, isPersistent: true)
    }
    defer {
      statement.reset()
      if statements.count >= Self.cachedStatementLimit { statements.removeAll() }
      statements[sql.text] = statement
    }
    try statement.bind(sql.values)
    return try body(statement)
  }

  /// Runs a statement to its end.
  func run(_ text: String, _ values: SQLValue...) throws(StoreError) {
    var sql = SQL(text)
    sql.values = values
    try each(sql) { _ in }
  }

  /// The first row, or nil; later rows are not looked for.
  func first<Value>(
    _ sql: SQL, _ read: (Statement) throws(StoreError) -> Value
  ) throws(StoreError) -> Value? {
    try withStatement(sql) { (statement) throws(StoreError) -> Value? in
      try statement.step() ? try read(statement) : nil
    }
  }

  /// Every row.
  func all<Value>(
    _ sql: SQL, _ read: (Statement) throws(StoreError) -> Value
  ) throws(StoreError) -> [Value] {
    var values: [Value] = []
    try each(sql) { (row) throws(StoreError) in values.append(try read(row)) }
    return values
  }

  /// The first column of the first row as an integer; 0 without a row.
  func integer(_ text: String, _ values: SQLValue...) throws(StoreError) -> Int64 {
    var sql = SQL(text)
    sql.values = values
    return try first(sql) { $0.int64(0) } ?? 0
  }

  /// How many rows the last INSERT, UPDATE or DELETE touched.
  var changeCount: Int { unsafe Int(sqlite3_changes64(handle)) }

  /// Runs `body` in a transaction: committed if it returns, rolled back if it throws.
  func transaction<Result>(
    writing: Bool, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try execute(writing ? ConnectionSQL.beginWriting : ConnectionSQL.beginReading)
    do {
      let result = try body()
      try execute(ConnectionSQL.commit)
      return result
    } catch {
      // Some errors have rolled back already.
      if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute(ConnectionSQL.rollback) }
      throw error
    }
  }
}

/// Settings and transaction control of every connection.
enum ConnectionSQL {
  static let common = "PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;"
  static let useLog = "PRAGMA journal_mode = WAL"
  static let durable = "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216;"
  static let disposable = """
    PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216; PRAGMA secure_delete = FAST;
    """
  static let pageCount = "PRAGMA page_count"
  /// Pages of which a usual thumbnail takes one and a half (of 4096 it would be three), in a file that
  /// can shrink.
  ///
  /// Only for a file without anything in it, before it gets its log: in another it would be a write.
  static let newCache = "PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL;"
  static let neverWrite = "PRAGMA query_only = ON;"
  static let beginReading = "BEGIN"
  static let beginWriting = "BEGIN IMMEDIATE"
  static let commit = "COMMIT"
  static let rollback = "ROLLBACK"
}
