import Glibc
import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Migrations")
struct MigrationTests {
  private func connection(_ folder: TemporaryFolder) throws -> Connection {
    if !exists(folder.path("index")) { _ = try folder.file([], name: "index") }
    return try Connection(
      path: folder.path("index"), purpose: .writer, busyTimeoutMilliseconds: 1_000)
  }

  @Test("an empty file is brought to the newest version, once")
  func empty() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    #expect(try Migration.needsMigration(connection))
    try Migration.migrate(connection)
    try Migration.migrate(connection)
    #expect(try connection.integer("PRAGMA user_version") == Migration.latest(Migration.all))
    // "PhLb" in ASCII.
    #expect(try connection.integer("PRAGMA application_id") == 0x50_68_4c_62)
  }

  @Test("only the steps that are missing are taken")
  func steps() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    let first = Migration(version: 1, sql: "CREATE TABLE a (x)")
    let second = Migration(version: 2, sql: "CREATE TABLE b (x)")
    try Migration.migrate(connection, [first])
    try Migration.migrate(connection, [first, second])
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 2)
    #expect(
      #expect(throws: StoreError.self) {
        try Migration.migrate(connection, [first])
      }?.code == .newerVersion)
  }

  @Test("a step that fails leaves the old version whole")
  func failing() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    let first = Migration(version: 1, sql: "CREATE TABLE a (x)")
    try Migration.migrate(connection, [first])
    #expect(throws: StoreError.self) {
      try Migration.migrate(
        connection,
        [
          first, Migration(version: 2, sql: "CREATE TABLE b (x)"),
          Migration(version: 3, sql: "CREATE TABLE c (x); INSERT INTO nowhere VALUES (1)"),
        ])
    }
    #expect(try connection.integer("PRAGMA user_version") == 1)
    #expect(try connection.integer("SELECT count(*) FROM sqlite_schema") == 1)
  }

  @Test("another program's database is refused")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    try connection.execute("PRAGMA application_id = 4711")
    #expect(
      #expect(throws: StoreError.self) {
        try Migration.migrate(connection)
      }?.code == .damaged)
  }

  @Test("versions go up by steps without gaps")
  func numbers() {
    #expect(Migration.all.map(\.version) == Array(1...Int64(Migration.all.count)))
  }

  @Test("the settings that keep the index whole are on")
  func settings() throws {
    let folder = try TemporaryFolder()
    let connection = try connection(folder)
    // synchronous: 2 is FULL.
    #expect(try connection.integer("PRAGMA synchronous") == 2)
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
    #expect(try connection.integer("PRAGMA cell_size_check") == 1)
    // DEFENSIVE: the schema cannot be rewritten.
    try connection.execute("PRAGMA writable_schema = ON; CREATE TABLE a (x)")
    #expect(throws: StoreError.self) {
      try connection.execute("UPDATE sqlite_schema SET sql = 'x'")
    }
  }
}
