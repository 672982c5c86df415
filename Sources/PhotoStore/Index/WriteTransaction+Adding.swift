package import PhotoModel

extension WriteTransaction {
  /// Adds one asset whose original is in place, or tells of the one that is there already.
  ///
  /// Duplicates are looked for here, inside the transaction: another process may have added the
  /// same bytes since they were staged.
  func add(_ asset: NewAsset, by adder: Adder) throws(StoreError) -> AddOutcome {
    if let known = try reading.duplicate(sha256: asset.original.sha256, for: adder) {
      return .duplicate(known)
    }
    let id = asset.id ?? environment.makeAssetID()
    let position = SortPosition(
      created: asset.creationDate.instant.nanoseconds, nameKey: asset.fileName.naturalSortKey)
    let values = try columns(of: asset, id, position, adder)
    var sql = SQL(AddingSQL.insert)
    sql.values = values
    try connection.each(sql) { _ in }
    let row = try connection.integer(AddingSQL.lastRow)
    try history.append(.inserted, id, row: row, old: nil, new: position)
    if case .client(let client, _, selects: true) = adder {
      _ = try add(
        [SelectableAsset(id: id, row: row, position: position)], try makeClient(client))
    }
    return .added(id)
  }

  private func added(_ asset: NewAsset) throws(StoreError) -> Int64 {
    if let added = asset.added { return added }
    return try history.nextAdded()
  }

  private func columns(
    of asset: NewAsset, _ id: AssetID, _ position: SortPosition, _ adder: Adder
  ) throws(StoreError) -> [SQLValue] {
    var addedBy: String?
    var scope: String?
    if case .client(let client, let mayKnow, _) = adder {
      addedBy = client.rawValue
      // Whether or not the bytes are known: else a quick thumbnail would tell that they were here.
      scope = mayKnow ? nil : client.rawValue
    }
    let date = asset.creationDate
    return [
      .blob(id.bytes), .blob(asset.original.sha256), .int(asset.original.byteSize),
      .int(asset.format.rawValue), .blob(asset.fileName.bytes), .blob(position.nameKey),
      .int(asset.pixelSize.width), .int(asset.pixelSize.height),
      .int(asset.pixelSize.pixelCount), .int(asset.orientation.rawValue),
      .int(position.created), .int(date.wallClock.nanosecondsSince1970),
      .int(date.offset.minutes), .bool(date.isOffsetKnown), .int(date.source.rawValue),
      .blob(DateCandidateCoding.encode(asset.dateCandidates)),
      .int(now.nanoseconds), .int(try added(asset)),
      .optional(asset.location?.latitude), .optional(asset.location?.longitude),
      .optional(asset.location?.altitude), .optional(asset.camera?.make),
      .optional(asset.camera?.model), .optional(asset.damage), .optional(asset.undecodable),
      .optional(addedBy), .optional(scope), .bool(asset.isFavorite),
      .optional(asset.rating.map { Int64($0) }),
      .optional(asset.subtypes.map { Int64($0.rawValue) }),
    ] + RedactionSQL.columns(asset.redacted)
  }
}

extension ReadTransaction {
  /// The asset of which an adder of these bytes is to be told that it is there already.
  ///
  /// The owner and fully authorized clients are told of any. A limited client is told of one that is
  /// selected for it, if it added that one itself or may know places: to another the bytes of an
  /// original are nothing to be confirmed. Whoever reads nothing is told of none.
  package func duplicate(
    sha256: [UInt8], for adder: Adder
  ) throws(StoreError) -> AssetID? {
    switch adder {
    case .owner, .client(_, mayKnowDuplicates: true, _): try existingAsset(sha256: sha256)
    case .client(let client, mayKnowDuplicates: false, selects: true):
      try connection.first(
        SQL(AddingSQL.visible, .text(client.rawValue), .blob(sha256))
      ) { (row) throws(StoreError) in try AssetRow.id(row, 0) }
    case .client(_, mayKnowDuplicates: false, selects: false): nil
    }
  }

  /// The asset, not in the trash, that the owner has of these bytes: a shared one before a client's
  /// private one, the first added of several.
  func existingAsset(sha256: [UInt8]) throws(StoreError) -> AssetID? {
    try connection.first(SQL(AddingSQL.existing, .blob(sha256))) { (row) throws(StoreError) in
      try AssetRow.id(row, 0)
    }
  }

  /// Whether any asset, in the trash or not, is made from these bytes.
  func isOriginalKnown(sha256: [UInt8]) throws(StoreError) -> Bool {
    try connection.integer(AddingSQL.isKnown, .blob(sha256)) != 0
  }
}

enum AddingSQL {
  static let existing = """
    SELECT uuid FROM assets WHERE sha256 = ? AND trashed IS NULL
    ORDER BY cache_scope IS NOT NULL, added LIMIT 1
    """
  static let visible = """
    SELECT a.uuid FROM assets AS a
    CROSS JOIN clients AS c ON c.id = ?
    CROSS JOIN selections AS s ON s.client = c.row AND s.uuid = a.uuid
    WHERE a.sha256 = ? AND a.trashed IS NULL AND (c.location = 1 OR a.added_by = c.id)
    ORDER BY a.added LIMIT 1
    """
  static let isKnown = "SELECT EXISTS (SELECT 1 FROM assets WHERE sha256 = ?)"
  static let lastRow = "SELECT last_insert_rowid()"
  static let insert = """
    INSERT INTO assets (uuid, sha256, byte_size, format, file_name, name_key, width, height, pixels,
      orientation, created, created_wall, created_offset, offset_known, created_source,
      date_candidates, modified, added, latitude, longitude, altitude, camera_make, camera_model,
      damage, undecodable, added_by, cache_scope, favorite, rating, subtypes, redacted_sha256,
      redacted_size, redaction_version)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
      ?, ?, ?, ?)
    """
}
