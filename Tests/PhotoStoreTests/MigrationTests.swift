import FoundationEssentials
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

  /// Puts an index of version 1, with the same rows, in the stead of a library's own.
  private func makeOld(_ library: TestLibrary) throws {
    library.store.close()
    let index = library.path + "/library.sqlite"
    do {
      let folder = try library.folder
      let connection = try connection(folder)
      try Migration.migrate(connection, [Migration(version: 1, sql: Schema.version1)])
      try connection.execute("ATTACH '\(index)' AS new")
      for table in ["library", "assets", "clients", "selections", "history", "client_history"] {
        let names = try #require(
          try connection.first(
            SQL("SELECT group_concat(name) FROM pragma_table_info(?, 'main')", .text(table))
          ) { (row) throws(StoreError) in row.text(0) })
        try connection.execute("DELETE FROM main.\(table)")
        try connection.execute(
          "INSERT INTO main.\(table) (\(names)) SELECT \(names) FROM new.\(table)")
      }
      try connection.execute("DETACH new")
    }
    for suffix in ["-wal", "-shm"] { unsafe unlink(index + suffix) }
    try #require(unsafe rename(library.folder.path("index"), index) == 0)
  }

  @Test(
    "a library of version 1 opens with all that was in it, for writing and for reading",
    arguments: [StoreMode.readWrite, .readOnly])
  func version1(mode: StoreMode) throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    let before = try #require(try library.asset(id))
    try makeOld(library)
    let opened = try TestLibrary(opened: try library.reopen(mode), at: library.path)
    #expect(try opened.ids() == [id])
    #expect(try opened.asset(id) == before)
    #expect(before.rating == nil)
    opened.store.close()
    // From then on it is like one made now, and each old event counts as a commit.
    let again = try TestLibrary(opened: try library.reopen(), at: library.path)
    let index = try Connection(
      path: library.path + "/library.sqlite", purpose: .reader, busyTimeoutMilliseconds: 1_000)
    #expect(
      try index.integer("SELECT count(*) FROM history WHERE object = 1 AND commit_seq = seq") == 1)
    #expect(try index.integer("SELECT count(*) FROM assets WHERE subtypes IS NULL") == 1)
    #expect(try index.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    let rated = try again.add("two") { $0.rating = 4 }
    #expect(try again.asset(rated)?.rating == 4)
    #expect(try again.asset(id) == before)
  }

  @Test("a library of version 1 that cannot be written to is read all the same, and not changed")
  func version1Unwritable() throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    try makeOld(library)
    let index = URL(filePath: library.path + "/library.sqlite")
    let bytes = try Data(contentsOf: index)
    let store = try Store.open(
      at: library.path, mode: .readOnly, environment: TestLibrary.environment(library.clock),
      isWritable: false)
    let opened = try TestLibrary(opened: store, at: library.path)
    #expect(try opened.asset(id)?.rating == nil)
    #expect(try opened.ids() == [id])
    store.close()
    #expect(try Data(contentsOf: index) == bytes)
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
