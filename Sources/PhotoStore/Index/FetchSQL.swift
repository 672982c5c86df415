import PhotoModel

/// Builds the statements that answer a `FetchQuery`.
enum FetchSQL {
  /// The identifiers, in order; nil where nothing can be visible.
  static func identifiers(_ query: FetchQuery, _ visibility: Visibility) -> SQL? {
    guard let visible = filtered(query, visibility) else { return nil }
    var suffix = SQL(" ORDER BY " + order(query, visible))
    suffix += window(query)
    return visible.select(visible.uuid, suffix: suffix)
  }

  /// One row with the number of identifiers; nil where nothing can be visible.
  static func count(_ query: FetchQuery, _ visibility: Visibility) -> SQL? {
    guard let visible = filtered(query, visibility) else { return nil }
    guard query.limit != nil || query.offset > 0 else { return visible.select("count(*)") }
    var sql = SQL("SELECT count(*) FROM (")
    sql += visible.select("1", suffix: window(query))
    sql += SQL(")")
    return sql
  }

  private static func filtered(_ query: FetchQuery, _ visibility: Visibility) -> VisibleAssets? {
    guard var visible = VisibleAssets(visibility, ids: query.ids) else { return nil }
    if !query.includesHidden { visible.conditions.append(SQL("a.hidden = 0")) }
    if let format = query.format {
      visible.conditions.append(SQL("a.format = ?", .int(format.rawValue)))
    }
    if let bound = query.createdFrom { visible.conditions += conditions(bound, ">=", visible) }
    if let bound = query.createdBefore { visible.conditions += conditions(bound, "<", visible) }
    return visible
  }

  /// Offsets reach 18 hours to both sides (`UTCOffset`).
  private static let greatestOffset: Int64 = 18 * 3_600 * 1_000_000_000

  private static func conditions(
    _ bound: DateBound, _ comparison: String, _ visible: VisibleAssets
  ) -> [SQL] {
    switch bound {
    case .instant(let instant):
      return [SQL("\(visible.created) \(comparison) ?", .int(instant.nanoseconds))]
    case .wallClock(let wall):
      // The second condition follows from the first, and lets the date index narrow the search.
      let nanoseconds = wall.nanosecondsSince1970
      let outermost =
        comparison == ">="
        ? nanoseconds - greatestOffset : nanoseconds + greatestOffset
      return [
        SQL("a.created_wall \(comparison) ?", .int(nanoseconds)),
        SQL("\(visible.created) \(comparison) ?", .int(outermost)),
      ]
    }
  }

  private static func order(_ query: FetchQuery, _ visible: VisibleAssets) -> String {
    let keys: [String] =
      switch query.sortKey {
      case .creationDate: [visible.created, visible.nameKey, visible.uuid]
      case .modificationDate: ["a.modified", visible.nameKey, visible.uuid]
      case .addedDate: ["a.added"]
      case .filename: [visible.nameKey, visible.uuid]
      case .pixels: ["a.pixels", visible.nameKey, visible.uuid]
      }
    return keys.map { query.ascending ? $0 : $0 + " DESC" }.joined(separator: ", ")
  }

  private static func window(_ query: FetchQuery) -> SQL {
    guard query.limit != nil || query.offset > 0 else { return SQL("") }
    // A negative limit is SQLite's word for none.
    let limit = query.limit.map { max(0, $0) } ?? -1
    return SQL(" LIMIT ? OFFSET ?", .int(limit), .int(max(0, query.offset)))
  }
}
