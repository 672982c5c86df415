import CSQLite

/// A prepared statement: bound, stepped and read through typed methods.
///
/// Used by one thread at a time.
@safe final class Statement {
  private let handle: OpaquePointer
  private let database: OpaquePointer

  /// Compiles one statement.
  ///
  /// - Parameters:
  ///   - text: one statement; what follows it is not looked at.
  ///   - database: the connection, which must outlive the statement.
  ///   - isPersistent: whether it will be kept and used again and again.
  /// - Throws: what SQLite says of the text or the file.
  init(_ text: String, in database: OpaquePointer, isPersistent: Bool) throws(StoreError) {
    var statement: OpaquePointer?
    let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    let result = unsafe sqlite3_prepare_v3(database, text, -1, flags, &statement, nil)
    guard result == SQLITE_OK, let statement = unsafe statement else {
      throw unsafe StoreError(sqlite: result, in: database)
    }
    unsafe handle = statement
    unsafe self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Binds the parameters from the first one on.
  func bind(_ values: [SQLValue]) throws(StoreError) {
    unsafe precondition(
      values.count == Int(sqlite3_bind_parameter_count(handle)),
      "every parameter of a statement needs one value")
    for (index, value) in values.enumerated() {
      let position = Int32(index + 1)
      let result: Int32 =
        switch value {
        case .null: unsafe sqlite3_bind_null(handle, position)
        case .int(let value): unsafe sqlite3_bind_int64(handle, position, value)
        case .double(let value): unsafe sqlite3_bind_double(handle, position, value)
        case .text(let value): bind(value, at: position)
        case .blob(let value): bind(value, at: position)
        }
      guard result == SQLITE_OK else { throw unsafe StoreError(sqlite: result, in: database) }
    }
  }

  private func bind(_ text: String, at position: Int32) -> Int32 {
    unsafe text.withCString { bytes in
      unsafe csqlite_bind_text(handle, position, bytes, sqlite3_uint64(text.utf8.count))
    }
  }

  private func bind(_ blob: [UInt8], at position: Int32) -> Int32 {
    unsafe blob.withUnsafeBytes { bytes in
      // A null pointer would bind NULL instead of an empty blob.
      guard let base = bytes.baseAddress, unsafe !bytes.isEmpty else {
        return unsafe sqlite3_bind_zeroblob(handle, position, 0)
      }
      return unsafe csqlite_bind_blob(handle, position, base, sqlite3_uint64(bytes.count))
    }
  }

  /// Goes to the next row; false after the last one.
  func step() throws(StoreError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let result: throw unsafe StoreError(sqlite: result, in: database)
    }
  }

  /// Makes the statement ready for its next use and lets go of what was bound.
  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }
  func int64(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
  func int(_ column: Int32) -> Int { Int(truncatingIfNeeded: int64(column)) }
  func bool(_ column: Int32) -> Bool { int64(column) != 0 }
  func double(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }
  func optionalDouble(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
  func optionalBlob(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : blob(column) }

  func text(_ column: Int32) -> String { String(decoding: textBytes(column), as: UTF8.self) }

  private func textBytes(_ column: Int32) -> [UInt8] {
    guard let bytes = unsafe sqlite3_column_text(handle, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Appends a blob of exactly 16 bytes to packed identifiers; any other value is left out.
  func appendIdentifier(_ column: Int32, to packed: inout [UInt8]) {
    guard let bytes = unsafe sqlite3_column_blob(handle, column),
      unsafe sqlite3_column_bytes(handle, column) == 16
    else { return }
    unsafe packed.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: 16))
  }
}
