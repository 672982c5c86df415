import Foundation
import ImageContainer
import PhotoModel
import Testing

@testable import ImageCodecs

private let corpus = ProcessInfo.processInfo.environment["PHOTOLIB_CORPUS"]
/// Pictures larger than this many pixels are left out, since a debug build takes seconds for each;
/// 0 leaves none out.
private let mostPixels =
  ProcessInfo.processInfo.environment["PHOTOLIB_CORPUS_PIXELS"].flatMap(Int.init)
  ?? 300_000

@Suite("Fast JPEG, corpus", .enabled(if: corpus != nil))
struct FastJPEGCorpusTests {
  @Test("Planes of real and hostile files are libjpeg-turbo's, and none where it complains")
  func files() throws {
    let folder = URL(filePath: try #require(corpus))
    let limit = mostPixels == 0 ? Int.max : mostPixels
    var found: [String] = []
    var counts: [String: Int] = [:]
    var complaints: [String: Int] = [:]
    let enumerator = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    for case let url as URL in try #require(enumerator) {
      guard let data = try? Data(contentsOf: url), data.prefix(2) == Data([0xFF, 0xD8]) else {
        continue
      }
      let file = [UInt8](data)
      guard let size = (try? ImageStructure.scanHeaders(MemoryByteSource(file)))?.codedSize,
        size.width * size.height <= limit
      else {
        counts["no structure, or too large", default: 0] += 1
        continue
      }
      let oracle = JPEGOracle(file, mostBlocks: 1 << 21)
      guard !oracle.isTooLarge else {
        counts["too large for the oracle", default: 0] += 1
        continue
      }
      var isTaken = false
      for side in [1, 2, 4] {
        let isAnswered = try fastPlanes(file, size: size, side: side) != nil
        isTaken = isTaken || isAnswered
        if let fault = try fault(file, size: size, oracle: oracle, side: side, isTaken: false) {
          found.append("\(url.lastPathComponent): \(fault)")
        }
      }
      counts[
        (isTaken ? "taken" : "not taken")
          + (oracle.complaint == nil ? "" : oracle.size == nil ? ", error" : ", warning"),
        default: 0] += 1
      if let complaint = oracle.complaint, isTaken { complaints[complaint, default: 0] += 1 }
    }
    print("fast JPEG: \(counts)")
    print("answers although libjpeg complains: \(complaints)")
    found.forEach { print("  \($0)") }
    #expect(found == [])
    #expect(counts["taken", default: 0] > 100)
  }
}
