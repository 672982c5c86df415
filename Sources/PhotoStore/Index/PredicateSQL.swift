import PhotoModel

/// Turns an `AssetPredicate` into SQL over the columns of the visible assets.
///
/// No condition is ever NULL, so NOT is what it says.
enum PredicateSQL {
  static func condition(_ predicate: AssetPredicate, _ visible: VisibleAssets) -> SQL {
    switch predicate {
    case .created(let comparison, let bound): created(comparison, bound, visible)
    case .modified(let comparison, let instant):
      SQL("a.modified \(comparison.rawValue) ?", .int(instant.nanoseconds))
    case .added(let comparison, let instant): added(comparison, instant)
    case .width(let comparison, let width):
      SQL("a.width \(comparison.rawValue) ?", .int(width))
    case .height(let comparison, let height):
      SQL("a.height \(comparison.rawValue) ?", .int(height))
    case .format(let format): SQL("a.format = ?", .int(format.rawValue))
    case .mediaType(let type): SQL(type == .image ? "1" : "0")
    case .subtypes(let subtypes):
      SQL(
        "coalesce(a.subtypes, 0) & ? = ?", .int(subtypes.rawValue), .int(subtypes.rawValue))
    case .anySubtype(let subtypes):
      SQL("coalesce(a.subtypes, 0) & ? <> 0", .int(subtypes.rawValue))
    case .favorite(let value): SQL("a.favorite = ?", .bool(value))
    case .hidden(let value): SQL("a.hidden = ?", .bool(value))
    case .ids(let ids): isOne(of: ids, visible)
    case .and(let parts): joined(parts, "AND", empty: "1", visible)
    case .or(let parts): joined(parts, "OR", empty: "0", visible)
    case .not(let part): negated(condition(part, visible))
    }
  }

  /// Offsets reach 18 hours to both sides (`UTCOffset`).
  private static let greatestOffset: Int64 = 18 * 3_600 * 1_000_000_000

  private static func created(
    _ comparison: Comparison, _ bound: DateBound, _ visible: VisibleAssets
  ) -> SQL {
    switch bound {
    case .instant(let instant):
      return SQL("\(visible.created) \(comparison.rawValue) ?", .int(instant.nanoseconds))
    case .wallClock(let wall):
      let nanoseconds = wall.nanosecondsSince1970
      let exact = SQL("a.created_wall \(comparison.rawValue) ?", .int(nanoseconds))
      let outermost: Int64
      switch comparison {
      case .less, .lessOrEqual: outermost = nanoseconds + greatestOffset
      case .greater, .greaterOrEqual: outermost = nanoseconds - greatestOffset
      case .equal, .notEqual: return exact
      }
      // The second condition follows from the first, and lets the date index narrow the search.
      var both = SQL("(")
      both += exact
      both += SQL(" AND \(visible.created) \(comparison.rawValue) ?)", .int(outermost))
      return both
    }
  }

  /// Moments of adding are whole microseconds, and compared as such, so that their index serves.
  private static func added(_ comparison: Comparison, _ instant: Instant) -> SQL {
    let (quotient, remainder) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000)
    let floor = remainder < 0 ? quotient - 1 : quotient
    let isWhole = remainder == 0
    switch comparison {
    case .less: return SQL("a.added < ?", .int(isWhole ? floor : floor + 1))
    case .lessOrEqual: return SQL("a.added <= ?", .int(floor))
    case .greater: return SQL("a.added > ?", .int(floor))
    case .greaterOrEqual: return SQL("a.added >= ?", .int(isWhole ? floor : floor + 1))
    case .equal: return isWhole ? SQL("a.added = ?", .int(floor)) : SQL("0")
    case .notEqual: return isWhole ? SQL("a.added <> ?", .int(floor)) : SQL("1")
    }
  }

  private static func isOne(of ids: [AssetID], _ visible: VisibleAssets) -> SQL {
    guard !ids.isEmpty else { return SQL("0") }
    var sql = SQL("\(visible.uuid) IN (")
    sql += VisibleAssets.wanted(ids)
    sql += SQL("SELECT uuid FROM wanted)")
    return sql
  }

  private static func joined(
    _ parts: [AssetPredicate], _ word: String, empty: String, _ visible: VisibleAssets
  ) -> SQL {
    guard !parts.isEmpty else { return SQL(empty) }
    var sql = SQL("(")
    for (index, part) in parts.enumerated() {
      if index > 0 { sql += SQL(" \(word) ") }
      sql += condition(part, visible)
    }
    sql += SQL(")")
    return sql
  }

  private static func negated(_ condition: SQL) -> SQL {
    var sql = SQL("NOT (")
    sql += condition
    sql += SQL(")")
    return sql
  }
}
