import PhotoLibrary

/// Numbers of bytes as people write and read them, in units of 1024.
enum ByteCount {
  private static let units = ["K", "M", "G", "T"]

  /// Reads a whole number, with K, M, G or T behind it if you like; nil for anything else, and for
  /// more than there can be.
  static func read(_ bytes: [UInt8]) -> Int64? {
    var digits = String(decoding: bytes, as: UTF8.self)
    var factor: Int64 = 1
    if let unit = digits.last.flatMap({ units.firstIndex(of: $0.uppercased()) }) {
      digits.removeLast()
      factor <<= 10 * Int64(unit + 1)
    }
    let isNumber = digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber, let number = Int64(digits) else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product
  }

  /// Text with at most one decimal: `512`, `1.5M`, `2G`.
  static func text(_ bytes: Int64) -> String {
    var unit = -1
    var tenths = bytes.multipliedReportingOverflow(by: 10)
    // Petabytes show no tenths, and no thumbnail cache has them.
    if tenths.overflow { tenths.partialValue = .max }
    var value = tenths.partialValue
    while value >= 10_240, unit < units.count - 1 {
      value = (value + 512) / 1024
      unit += 1
    }
    let fraction = unit >= 0 && value % 10 != 0 ? ".\(value % 10)" : ""
    return "\(value / 10)\(fraction)\(unit >= 0 ? units[unit] : "")"
  }
}
