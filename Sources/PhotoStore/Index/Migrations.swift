/// One step of the index's schema.
struct Migration {
  /// The version (PRAGMA user_version) that it leads to.
  let version: Int64
  let sql: String

  /// All steps, in order.
  ///
  /// A released one is never changed: a new one is added.
  static let all = [
    Migration(version: 1, sql: Schema.version1),
    Migration(version: 2, sql: Schema.version2),
    Migration(version: 3, sql: Schema.version3),
  ]

  /// The newest version in a list; 0 for none.
  static func latest(_ migrations: [Migration]) -> Int64 { migrations.last?.version ?? 0 }

  /// Brings an index up to the newest version in one transaction, so that a failure leaves the old
  /// one.
  ///
  /// - Throws: `newerVersion` where the file is newer than the list, `damaged` where it is no
  ///   index.
  static func migrate(
    _ connection: Connection, _ migrations: [Migration] = all
  ) throws(StoreError) {
    guard try needsMigration(connection, migrations) else { return }
    try connection.transaction(writing: true) { () throws(StoreError) in
      // Another process may have done it while this one waited for the lock.
      let version = try connection.integer(MigrationSQL.version)
      for migration in migrations where migration.version > version {
        try connection.execute(migration.sql)
        // A pragma takes no parameters; both numbers are constants of this program.
        try connection.execute(MigrationSQL.setVersion(migration.version))
      }
      try connection.execute(MigrationSQL.setApplication(Schema.applicationID))
    }
  }

  /// Whether an index is older than the newest version.
  static func needsMigration(
    _ connection: Connection, _ migrations: [Migration] = all
  ) throws(StoreError) -> Bool {
    let version = try connection.integer(MigrationSQL.version)
    let application = try connection.integer(MigrationSQL.application)
    guard application == Schema.applicationID || (application == 0 && version == 0) else {
      throw StoreError(code: .damaged, message: "the library's index is another program's file")
    }
    guard version <= latest(migrations) else {
      throw StoreError(
        code: .newerVersion,
        message: "a newer version of this program made the library (format \(version), "
          + "known here: \(latest(migrations)))")
    }
    return version < latest(migrations)
  }
}

enum MigrationSQL {
  static let version = "PRAGMA user_version"
  static let application = "PRAGMA application_id"
  static func setVersion(_ version: Int64) -> String { "PRAGMA user_version = \(version)" }
  static func setApplication(_ id: Int64) -> String { "PRAGMA application_id = \(id)" }
}
