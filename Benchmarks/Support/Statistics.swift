import Foundation

/// Order statistics.
package enum Statistics {
  /// The smallest value that so many of a hundred do not exceed; of none 0.
  package static func percentile(_ values: [Double], _ percent: Int) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(sorted.count - 1, max(0, (sorted.count * percent + 99) / 100 - 1))]
  }
}

/// A number with so many digits behind the point.
package func text(_ value: Double, _ digits: Int) -> String {
  value.formatted(
    .number.precision(.fractionLength(digits)).grouping(.never).locale(
      Locale(identifier: "en_US_POSIX")))
}
