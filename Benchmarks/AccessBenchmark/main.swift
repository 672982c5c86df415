import BenchmarkSupport
import Foundation
import PhotoLibrary
import PhotoModel

// What limited access costs, and whether time tells what it hides. Prints tables for docs/performance.md and
// docs/security.md; exit status 1 where a promise is broken.
//
//   AccessBenchmark fetch             a limited client's fetch in libraries of up to a million assets
//   AccessBenchmark existence [PAIRS] unknown against forbidden identifiers, 10,000 pairs a run

let arguments = Array(CommandLine.arguments.dropFirst())
let folder = FileManager.default.temporaryDirectory.path + "/photolib-access-\(UUID().uuidString)"
var broken = 0
do {
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  print(Machine.description)
  switch arguments.first {
  case "fetch": broken = try LimitedFetch.report(in: folder)
  case "existence":
    let pairs = arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
    broken = try Existence.report(pairs: pairs, in: folder)
  default:
    print("usage: AccessBenchmark fetch|existence [PAIRS]")
    broken = 64
  }
} catch {
  print("AccessBenchmark: \((error as? BenchmarkError)?.message ?? "\(error)")")
  broken += 1
}
exit(broken == 64 ? 64 : broken == 0 ? 0 : 1)
