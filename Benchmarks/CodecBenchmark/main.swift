import Foundation

// How fast pictures are decoded and reduced, part by part and against the reference libraries, in one
// process, by turns and in CPU time, so that what else the machine does meets all alike.
//
//   CodecBenchmark jpeg FILE...   JPEG files at 1/8, 1/4 and 1/2: entropy decoding and inverse DCT alone
//   CodecBenchmark png FILE...    thumbnails of PNG files

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "jpeg" where arguments.count > 1:
  exit(JPEGBenchmark.run(Array(arguments.dropFirst())) ? 0 : 1)
case "png" where arguments.count > 1:
  exit(PNGBenchmark.run(Array(arguments.dropFirst())) ? 0 : 1)
default:
  print("usage: CodecBenchmark jpeg|png FILE...")
  exit(64)
}
