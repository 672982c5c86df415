import BenchmarkSupport
import Foundation
import PhotoLibrary
import PhotoModel

/// Every call that takes an identifier, asked with forbidden and with unknown ones.
enum Existence {
  /// Measures and prints a table.
  ///
  /// - Parameters:
  ///   - pairs: how many pairs of calls a run.
  ///   - folder: where the library is made.
  /// - Returns: how many promises are broken.
  /// - Throws: `BenchmarkError` where a call answers what it must not.
  static func report(pairs: Int, in folder: String) throws -> Int {
    let made = try FilledIndex(count: 20_000, in: folder)
    let all = try made.library.owner.fetchAssets().ids
    let selected = Set(all.indices.filter { $0 % 20 == 0 }.map { all[$0] })
    _ = try made.library.select(.replace(Array(selected)), for: made.client)
    let timing = ExistenceTiming(forbidden: all.filter { !selected.contains($0) })
    let client = made.library.client(made.client)
    let owner = made.library.owner
    guard let noon = WallClock(year: 2024, month: 6, day: 1, hour: 12) else { return 1 }
    func refused(_ body: () throws -> Void) throws {
      do {
        try body()
      } catch let error as LibraryError where error.code == .identifierNotFound {
        return
      }
      throw BenchmarkError(message: "an identifier was not refused")
    }
    print(
      "Each run: median for forbidden through that for unknown, area under the curve, median in us.\n"
    )
    print("| call | pairs | run 1 | run 2 | run 3 | run 4 | run 5 | tell nothing |")
    print("|---|---|---|---|---|---|---|---|")
    var calls = [
      ExistenceTiming.Call(name: "records", pairs: pairs) { id in
        guard try client.assets([id]) == [nil] else {
          throw BenchmarkError(message: "it was found")
        }
      },
      ExistenceTiming.Call(name: "fetch by identifier", pairs: pairs) { id in
        guard try client.fetchAssets(FetchQuery(ids: [id])).isEmpty else {
          throw BenchmarkError(message: "it was found")
        }
      },
      ExistenceTiming.Call(name: "edit", pairs: pairs) { id in
        try refused { try client.setCreationDate(noon, of: [id]) }
      },
      ExistenceTiming.Call(name: "right to a thumbnail or bytes", pairs: pairs) { id in
        try refused { try client.service.requireVisible(id) }
      },
    ]
    // A connection of its own each time, and no page of the index in memory.
    var cold: LibraryClient?
    calls.append(
      ExistenceTiming.Call(
        name: "records, cold", pairs: max(1, pairs / 4),
        prepare: {
          cold = nil
          made.forget()
          cold = try Library.open(at: made.path, mode: .readOnly).client(made.client)
        },
        body: { id in
          guard try cold?.assets([id]) == [nil] else {
            throw BenchmarkError(message: "it was found")
          }
        }))
    var broken = 0
    for call in calls where try !timing.report(call) {
      print("BROKEN: \(call.name)")
      broken += 1
    }
    // The measurement must find a gate that looks an asset up before it asks for whom.
    let leaking = ExistenceTiming.Call(name: "planted: the asset first", pairs: pairs) { id in
      _ = try owner.assets([id])
      guard try client.assets([id]) == [nil] else { throw BenchmarkError(message: "it was found") }
    }
    if try timing.report(leaking) {
      print("BROKEN: the planted fault was not found")
      broken += 1
    }
    return broken
  }
}
