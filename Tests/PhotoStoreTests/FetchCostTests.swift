import CSQLite
import PhotoModel
import Testing

@testable import PhotoStore

/// What fetches cost, in instructions of SQLite's virtual machine: the same on every machine, however busy.
@Suite("Cost of fetches")
struct FetchCostTests {
  private let client = ClientID("org.example.app")

  @Test("A limited client's fetch costs the same in a library forty times as large")
  func limitedCost() throws {
    let client = try #require(client)
    let small = try FilledLibrary(count: 500, selected: 100, client: client)
    let large = try FilledLibrary(count: 20_000, selected: 100, client: client)
    let visibility = Visibility.selection(client, location: true)
    var queries = [
      FetchQuery(), FetchQuery(includesHidden: true), FetchQuery(limit: 10, offset: 50),
    ]
    for key in SortKey.allCases where key != .filename {
      queries.append(FetchQuery(sort: [SortDescriptor(key, ascending: false)]))
    }
    queries.append(FetchQuery(predicate: .and([.favorite(false), .width(.greater, 100)])))
    for query in queries {
      for make in [FetchSQL.identifiers, FetchSQL.count] {
        let few = try small.steps(try #require(make(query, visibility)))
        let many = try large.steps(try #require(make(query, visibility)))
        #expect(few.rows == many.rows && few.rows > 0)
        // Sorting compares as often as the order of adding happens to ask for: a part of the whole.
        #expect(abs(many.steps - few.steps) <= few.steps / 10, "\(query)")
      }
    }
  }

  @Test("A limited client's fetch costs in proportion to its selection")
  func proportion() throws {
    let client = try #require(client)
    let visibility = Visibility.selection(client, location: true)
    let sql = try #require(FetchSQL.identifiers(FetchQuery(), visibility))
    let ten = try FilledLibrary(count: 20_000, selected: 10, client: client).steps(sql)
    let thousand = try FilledLibrary(count: 20_000, selected: 1_000, client: client).steps(sql)
    #expect(ten.rows == 10)
    #expect(thousand.rows == 1_000)
    #expect(thousand.steps <= 110 * ten.steps)
  }

  @Test("An owner's fetch costs more in a larger library, so the counts of steps can tell")
  func ownersCost() throws {
    let client = try #require(client)
    let sql = try #require(FetchSQL.identifiers(FetchQuery(), .owner))
    let few = try FilledLibrary(count: 500, selected: 10, client: client).steps(sql)
    let many = try FilledLibrary(count: 20_000, selected: 10, client: client).steps(sql)
    #expect(few.rows == 500)
    #expect(many.steps > 20 * few.steps)
  }
}

/// A library whose index is filled by SQL, with a connection of the test's own to it.
@safe private final class FilledLibrary {
  private let library: TestLibrary
  private var database: OpaquePointer?

  init(count: Int, selected: Int, client: ClientID) throws {
    library = try TestLibrary()
    try library.store.write { (transaction) throws(StoreError) in
      try transaction.setAccess(client, readWrite: .limited, addOnly: nil, location: nil)
    }
    let result = unsafe sqlite3_open_v2(
      library.path + "/library.sqlite", &database, SQLITE_OPEN_READWRITE, nil)
    try #require(result == SQLITE_OK)
    // 7,919 is a prime, so that the order of dates is another than that of adding.
    try execute(
      """
      BEGIN;
      WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < \(count)),
      taken (n, at) AS (SELECT n, (n * 7919) % \(count) * 1000000000 FROM number)
      INSERT INTO assets (uuid, sha256, byte_size, format, file_name, name_key, width, height, pixels,
        orientation, created, created_wall, created_offset, offset_known, created_source,
        date_candidates, modified, added)
      SELECT randomblob(16), randomblob(32), 1000, 1, CAST('a' AS BLOB), CAST('a' AS BLOB), 400, 300,
        120000, 1, at, at, 0, 1, 1, x'', at, n + 1 FROM taken;
      INSERT INTO selections (client, uuid, asset, created, name_key)
      SELECT (SELECT row FROM clients WHERE id = '\(client.rawValue)'), uuid, row, created, name_key FROM assets
      WHERE (added - 1) % \(count / selected) = 0 AND (added - 1) / \(count / selected) < \(selected);
      COMMIT;
      ANALYZE;
      """)
  }

  deinit { unsafe sqlite3_close_v2(database) }

  private func execute(_ text: String) throws {
    guard unsafe sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK else {
      throw StoreError(code: .io, message: unsafe String(cString: sqlite3_errmsg(database)))
    }
  }

  /// Runs a statement to its end.
  func steps(_ sql: SQL) throws -> (rows: Int, steps: Int) {
    let database = try unsafe #require(unsafe database)
    let statement = unsafe try Statement(sql.text, in: database, isPersistent: false)
    try statement.bind(sql.values)
    var rows = 0
    while try statement.step() { rows += 1 }
    // The only statement of this connection.
    let handle = unsafe sqlite3_next_stmt(database, nil)
    return unsafe (rows, Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)))
  }
}
