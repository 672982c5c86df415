import BenchmarkSupport
import Foundation
import PhotoLibrary
import PhotoModel

/// Whether time tells a limited client an identifier that it may not see from one that never was.
///
/// Pairs of both kinds are asked for in random order. Where time tells nothing, the medians are the same, and of
/// two calls, one of each kind, either is as likely the slower (the area under the ROC curve is one half; Mann and
/// Whitney, 1947).
struct ExistenceTiming {
  /// A call that a client may make with any identifier.
  struct Call {
    let name: String
    let pairs: Int
    /// Before each call; not measured.
    var prepare: () throws -> Void = {}
    let body: (AssetID) throws -> Void
  }

  /// How far apart the medians may be, and the area from one half.
  private static let tolerance = (median: 0.02, area: 0.02)
  private static let runs = 5

  let forbidden: [AssetID]

  /// Measures one call in five runs and prints a line.
  ///
  /// - Returns: whether four of the five runs tell nothing.
  func report(_ call: Call) throws -> Bool {
    var good = 0
    var lines: [String] = []
    for _ in 0..<Self.runs {
      let (ratio, area, median) = try run(call)
      let isGood = abs(ratio - 1) <= Self.tolerance.median && abs(area - 0.5) <= Self.tolerance.area
      good += isGood ? 1 : 0
      lines.append(
        "\(text(ratio, 4)), \(text(area, 3))" + (median > 0 ? " (\(text(median * 1e6, 1)))" : ""))
    }
    print(
      "| \(call.name) | \(call.pairs) | \(lines.joined(separator: " | ")) | \(good) of \(Self.runs) |"
    )
    return good >= Self.runs - 1
  }

  private func run(_ call: Call) throws -> (ratio: Double, area: Double, median: Double) {
    let clock = ContinuousClock()
    var times: (there: [Double], never: [Double]) = ([], [])
    for pair in -100..<call.pairs {
      let there = forbidden[Int.random(in: 0..<forbidden.count)]
      let never = AssetID()
      let first = Bool.random()
      for isThere in [first, !first] {
        try call.prepare()
        let start = clock.now
        try call.body(isThere ? there : never)
        let seconds = (clock.now - start) / .seconds(1)
        guard pair >= 0 else { continue }
        if isThere { times.there.append(seconds) } else { times.never.append(seconds) }
      }
    }
    let never = Statistics.percentile(times.never, 50)
    return (
      Statistics.percentile(times.there, 50) / never, Self.area(times.there, times.never), never
    )
  }

  /// The probability that a value of the first kind is greater than one of the second, ties counting half.
  static func area(_ first: [Double], _ second: [Double]) -> Double {
    let all = (first.map { ($0, true) } + second.map { ($0, false) }).sorted { $0.0 < $1.0 }
    var ranks = 0.0
    var index = 0
    while index < all.count {
      var end = index
      while end < all.count, all[end].0 == all[index].0 { end += 1 }
      // Ranks count from one; equal values share the mean of theirs.
      let rank = Double(index + 1 + end) / 2
      ranks += rank * Double(all[index..<end].count { $0.1 })
      index = end
    }
    let n = Double(first.count)
    return (ranks - n * (n + 1) / 2) / (n * Double(second.count))
  }
}
