import PhotoModel

/// The one place where a `Visibility` becomes SQL: where the visible assets stand, and under what
/// conditions.
///
/// Every read of assets is built on it.
///
/// A selection is read from the selections table on, in date order or by identifier; the assets
/// table is reached from a selected row alone. So an identifier that is not selected and one that
/// never was are both missed by the same search of the same tree, and cost the same.
struct VisibleAssets {
  /// Goes before SELECT; empty where no identifiers are given.
  let with: SQL
  /// The FROM clause, in which `a` is the asset.
  let from: SQL
  var conditions: [SQL]
  /// The columns of the date order and the identifier: the selection's own copy where there is one.
  let created, nameKey, uuid: String

  /// Returns nil where nothing can be visible, so that no table is read at all.
  ///
  /// - Parameters:
  ///   - visibility: what the reader may see.
  ///   - ids: only these assets, or nil for all.
  init?(_ visibility: Visibility, ids: [AssetID]? = nil) {
    if let ids, ids.isEmpty { return nil }
    with = ids.map { Self.wanted($0) } ?? SQL("")
    switch visibility {
    case .nothing: return nil
    case .everything, .owner:
      from =
        ids == nil
        ? SQL(" FROM assets AS a")
        : SQL(" FROM wanted AS w CROSS JOIN assets AS a ON a.uuid = w.uuid")
      conditions = [SQL("a.trashed IS NULL")]
      created = "a.created"
      nameKey = "a.name_key"
      uuid = "a.uuid"
    case .selection(let client, _):
      let chosen = SQL(
        "s.client = (SELECT row FROM clients WHERE id = ?)", .text(client.rawValue))
      if ids == nil {
        from = SQL(" FROM selections AS s CROSS JOIN assets AS a ON a.row = s.asset")
        conditions = [chosen, SQL("a.trashed IS NULL")]
      } else {
        // CROSS JOIN keeps the order of the tables: first the selection, then its assets.
        var joined = SQL(" FROM wanted AS w CROSS JOIN selections AS s ON s.uuid = w.uuid AND ")
        joined += chosen
        joined += SQL(" CROSS JOIN assets AS a ON a.row = s.asset")
        from = joined
        conditions = [SQL("a.trashed IS NULL")]
      }
      created = "s.created"
      nameKey = "s.name_key"
      uuid = "s.uuid"
    }
  }

  /// Turns identifiers, however many, into a table from one bound blob.
  static func wanted(_ ids: [AssetID]) -> SQL {
    var packed: [UInt8] = []
    packed.reserveCapacity(ids.count * 16)
    let distinct = Set(ids)
    for id in distinct { packed.append(contentsOf: id.bytes) }
    return SQL(
      """
      WITH RECURSIVE
      list (ids, n) AS (SELECT ?, ?),
      position (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM position, list WHERE i + 1 < n),
      wanted (uuid) AS (SELECT substr(ids, i * 16 + 1, 16) FROM position, list)

      """, .blob(packed), .int(distinct.count))
  }

  /// Narrows to one asset by its identifier.
  mutating func require(_ id: AssetID) {
    conditions.append(SQL("\(uuid) = ?", .blob(id.bytes)))
  }

  /// A whole statement: `columns` of the visible assets that meet all conditions.
  func select(_ columns: String, suffix: SQL = SQL("")) -> SQL {
    var sql = with
    sql += SQL("SELECT " + columns)
    sql += from
    sql += SQL.whereClause(conditions)
    sql += suffix
    return sql
  }
}

/// The columns of an asset's record.
///
/// Without the permission for places the statement itself has no place in it, and hash and size of
/// the redacted bytes in the stead of the original's.
enum AssetColumns {
  /// What `AssetRow.readOriginal` reads.
  static let original = """
    a.sha256, a.byte_size, a.format, a.orientation, a.cache_scope, a.file_name
    """

  /// `sha256` or `size` of the redacted bytes; NULL where another version computed them.
  static func redacted(_ column: String) -> String {
    // The version is a constant of this program.
    "CASE a.redaction_version WHEN \(LocationRedaction.version) THEN a.redacted_\(column) END"
  }

  static func list(_ visibility: Visibility, dateCandidates: Bool) -> String {
    let personal =
      visibility.includesLocation
      ? "a.sha256, a.byte_size, a.latitude, a.longitude, a.altitude"
      : "\(redacted("sha256")), \(redacted("size")), NULL, NULL, NULL"
    let candidates = dateCandidates ? "a.date_candidates" : "NULL"
    return """
      a.file_name, a.format, a.width, a.height, a.orientation, a.created_wall, a.created_offset, \
      a.offset_known, a.created_source, a.modified, a.added, a.favorite, a.hidden, a.camera_make, \
      a.camera_model, a.damage, a.undecodable, \(candidates), a.rating, \
      \(personal)
      """
  }
}
