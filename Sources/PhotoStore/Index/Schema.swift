/// The tables of `library.sqlite`.
///
/// docs/formats.md describes them.
enum Schema {
  /// "PhLb": marks the file as the index of a photo library (PRAGMA application_id).
  static let applicationID: Int64 = 0x5068_4c62

  /// Version 1.
  ///
  /// Instants are nanoseconds since 1970 UTC; `added` alone is microseconds, because it must be
  /// able to step on by one where the clock stands. Wall clocks are nanoseconds since 1970 on the
  /// same wall. Levels: 0 nothing, 1 the selection, 2 everything. Kinds of events: 1 inserted, 2
  /// changed, 3 removed, 4 a switch of level.
  static let version1 = """
    CREATE TABLE library (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      uuid BLOB NOT NULL CHECK (length(uuid) = 16),
      created INTEGER NOT NULL,
      time_zone TEXT NOT NULL,
      token_key BLOB NOT NULL CHECK (length(token_key) = 32),
      last_sequence INTEGER NOT NULL,
      last_added INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE assets (
      row INTEGER PRIMARY KEY,
      uuid BLOB NOT NULL UNIQUE CHECK (length(uuid) = 16),
      sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
      byte_size INTEGER NOT NULL CHECK (byte_size >= 0),
      format INTEGER NOT NULL,
      file_name BLOB NOT NULL,
      name_key BLOB NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      pixels INTEGER NOT NULL,
      orientation INTEGER NOT NULL CHECK (orientation BETWEEN 1 AND 8),
      created INTEGER NOT NULL,
      created_wall INTEGER NOT NULL,
      created_offset INTEGER NOT NULL,
      offset_known INTEGER NOT NULL,
      created_source INTEGER NOT NULL,
      date_candidates BLOB NOT NULL,
      modified INTEGER NOT NULL,
      added INTEGER NOT NULL UNIQUE,
      favorite INTEGER NOT NULL DEFAULT 0,
      hidden INTEGER NOT NULL DEFAULT 0,
      latitude REAL,
      longitude REAL,
      altitude REAL,
      camera_make TEXT,
      camera_model TEXT,
      damage TEXT,
      undecodable TEXT,
      added_by TEXT,
      cache_scope TEXT,
      trashed INTEGER,
      redacted_sha256 BLOB,
      redacted_size INTEGER,
      redaction_version INTEGER
    ) STRICT;
    -- SQLite takes the condition's column for used, so it must be there for the index to cover.
    CREATE INDEX assets_by_date
      ON assets (created, name_key, uuid, hidden, trashed, format, created_wall)
      WHERE trashed IS NULL;
    CREATE INDEX assets_by_content ON assets (sha256);

    CREATE TABLE clients (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      read_write INTEGER NOT NULL DEFAULT 0 CHECK (read_write BETWEEN 0 AND 4),
      add_only INTEGER NOT NULL DEFAULT 0 CHECK (add_only BETWEEN 0 AND 4),
      location INTEGER NOT NULL DEFAULT 0,
      requested_at INTEGER,
      answered_at INTEGER,
      last_ordinal INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE selections (
      client INTEGER NOT NULL REFERENCES clients (row),
      uuid BLOB NOT NULL,
      created INTEGER NOT NULL,
      name_key BLOB NOT NULL,
      asset INTEGER NOT NULL REFERENCES assets (row),
      PRIMARY KEY (client, uuid)
    ) WITHOUT ROWID, STRICT;
    CREATE INDEX selections_by_date ON selections (client, created, name_key, uuid, asset);
    CREATE INDEX selections_by_asset ON selections (asset);

    CREATE TABLE history (
      seq INTEGER PRIMARY KEY,
      uuid BLOB NOT NULL,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
      at INTEGER NOT NULL,
      old_created INTEGER,
      old_name_key BLOB,
      new_created INTEGER,
      new_name_key BLOB
    ) STRICT;

    CREATE TABLE client_history (
      client INTEGER NOT NULL REFERENCES clients (row),
      ordinal INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),
      uuid BLOB,
      old_level INTEGER,
      new_level INTEGER,
      at INTEGER NOT NULL,
      old_created INTEGER,
      old_name_key BLOB,
      new_created INTEGER,
      new_name_key BLOB,
      PRIMARY KEY (client, ordinal)
    ) WITHOUT ROWID, STRICT;
    CREATE INDEX client_history_by_seq ON client_history (client, seq);
    """

  /// Version 2: the rating; NULL where the file has none, and in rows of version 1.
  static let version2 = """
    ALTER TABLE assets ADD COLUMN rating INTEGER CHECK (rating BETWEEN -1 AND 5);
    """
}
