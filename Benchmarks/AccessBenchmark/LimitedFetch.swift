import BenchmarkSupport
import Foundation
import PhotoLibrary
import PhotoModel

/// What a limited client's fetch costs, by the size of its selection and of the library.
enum LimitedFetch {
  private static let selections = [10, 100, 1_000, 10_000, 100_000]
  private static let rounds = 15

  /// Measures and prints a table.
  ///
  /// - Returns: how many promises are broken.
  static func report(in folder: String) throws -> Int {
    var broken = 0
    print(
      "| assets | selected | fetch by date, ms | ns an asset selected | count, ms | one record, us |"
    )
    print("|---|---|---|---|---|---|")
    var times: [Int: [Int: Double]] = [:]
    for count in [10_000, 100_000, 1_000_000] {
      let made = try FilledIndex(count: count, in: folder)
      let all = try made.library.owner.fetchAssets().ids
      // Spread over the whole library in date order, which is the worst for a look-up of each.
      for selected in selections where selected <= count / 10 || selected <= 1_000 {
        let step = all.count / selected
        let ids = (0..<selected).map { all[$0 * step] }
        _ = try made.library.select(.replace(ids), for: made.client)
        let client = made.library.client(made.client)
        let fetch = try median {
          guard try client.fetchAssets().count == selected else { throw wrong }
        }
        let counted = try median { guard try client.countAssets() == selected else { throw wrong } }
        let record = try median {
          guard try client.assets([ids[selected / 2]]).count == 1 else { throw wrong }
        }
        times[selected, default: [:]][count] = fetch
        print(
          "| \(count) | \(selected) | \(text(fetch * 1e3, 3)) | \(text(fetch * 1e9 / Double(selected), 0)) | "
            + "\(text(counted * 1e3, 3)) | \(text(record * 1e6, 0)) |")
      }
      try FileManager.default.removeItem(atPath: made.path.string)
    }
    // In proportion to the selection, whatever else the library holds.
    for (selected, byCount) in times.sorted(by: { $0.key < $1.key }) {
      guard let small = byCount[100_000], let large = byCount[1_000_000], selected >= 1_000,
        large > 2 * small
      else { continue }
      print(
        "BROKEN: \(selected) selected of a million take more than twice the time of a hundred thousand"
      )
      broken += 1
    }
    if let time = times[1_000]?[1_000_000], time > 0.005 {
      print("BROKEN: 1,000 selected of a million take more than 5 ms")
      broken += 1
    }
    return broken
  }

  private static let wrong = BenchmarkError(message: "the client sees another number of assets")

  /// Seconds.
  private static func median(_ body: () throws -> Void) throws -> Double {
    let clock = ContinuousClock()
    var seconds: [Double] = []
    for _ in 0...rounds {
      let start = clock.now
      try body()
      seconds.append((clock.now - start) / .seconds(1))
    }
    return Statistics.percentile(Array(seconds.dropFirst()), 50)
  }
}
