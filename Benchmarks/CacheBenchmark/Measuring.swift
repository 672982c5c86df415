import BenchmarkSupport
import Foundation
import PhotoLibrary
import PhotoModel

/// The ways to get thumbnails out of the cache, each measured in rounds.
enum Measuring {
  /// So many thumbnails a round.
  static let count = 5_000
  static let rounds = 5

  /// Measures one way and prints its row; the number of promises that it breaks.
  static func report(
    _ title: String, promised: Double?, seconds: () async throws -> Double
  ) async throws -> Int {
    var rates: [Double] = []
    for round in 0...rounds {
      let rate = Double(count) / (try await seconds())
      if round > 0 { rates.append(rate) }
    }
    let median = Statistics.percentile(rates, 50)
    let spread = "\(text(rates.min() ?? 0, 0))-\(text(rates.max() ?? 0, 0))"
    let promise = promised.map { text($0, 0) } ?? "-"
    print("| \(title) | \(text(median, 0)) (\(spread)) | \(promise) |")
    guard let promised, median < promised else { return 0 }
    print("BROKEN: \(title) is to reach \(promise) a second")
    return 1
  }

  /// Takes all thumbnails through the sequence; the seconds that it took.
  static func iterate(_ client: LibraryClient, _ ids: [AssetID]) async throws -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    var next = 0
    for await item in client.thumbnails(for: ids) {
      let thumbnail = try item.result.get()
      guard item.id == ids[next], thumbnail.source == .cache else {
        throw BenchmarkError(message: "a thumbnail did not come from the cache")
      }
      next += 1
    }
    guard next == ids.count else { throw BenchmarkError(message: "thumbnails are missing") }
    return (clock.now - start) / .seconds(1)
  }

  /// Has the program write all thumbnails into a new folder; the seconds from its start to its end.
  static func write(_ made: MadeLibrary, to folder: String, with program: String) throws -> Double {
    let words = ["-L", made.path.string, "fetch", "--thumbs", "-o", folder]
    let run = TimedProcess.run(program, words)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    guard let run, run.status == 0, names.count == made.ids.count else {
      throw BenchmarkError(message: "photolib fetch --thumbs failed")
    }
    try FileManager.default.removeItem(atPath: folder)
    return run.seconds
  }
}
