import CSQLite
import Glibc

extension StoreError {
  /// Translates a result of SQLite, as it stands right after the call that failed.
  init(sqlite result: Int32, in database: OpaquePointer?) {
    let systemError = unsafe database.map { unsafe sqlite3_system_errno($0) } ?? 0
    let code: Code =
      switch result & 0xff {
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .noSpace
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      // What cannot be opened for lack of descriptors or a bad path is no matter of permission.
      case SQLITE_CANTOPEN:
        [EMFILE, ENFILE, ENOMEM, EIO].contains(systemError) ? .io : .readOnly
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT: .damaged
      // SQLite reports a full disk in a shared-memory or journal file as an input/output error.
      case SQLITE_IOERR:
        [ENOSPC, EDQUOT].contains(systemError) ? .noSpace : .io
      default: .io
      }
    let text: String
    if code == .busy {
      text = "another process is writing to the library"
    } else if let database = unsafe database, let message = unsafe sqlite3_errmsg(database) {
      text = unsafe "the library's index: \(String(cString: message))"
    } else {
      text = unsafe "the library's index: \(String(cString: sqlite3_errstr(result)))"
    }
    self.init(code: code, message: text)
  }
}
