import Foundation
import Testing

/// JSON as Foundation reads it, with steps into it that fail a test where it has another shape.
struct JSONValue {
  let value: Any

  /// Reads one JSON text; fails the test if it is not valid.
  init(_ bytes: [UInt8]) throws {
    value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }

  private init(value: Any) { self.value = value }

  subscript(_ key: String) -> JSONValue? {
    (value as? [String: Any])?[key].map { JSONValue(value: $0) }
  }

  var array: [JSONValue] {
    get throws { try #require(value as? [Any]).map { JSONValue(value: $0) } }
  }

  var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
  var string: String? { value as? String }
  var integer: Int? { (value as? NSNumber)?.intValue }
  var bool: Bool? { value as? Bool }
  var number: Double? { (value as? NSNumber)?.doubleValue }
  var isNull: Bool { value is NSNull }
}
