import Foundation
import ImageCodecs
import ImageContainer
import PhotoModel
import Testing

/// The folder of real and hostile files, with other programs' findings in `expected.tsv`.
private let corpus = ProcessInfo.processInfo.environment["PHOTOLIB_CORPUS"]

/// One line of `expected.tsv`.
private struct CorpusRow {
  let name: String
  let bytes: [UInt8]
  private let fields: [String: Substring]

  subscript(_ column: String) -> String { String(fields[column] ?? "") }
  func number(_ column: String) -> Int? { Int(self[column]) }

  /// Rows of the whole table, their files read one at a time.
  static func forEach(where isWanted: (CorpusRow) -> Bool, _ body: (CorpusRow) -> Void) throws {
    let folder = URL(filePath: try #require(corpus))
    let table = try String(contentsOf: folder.appending(path: "expected.tsv"), encoding: .utf8)
    var lines = table.split(separator: "\n", omittingEmptySubsequences: false)
    let header = lines.removeFirst().split(separator: "\t", omittingEmptySubsequences: false)
    for line in lines where !line.isEmpty {
      let values = line.split(separator: "\t", omittingEmptySubsequences: false)
      let fields = Dictionary(
        zip(header.map { String($0) }, values), uniquingKeysWith: { first, _ in first })
      let name = "\(fields["corpus"] ?? "")/\(fields["file"] ?? "")"
      let row = CorpusRow(name: name, bytes: [], fields: fields)
      guard isWanted(row) else { continue }
      let data = try Data(contentsOf: folder.appending(path: name))
      body(CorpusRow(name: name, bytes: [UInt8](data), fields: fields))
    }
  }

  /// The reference thumbnail's size, turned where its maker did not know an orientation that the
  /// table has (libvips 8.14 reads none from PNG).
  var thumbnailSize: PixelSize {
    let (width, height) = (number("ref_thumb_w") ?? -9, number("ref_thumb_h") ?? -9)
    let (shown, tall) = (number("display_width") ?? 0, number("display_height") ?? 0)
    let isTurned = (width - height).signum() * (shown - tall).signum() < 0
    return isTurned
      ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
  }

  /// The largest difference of a channel in the grid of 3x3 colours.
  func difference(to picture: DecodedPicture) -> Int {
    zip(grid(picture.pixels), hexadecimal(self["ref_grid3x3"])).map { abs($0 - $1) }.max() ?? 999
  }

  /// Decodes as an app would: the structure, the orientation that exiftool found, the default
  /// recipe.
  func thumbnail() throws -> DecodedPicture {
    try decode(bytes, orientation: Orientation(rawValue: number("orientation") ?? 1) ?? .up)
  }
}

@Suite("Corpus", .enabled(if: corpus != nil), .serialized)
struct CorpusTests {
  @Test("Every file that all other programs read gives a thumbnail of their size and colours")
  func full() throws {
    var (count, compared) = (0, 0)
    var failures: [String] = []
    var different: [String] = []
    try CorpusRow.forEach(where: { $0["consensus"] == "full" }) { row in
      count += 1
      do {
        let picture = try row.thumbnail()
        let size = picture.pixels.size
        let expected = row.thumbnailSize
        if abs(size.width - expected.width) > 1 || abs(size.height - expected.height) > 1 {
          failures.append("\(row.name): \(size)")
        }
        guard let difference = row.number("ref_diff"), difference <= 4 else { return }
        compared += 1
        let worst = row.difference(to: picture)
        if worst > 6 { different.append("\(row.name): \(worst), \(row["icc_profile"])") }
      } catch {
        failures.append("\(row.name): \(error)")
      }
    }
    print("consensus full: \(count) files, \(compared) compared, \(different.count) differ")
    different.forEach { print("  differs: \($0)") }
    #expect(failures == [])
    #expect(count > 800)
    #expect(Double(different.count) <= 0.005 * Double(compared))
  }

