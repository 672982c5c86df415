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
    if let predicate = query.predicate {
      visible.conditions.append(PredicateSQL.condition(predicate, visible))
    }
    return visible
  }

  private static func order(_ query: FetchQuery, _ visible: VisibleAssets) -> String {
    let sort = query.sort.isEmpty ? [SortDescriptor(.creationDate)] : query.sort
    var columns: [String] = []
    var keys: [String] = []
    func append(_ column: String, ascending: Bool) {
      // A key that was there already decides nothing more.
      guard !columns.contains(column) else { return }
      columns.append(column)
      keys.append(ascending ? column : column + " DESC")
    }
    for descriptor in sort {
      append(column(descriptor.key, visible), ascending: descriptor.ascending)
    }
    let ascending = sort.first?.ascending ?? true
    append(visible.nameKey, ascending: ascending)
    append(visible.uuid, ascending: ascending)
    // What is behind a column of distinct values decides nothing, and would be sorted for nothing.
    let distinct = columns.firstIndex { $0 == "a.added" || $0 == visible.uuid }
    return keys.prefix((distinct ?? keys.count) + 1).joined(separator: ", ")
  }

  private static func column(_ key: SortKey, _ visible: VisibleAssets) -> String {
    switch key {
    case .creationDate: visible.created
    case .modificationDate: "a.modified"
    case .addedDate: "a.added"
    case .filename: visible.nameKey
    case .pixels: "a.pixels"
    case .width: "a.width"
    case .height: "a.height"
    case .favorite: "a.favorite"
    case .hidden: "a.hidden"
    case .localIdentifier: visible.uuid
    }
  }

  private static func window(_ query: FetchQuery) -> SQL {
    guard query.limit != nil || query.offset > 0 else { return SQL("") }
    // A negative limit is SQLite's word for none.
    let limit = query.limit.map { max(0, $0) } ?? -1
    return SQL(" LIMIT ? OFFSET ?", .int(limit), .int(max(0, query.offset)))
  }
}
