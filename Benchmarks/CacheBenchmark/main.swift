import BenchmarkSupport
import Foundation
import PhotoLibrary
import PhotoModel

// How many thumbnails a second come from the cache: in the API, by one process, and as files that
// `photolib fetch --thumbs` writes. Prints a table for docs/performance.md.
//
//   CacheBenchmark PHOTOLIB FOLDER...   PHOTOLIB is the program, the folders hold pictures to make a
//                                       library of; exit status 1 where a promise is broken
//
// Everything but the last row is on /dev/shm; that one is in the folder for temporary files.

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
  print("usage: CacheBenchmark PHOTOLIB FOLDER...")
  exit(64)
}
let memory = "/dev/shm/photolib-benchmark-\(UUID().uuidString)"
let disk = FileManager.default.temporaryDirectory.path + "/photolib-benchmark-\(UUID().uuidString)"
var broken = 0
do {
  for folder in [memory, disk] {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }
  let made = try await MadeLibrary.make(
    count: Measuring.count, of: Array(arguments.dropFirst()), in: memory)
  print(Machine.description)
  let size = Double(made.thumbnailBytes) / Double(made.ids.count) / 1024
  print(
    "\(made.ids.count) thumbnails of \(text(size, 1)) KiB on average; medians of \(Measuring.rounds) rounds behind "
      + "one that warms up.\n")
  print("| what | thumbnails/s, median (min-max) | promised |")
  print("|---|---|---|")
  let library = try Library.open(at: made.path, mode: .readOnly)
  broken += try await Measuring.report("the API, as the owner", promised: 20_000) {
    try await Measuring.iterate(library.owner, made.ids)
  }
  broken += try await Measuring.report("the API, as a limited client", promised: 20_000) {
    try await Measuring.iterate(library.client(made.limited), made.ids)
  }
  broken += try await Measuring.report("files on tmpfs", promised: 5_000) {
    try Measuring.write(made, to: memory + "/thumbs", with: arguments[0])
  }
  broken += try await Measuring.report("files on disk", promised: nil) {
    try Measuring.write(made, to: disk + "/thumbs", with: arguments[0])
  }
} catch {
  print("CacheBenchmark: \((error as? BenchmarkError)?.message ?? "\(error)")")
  broken += 1
}
for folder in [memory, disk] { try? FileManager.default.removeItem(atPath: folder) }
exit(broken == 0 ? 0 : 1)
