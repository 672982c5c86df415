import PhotoModel

extension ReadTransaction {
  /// Counts and sizes of the library, for its owner.
  package func statistics() throws(StoreError) -> StoreStatistics {
    let trashed = Int(try connection.integer(StatisticsSQL.trashed))
    let clients = Int(try connection.integer(StatisticsSQL.clients))
    let originals = try connection.first(SQL(StatisticsSQL.originals)) {
      ($0.int(0), $0.int64(1))
    }
    let timeZone = try connection.first(SQL(LibrarySQL.timeZone)) { $0.text(0) } ?? "UTC"
    let sizes = files?.sizes() ?? StoreFiles.Sizes()
    let statistics = try connection.first(SQL(StatisticsSQL.assets)) { row in
      StoreStatistics(
        assets: row.int(0), jpeg: row.int(1), png: row.int(2), damaged: row.int(3),
        undecodable: row.int(4), trashed: trashed, clients: clients,
        originals: originals?.0 ?? 0, originalBytes: originals?.1 ?? 0,
        indexBytes: sizes.index, thumbnailBytes: sizes.thumbnails,
        thumbnails: sizes.thumbnailCount,
        oldest: row.optionalInt64(5).map { Instant(nanoseconds: $0) },
        newest: row.optionalInt64(6).map { Instant(nanoseconds: $0) }, timeZone: timeZone)
    }
    guard let statistics else {
      throw StoreError(code: .damaged, message: "the library's index cannot be counted")
    }
    return statistics
  }
}

/// What statistics ask beside the index.
struct StoreFiles {
  let folder: LibraryFolder
  let thumbnails: ThumbnailCache

  struct Sizes {
    var index: Int64 = 0
    var thumbnails: Int64 = 0
    var thumbnailCount: Int64 = 0
  }

  func sizes() -> Sizes {
    let index = [LibraryFolder.index, LibraryFolder.indexLog].reduce(Int64(0)) {
      $0 + (folder.root.status($1)?.size ?? 0)
    }
    let cache = thumbnails.statistics()
    return Sizes(index: index, thumbnails: cache.fileBytes, thumbnailCount: cache.count)
  }
}

enum StatisticsSQL {
  static let assets = """
    SELECT count(*), coalesce(sum(format = 1), 0), coalesce(sum(format = 2), 0),
      count(damage), count(undecodable), min(created), max(created)
    FROM assets WHERE trashed IS NULL
    """
  static let trashed = "SELECT count(*) FROM assets WHERE trashed IS NOT NULL"
  static let clients = "SELECT count(*) FROM clients"
  static let originals = """
    SELECT count(*), coalesce(sum(byte_size), 0)
    FROM (SELECT max(byte_size) AS byte_size FROM assets GROUP BY sha256)
    """
}
