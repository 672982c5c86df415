/// A value that is bound to a parameter.
///
/// Nothing that a user, a file or a client brings reaches the text of a statement in any other way.
enum SQLValue {
  case null
  case int(Int64)
  case double(Double)
  case text(String)
  case blob([UInt8])

  static func int(_ value: Int) -> SQLValue { .int(Int64(value)) }
  static func bool(_ value: Bool) -> SQLValue { .int(value ? 1 : 0 as Int64) }
  static func optional(_ value: Int64?) -> SQLValue { value.map { .int($0) } ?? .null }
  static func optional(_ value: Double?) -> SQLValue { value.map { .double($0) } ?? .null }
  static func optional(_ value: String?) -> SQLValue { value.map { .text($0) } ?? .null }
}

/// A piece of a statement's text with the values of its parameters, in order.
struct SQL {
  var text: String
  var values: [SQLValue]

  init(_ text: String, _ values: SQLValue...) {
    self.text = text
    self.values = values
  }

  static func += (sql: inout SQL, more: SQL) {
    sql.text += more.text
    sql.values += more.values
  }

  /// Joins conditions with AND; no condition is no clause.
  static func whereClause(_ conditions: [SQL]) -> SQL {
    var sql = SQL("")
    for (index, condition) in conditions.enumerated() {
      sql += SQL(index == 0 ? " WHERE " : " AND ")
      sql += condition
    }
    return sql
  }
}