  @Test("Of the files that others read with warnings, at least 95 in 100 give a thumbnail")
  func warned() throws {
    var count = 0
    var failures: [String] = []
    var different: [String] = []
    try CorpusRow.forEach(where: { $0["consensus"] == "warn" }) { row in
      count += 1
      do {
        let picture = try row.thumbnail()
        guard let reference = row.number("ref_diff") else { return }
        // CMYK without a usable profile has no one right colour, but a negative is far off.
        let difference = row.difference(to: picture)
        if difference > (row["components"] == "4" ? max(60, reference) : max(6, reference + 2)) {
          different.append("\(row.name): \(difference), references \(reference)")
        }
      } catch {
        failures.append("\(row.name): \(error)")
      }
    }
    print("consensus warn: \(count) files, \(failures.count) without a thumbnail")
    failures.forEach { print("  none: \($0)") }
    different.forEach { print("  differs: \($0)") }
    #expect(Double(different.count) <= 0.05 * Double(count))
    #expect(Double(failures.count) <= 0.05 * Double(count))
  }

  @Test("Whatever a file holds, there is an answer within seconds")
  func hostile() throws {
    var counts: [String: Int] = [:]
    var slow: [String] = []
    try CorpusRow.forEach(where: { $0["consensus"] != "full" }) { row in
      let clock = ContinuousClock()
      let time = clock.measure {
        do {
          let picture = try row.thumbnail()
          counts[picture.isComplete ? "complete" : "incomplete", default: 0] += 1
        } catch let error as CodecError {
          if case .overLimit(let text) = error { print("  over limit: \(row.name): \(text)") }
          counts["codec error", default: 0] += 1
        } catch is ContainerError {
          counts["container error", default: 0] += 1
        } catch {
          counts["other", default: 0] += 1
        }
      }
      if time > .seconds(10) { slow.append("\(row.name): \(time)") }
    }
    print("others: \(counts)")
    #expect(slow == [])
    #expect(counts["other"] == nil)
  }

  @Test("A whole file has all its rows, and a cut one has not")
  func missing() throws {
    var wrong: [String] = []
    var (count, cut) = (0, 0)
    try CorpusRow.forEach(where: {
      $0["consensus"] == "full" && $0["corpus"] == "photos-large"
    }) { row in
      count += 1
      do {
        if let reason = try missingRows(row.bytes) { wrong.append("\(row.name): \(reason)") }
        let half = Array(row.bytes.prefix(row.bytes.count * 2 / 3))
        if try missingRows(half) != nil { cut += 1 }
      } catch {
        wrong.append("\(row.name): \(error)")
      }
    }
    print("rows: \(count) files, \(cut) found cut")
    #expect(wrong == [])
    #expect(cut == count)
  }
}

/// The picture averaged to 3x3 colours, row by row, as Pillow's box filter does it: a pixel belongs
/// to the cell in which its centre lies.
private func grid(_ pixels: PixelBuffer) -> [Int] {
  let (width, height) = (pixels.size.width, pixels.size.height)
  func range(_ cell: Int, of length: Int) -> Range<Int> {
    let (low, high) = (Double(cell * length) / 3, Double((cell + 1) * length) / 3)
    let first = min(Int(low + 0.5), length - 1)
    return first..<max(first + 1, min(length, Int(high + 0.5)))
  }
  var result: [Int] = []
  for row in 0..<3 {
    for column in 0..<3 {
      var sums = [0, 0, 0]
      let (rows, columns) = (range(row, of: height), range(column, of: width))
      for y in rows {
        for x in columns {
          for channel in 0..<3 { sums[channel] += Int(pixels.bytes[(y * width + x) * 3 + channel]) }
        }
      }
      let count = rows.count * columns.count
      result += sums.map { ($0 + count / 2) / count }
    }
  }
  return result
}

/// "e4eaec,eff2f3" to its numbers.
private func hexadecimal(_ text: String) -> [Int] {
  text.split(separator: ",").flatMap { colour -> [Int] in
    let value = Int(colour, radix: 16) ?? 0
    return [value >> 16, value >> 8 & 255, value & 255]
  }
}
