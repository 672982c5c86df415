import CSQLite
import Foundation
import PhotoLibrary
import PhotoModel

/// A library whose index has as many assets as are asked for; there are no files behind them.
///
/// The rows are written by SQL: to add a million pictures would take hours, and what is measured reads the index.
struct FilledIndex {
  let library: Library
  let path: FilePath
  let client: ClientID

  /// Makes it in a folder that is not there yet.
  ///
  /// - Parameters:
  ///   - count: how many assets; their dates lie 37 seconds apart, in an order that is not theirs of adding.
  ///   - folder: where the library is made.
  /// - Throws: `BenchmarkError`, or what making the library throws.
  init(count: Int, in folder: String) throws {
    path = FilePath(folder + "/filled-\(count).photolib")
    guard let client = ClientID("org.example.limited") else {
      throw BenchmarkError(message: "no client")
    }
    self.client = client
    let made = try Library.create(at: path, timeZone: "UTC")
    try made.setAccess(of: client, .limited)
    try Self.fill(path.string + "/library.sqlite", count)
    library = try Library.open(at: path)
  }

  private static func fill(_ index: String, _ count: Int) throws {
    var database: OpaquePointer?
    guard unsafe sqlite3_open(index, &database) == SQLITE_OK else {
      throw BenchmarkError(message: "the index cannot be opened")
    }
    defer { unsafe sqlite3_close_v2(database) }
    // 1,048,583 is a prime: multiplied by it, numbers come in another order.
    let sql = """
      PRAGMA synchronous = OFF;
      BEGIN;
      WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < \(count)),
      taken (n, at) AS (
        SELECT n, 1500000000000000000 + (n * 1048583) % \(count) * 37000000000 FROM number)
      INSERT INTO assets (uuid, sha256, byte_size, format, file_name, name_key, width, height, pixels,
        orientation, created, created_wall, created_offset, offset_known, created_source,
        date_candidates, modified, added)
      SELECT randomblob(16), randomblob(32), 3000000, 1, CAST('IMG_' || n AS BLOB),
        CAST('img_' || n AS BLOB), 4032, 3024, 12192768, 1, at, at, 0, 1, 1, x'', at,
        1700000000000000 + n FROM taken;
      UPDATE library SET last_added = 1700000000000000 + \(count);
      COMMIT;
      ANALYZE;
      PRAGMA wal_checkpoint(TRUNCATE);
      """
    guard unsafe sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else {
      throw BenchmarkError(
        message: unsafe sqlite3_errmsg(database).map { unsafe String(cString: $0) } ?? "SQL failed")
    }
  }

  /// Drops the index from the system's cache of pages.
  func forget() {
    for suffix in ["", "-wal"] {
      let descriptor = unsafe open(path.string + "/library.sqlite" + suffix, O_RDONLY)
      guard descriptor >= 0 else { continue }
      fdatasync(descriptor)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      close(descriptor)
    }
  }
}

/// Why nothing could be measured.
struct BenchmarkError: Error {
  let message: String
}
