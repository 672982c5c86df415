/// A JSON value whose object members keep the order in which they were given.
///
/// Foundation's encoder sorts or shuffles members; here the order is the one that is documented.
enum JSON {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  static func integer(_ value: Int) -> JSON { .integer(Int64(value)) }

  /// The string, or null.
  static func optional(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

  /// The text on one line: valid JSON (RFC 8259) for every value, and safe to print on a terminal.
  var text: String {
    var result = ""
    write(to: &result)
    return result
  }

  private func write(to result: inout String) {
    switch self {
    case .null: result += "null"
    case .bool(let value): result += value ? "true" : "false"
    case .integer(let value): result += String(value)
    // JSON knows no infinity and no NaN. Swift prints digits with a point in every locale.
    case .number(let value): result += value.isFinite ? "\(value)" : "null"
    case .string(let value): Self.write(value, to: &result)
    case .array(let values):
      result += "["
      for (index, value) in values.enumerated() {
        if index > 0 { result += "," }
        value.write(to: &result)
      }
      result += "]"
    case .object(let members):
      result += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { result += "," }
        Self.write(member.0, to: &result)
        result += ":"
        member.1.write(to: &result)
      }
      result += "}"
    }
  }

  private static func write(_ string: String, to result: inout String) {
    result += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": result += #"\""#
      case "\\": result += #"\\"#
      case "\n": result += #"\n"#
      case "\r": result += #"\r"#
      case "\t": result += #"\t"#
      // All of these lie in the basic plane: four digits hold them.
      case _ where mustBeEscaped(scalar):
        let digits = String(scalar.value, radix: 16)
        result += #"\u"# + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    result += "\""
  }
}
