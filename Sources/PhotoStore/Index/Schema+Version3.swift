extension Schema {
  /// Version 3: subtypes of assets, requests of clients, albums and folders; and histories that tell
  /// which events belong to one commit, know of collections, and may be trimmed.
  ///
  /// Each event in the histories of older versions counts as a commit. `title_key` is the title's
  /// natural-order key.
  static let version3 = """
    -- NULL: nobody has looked yet.
    ALTER TABLE assets ADD COLUMN subtypes INTEGER;
    CREATE INDEX assets_in_trash ON assets (trashed, uuid) WHERE trashed IS NOT NULL;
    CREATE INDEX assets_favorite
      ON assets (created, name_key, uuid, hidden, trashed, format, created_wall, favorite)
      WHERE favorite = 1 AND trashed IS NULL;
    CREATE INDEX assets_unexamined ON assets (row) WHERE subtypes IS NULL;

    -- Histories by commits, and of collections too. Objects: 1 asset, 2 album, 3 folder.
    CREATE TABLE new_history (
      seq INTEGER PRIMARY KEY,
      commit_seq INTEGER NOT NULL,
      object INTEGER NOT NULL CHECK (object BETWEEN 1 AND 3),
      uuid BLOB NOT NULL,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
      at INTEGER NOT NULL,
      old_created INTEGER,
      old_name_key BLOB,
      new_created INTEGER,
      new_name_key BLOB
    ) STRICT;
    INSERT INTO new_history (seq, commit_seq, object, uuid, kind, at, old_created, old_name_key,
        new_created, new_name_key)
      SELECT seq, seq, 1, uuid, kind, at, old_created, old_name_key, new_created, new_name_key
      FROM history;
    DROP TABLE history;
    ALTER TABLE new_history RENAME TO history;

    CREATE TABLE new_client_history (
      client INTEGER NOT NULL REFERENCES clients (row),
      ordinal INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      commit_seq INTEGER NOT NULL,
      object INTEGER NOT NULL CHECK (object BETWEEN 1 AND 3),
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
    INSERT INTO new_client_history (client, ordinal, seq, commit_seq, object, kind, uuid, old_level,
        new_level, at, old_created, old_name_key, new_created, new_name_key)
      SELECT client, ordinal, seq, seq, 1, kind, uuid, old_level, new_level, at, old_created,
        old_name_key, new_created, new_name_key
      FROM client_history;
    DROP TABLE client_history;
    ALTER TABLE new_client_history RENAME TO client_history;
    CREATE INDEX client_history_switches ON client_history (client, ordinal) WHERE kind = 4;

    -- The last events that were trimmed; a token from before is expired.
    ALTER TABLE library ADD COLUMN trimmed_seq INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE clients ADD COLUMN trimmed_ordinal INTEGER NOT NULL DEFAULT 0;

    -- What clients ask the owner. Kinds: 1 access (level 1 add, 2 read and write), 2 deletion,
    -- 3 more photos. Answers: 1 full (or yes), 2 limited, 3 denied (or no), 4 withdrawn.
    CREATE TABLE requests (
      row INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
      client INTEGER NOT NULL REFERENCES clients (row),
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
      level INTEGER CHECK (level BETWEEN 1 AND 2),
      purpose TEXT NOT NULL CHECK (length(CAST(purpose AS BLOB)) <= 500),
      asked_at INTEGER NOT NULL,
      asked_ordinal INTEGER NOT NULL,
      answered_at INTEGER,
      answer INTEGER CHECK (answer BETWEEN 1 AND 4),
      used_at INTEGER,
      CHECK ((kind = 1) = (level IS NOT NULL)),
      CHECK ((answered_at IS NULL) = (answer IS NULL))
    ) STRICT;
    CREATE UNIQUE INDEX requests_once ON requests (client, kind, coalesce(level, 0))
      WHERE answered_at IS NULL AND kind <> 2;
    CREATE INDEX requests_pending ON requests (asked_at) WHERE answered_at IS NULL;
    CREATE TABLE request_assets (
      request INTEGER NOT NULL REFERENCES requests (row),
      uuid BLOB NOT NULL CHECK (length(uuid) = 16),
      PRIMARY KEY (request, uuid)
    ) WITHOUT ROWID, STRICT;

    -- Albums (kind 2) and folders (kind 3) of the library's owner (client NULL) or of a client.
    CREATE TABLE collections (
      row INTEGER PRIMARY KEY,
      uuid BLOB NOT NULL UNIQUE CHECK (length(uuid) = 16),
      kind INTEGER NOT NULL CHECK (kind BETWEEN 2 AND 3),
      client INTEGER REFERENCES clients (row),
      parent INTEGER REFERENCES collections (row),
      position INTEGER NOT NULL,
      title TEXT NOT NULL CHECK (length(CAST(title AS BLOB)) BETWEEN 1 AND 1024),
      title_key BLOB NOT NULL,
      created INTEGER NOT NULL,
      modified INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX collections_in_order ON collections (client, parent, position);
    CREATE INDEX collections_by_title ON collections (client, title);
    -- Positions are sparse (steps of 2^20); where a gap is used up the album is numbered anew.
    CREATE TABLE album_assets (
      album INTEGER NOT NULL REFERENCES collections (row),
      uuid BLOB NOT NULL CHECK (length(uuid) = 16),
      position INTEGER NOT NULL,
      asset INTEGER NOT NULL REFERENCES assets (row),
      PRIMARY KEY (album, uuid)
    ) WITHOUT ROWID, STRICT;
    CREATE INDEX album_assets_in_order ON album_assets (album, position, uuid, asset);
    CREATE INDEX album_assets_by_asset ON album_assets (asset);
    -- Which members of an album came, went or moved; the album's own row of `history` has that seq.
    CREATE TABLE album_history (
      seq INTEGER NOT NULL,
      uuid BLOB NOT NULL,
      album BLOB NOT NULL,
      kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 3),
      at INTEGER NOT NULL,
      PRIMARY KEY (album, seq, uuid)
    ) WITHOUT ROWID, STRICT;
    """
}
