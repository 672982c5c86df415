import Foundation
import ImageCodecs
import ImageContainer
import ImageMetadata
import PhotoModel
import Testing

/// Redacts every file of the corpus and has exiftool and exiv2 look for places in what comes out.
@Suite(
  "Redaction of the corpus",
  .enabled(if: Corpus.folder != nil && Judge.exiftool.isThere && Judge.exiv2.isThere), .serialized)
struct RedactionCorpusTests {
  @Test("Neither exiftool nor exiv2 finds a place in any redacted file, and pixels are the same")
  func everyFile() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "redacted-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var names: [String: String] = [:]
    var originals: [String: String] = [:]
    var problems: [String] = []
    var refused = 0
    var cut = 0
    for row in try Corpus.rows() {
      let bytes = try Corpus.bytes(of: row)
      let source = MemoryByteSource(bytes)
      guard let structure = try? ImageStructure.scan(source) else { continue }
      let plan: RedactionPlan
      do {
        plan = try RedactionPlan.make(source, structure: structure)
      } catch {
        refused += 1
        problems.append("\(row.name): refused: \(error.message)")
        continue
      }
      let path = try #require(Corpus.folder) + "/" + row.name
      guard !plan.isIdentity(forCount: bytes.count) else {
        originals[path] = row.name
        continue
      }
      let redacted = RedactedByteSource(source, plan: plan)
      let result = try redacted.read(at: 0, count: redacted.count)
      if result.count != bytes.count {
        cut += 1
        if result.count < structure.endOffset { problems.append("\(row.name): cut too short") }
      }
      if try pixels(bytes) != pixels(result) { problems.append("\(row.name): other pixels") }
      let file = folder.appending(path: "\(names.count).\(structure.format.fileExtension)")
      try Data(result).write(to: file)
      names[file.path] = row.name
    }
    print("redacted: \(names.count), cut: \(cut), as they were: \(originals.count)")
    let all = names.merging(originals) { first, _ in first }
    for (path, tags) in try Judge.exiftoolPlaces(all.keys.sorted()) {
      problems.append("\(all[path] ?? path): exiftool: \(tags.joined(separator: ", "))")
    }
    for (path, tags) in try Judge.exiv2Places(all.keys.sorted()) {
      problems.append("\(all[path] ?? path): exiv2: \(tags.joined(separator: ", "))")
    }
    for problem in problems.sorted() { print(problem) }
    #expect(problems.isEmpty)
    #expect(names.count > 100)
  }

  /// Where more than places goes, as docs/security.md lists it.
  private static let others = [
    "exif-hostile/exiv2-bug922.png": "IPTC in compressed text, which could not keep its length"
  ]

  @Test("exiftool reads all but the places as before, where nothing behind the picture was cut")
  func otherMetadata() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "redacted-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var pairs: [(name: String, original: String, redacted: String)] = []
    for row in try Corpus.rows() {
      let source = MemoryByteSource(try Corpus.bytes(of: row))
      guard let structure = try? ImageStructure.scan(source),
        let plan = try? RedactionPlan.make(source, structure: structure),
        !plan.isIdentity(forCount: source.count)
      else { continue }
      let redacted = RedactedByteSource(source, plan: plan)
      guard redacted.count == source.count else { continue }
      let file = folder.appending(path: "\(pairs.count).\(structure.format.fileExtension)")
      try Data(try redacted.read(at: 0, count: redacted.count)).write(to: file)
      pairs.append((row.name, try Corpus.path(of: row.name), file.path))
    }
    let tags = try Judge.exiftoolOthers(pairs.flatMap { [$0.original, $0.redacted] })
    var compared = 0
    for pair in pairs {
      let before = try #require(tags[pair.original])
      let after = try #require(tags[pair.redacted])
      compared += before.count
      let lost = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
      if let reason = Self.others[pair.name] {
        print("  \(pair.name): \(lost.count) other values: \(reason)")
        #expect(!lost.isEmpty, "\(pair.name)")
      } else {
        #expect(lost.isEmpty, "\(pair.name)")
      }
    }
    print("other metadata: \(compared) values of \(pairs.count) files")
    #expect(pairs.count > 80)
    #expect(compared > 5_000)
  }

  private enum Picture: Equatable {
    case pixels(PixelBuffer)
    case none(String)
  }

  /// Full size where it is small enough to be quick.
  private func pixels(_ bytes: [UInt8]) throws -> Picture {
    let source = MemoryByteSource(bytes)
    let decoder = ThumbnailDecoder(budget: DecodeBudget())
    do {
      let structure = try ImageStructure.scan(source)
      let isSmall = structure.codedSize.pixelCount < 2_000_000
      let side = isSmall ? 8192 : 1024
      let recipe = ThumbnailRecipe(size: PixelSize(width: side, height: side))
      return .pixels(
        try decoder.decode(
          source, structure: structure, orientation: .up, recipe: recipe, isCancelled: { false }
        ).pixels)
    } catch {
      return .none("\(error)")
    }
  }
}
