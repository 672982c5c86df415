import BenchmarkSupport
import Foundation

// How fast metadata is read, against exiftool and exiv2 on the same files in the same run, and how many
// bytes are asked for. Prints a table for docs/performance.md.
//
//   MetadataBenchmark FOLDER...     measures with the pictures in these folders; exit status 1 where a
//                                   promise is broken
//   MetadataBenchmark --read FILE...  one of the measured processes: reads, prints a line a file
//
// All three are whole processes that are given all files at once; their start counts.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--read" {
  MetadataReading.printAll(Array(arguments.dropFirst()))
  exit(0)
}
guard !arguments.isEmpty else {
  print("usage: MetadataBenchmark FOLDER...")
  exit(64)
}
let files = MetadataReading.pictures(in: arguments)
guard !files.isEmpty else {
  print("MetadataBenchmark: no pictures in \(arguments.joined(separator: ", "))")
  exit(66)
}
guard let own = Contestant.own(files),
  let exiftool = Contestant.named(
    "exiftool",
    // Only what photolib reads, and no look behind the metadata: the fastest way to ask it.
    [
      "-fast2", "-q", "-q", "-n", "-S", "-DateTimeOriginal", "-CreateDate", "-ModifyDate",
      "-SubSecTime*", "-OffsetTime*", "-Orientation", "-Make", "-Model", "-GPS*", "-DateCreated",
      "-TimeCreated", "-ImageSize",
    ], files),
  let exiv2 = Contestant.named("exiv2", ["-q", "pr"], files)
else {
  print("MetadataBenchmark: exiftool and exiv2 are needed: make setup, or scripts/setup test")
  exit(69)
}

let times = Contestant.run([own, exiftool, exiv2], rounds: 5)
let medians = times.map { Statistics.percentile($0, 50) }
let bytes = MetadataReading.bytesAsked(files).map(Double.init)
let (median, high) = (Statistics.percentile(bytes, 50), Statistics.percentile(bytes, 95))
let ratios = medians.map { $0 / medians[0] }

print(Machine.description)
print(
  "\(files.count) pictures; medians of \(times[0].count) alternating runs of whole processes.\n")
print("| reader | s, median (min-max) | files/s | time against photolib |")
print("|---|---|---|---|")
for (index, contestant) in [own, exiftool, exiv2].enumerated() {
  let (low, top) = (times[index].min() ?? 0, times[index].max() ?? 0)
  let seconds = "\(text(medians[index], 3)) (\(text(low, 3))-\(text(top, 3)))"
  let rate = text(Double(files.count) / medians[index], 0)
  print("| \(contestant.title) | \(seconds) | \(rate) | \(text(ratios[index], 1))x |")
}
print(
  "\nBytes that photolib asks for, a picture: median \(text(median / 1024, 1)) KiB, ",
  terminator: "")
print("95 of 100 below \(text(high / 1024, 1)) KiB.")

var isKept = true
if median >= 65_536 {
  print("BROKEN: the median of bytes asked for is to be under 64 KiB")
  isKept = false
}
if ratios[1] < 10 {
  print("BROKEN: photolib is to be at least 10 times as fast as exiftool")
  isKept = false
}
exit(isKept ? 0 : 1)
