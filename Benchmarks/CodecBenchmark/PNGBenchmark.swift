import CInflate
import Foundation
import ImageCodecs
import ImageContainer
import PhotoModel

/// Thumbnails of 256 pixels of PNG files, against ISA-L's inflate of the same data alone, which nothing
/// that decodes a PNG file by it can fall below, and against libpng.
enum PNGBenchmark {
  /// Prints a table; false where a file could not be measured.
  static func run(_ paths: [String]) -> Bool {
    print("| file | inflate alone, ms | thumbnail, ms | ratio | by libpng, ms | likeness, dB |")
    print("|---|---|---|---|---|---|")
    var isGood = true
    for path in paths {
      guard let data = try? Data(contentsOf: URL(filePath: path)),
        case let source = MemoryByteSource(Array(data)),
        let structure = try? ImageStructure.scanHeaders(source), structure.format == .png
      else {
        print("CodecBenchmark: not a PNG file: \(path)")
        isGood = false
        continue
      }
      let stream = imageData(Array(data))
      let budget = DecodeBudget()
      let fast = ThumbnailDecoder(budget: budget)
      let reference = ThumbnailDecoder(budget: budget, referenceOnly: true)
      let row =
        (structure.codedSize.width * structure.components * structure.bitDepth + 7) / 8 + 1
      var pictures: [[UInt8]] = [[], []]
      func thumbnail(_ index: Int) {
        let picture = try? (index == 0 ? fast : reference).decode(
          source, structure: structure, orientation: .up, recipe: ThumbnailRecipe(),
          isCancelled: { false })
        if picture?.isComplete != true { isGood = false }
        pictures[index] = picture?.pixels.bytes ?? []
      }
      let times = Timing.medians(
        rounds: 5,
        [
          { if !inflate(stream, band: row * 16) { isGood = false } },
          { thumbnail(0) },
          { thumbnail(1) },
        ])
      let name = URL(filePath: path).lastPathComponent
      let columns = [times[0], times[1], times[1] / times[0], times[2]]
      print(
        "| \(name) | " + columns.map { text($0) }.joined(separator: " | ")
          + " | \(likeness(pictures[0], pictures[1])) |")
    }
    return isGood
  }

  /// The data of all IDAT chunks.
  private static func imageData(_ file: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 8
    while position + 12 <= file.count {
      let length = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.count - position - 12 else { break }
      if file[position + 4..<position + 8].elementsEqual("IDAT".utf8) {
        result += file[position + 8..<position + 8 + length]
      }
      position += 12 + length
    }
    return result
  }

  /// Inflates into one buffer again and again; true where the stream is whole.
  private static func inflate(_ stream: [UInt8], band: Int) -> Bool {
    guard let handle = unsafe cinflate_open() else { return false }
    defer { unsafe cinflate_close(handle) }
    var output = [UInt8](repeating: 0, count: band)
    var position = 0
    while true {
      var (used, written) = (0, 0)
      let state = unsafe stream.withUnsafeBufferPointer { input in
        unsafe output.withUnsafeMutableBufferPointer { output in
          guard let base = input.baseAddress, let target = output.baseAddress else {
            return Int32(CINFLATE_DAMAGED)
          }
          return unsafe cinflate_next(
            handle, base + position, input.count - position, &used, target, output.count, &written)
        }
      }
      position += used
      if state != CINFLATE_MORE { return state == CINFLATE_END }
      if used == 0 && written == 0 { return false }
    }
  }

  /// Peak signal to noise ratio of two pictures.
  private static func likeness(_ one: [UInt8], _ other: [UInt8]) -> String {
    guard one != other else { return "equal" }
    guard one.count == other.count else { return "another size" }
    let squares = zip(one, other).reduce(0.0) { sum, pair in
      let difference = Double(pair.0) - Double(pair.1)
      return sum + difference * difference
    }
    return text(10 * log10(255 * 255 * Double(one.count) / squares))
  }

  private static func text(_ value: Double) -> String {
    value.formatted(
      .number.precision(.fractionLength(2)).grouping(.never).locale(
        Locale(identifier: "en_US_POSIX")))
  }
}
