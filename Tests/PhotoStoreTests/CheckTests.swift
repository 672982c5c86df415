import FoundationEssentials
import Glibc
import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Checking a library")
struct CheckTests {
  private func library() throws -> (TestLibrary, AssetID) {
    let library = try TestLibrary()
    try library.add("one")
    return (library, try library.add("two"))
  }

  private func overwrite(_ path: String, _ bytes: [UInt8]) throws {
    unsafe chmod(path, 0o600)
    try Data(bytes).write(to: URL(filePath: path))
    unsafe chmod(path, 0o400)
  }

  @Test("a sound library has no findings, and progress reaches its total")
  func clean() throws {
    let (library, _) = try library()
    var last = (0, 0)
    try library.store.check(
      readData: true, progress: { last = ($0, $1) }, finding: { Issue.record("\($0)") })
    #expect(last == (2, 2))
  }

  @Test("a missing, a short, a mistyped, a changed and an unexpected original are found")
  func originals() throws {
    let (library, two) = try library()
    let path = try library.original("two")
    let good = TestLibrary.bytes("two")
    func kinds(readData: Bool = false) throws -> [String] {
      let findings = try library.findings(readData: readData)
      for finding in findings {
        #expect(finding.id == two)
        #expect(finding.detail.contains(try library.sha("two").hexadecimal))
        #expect(!finding.detail.contains("/originals"))
      }
      return findings.map(\.kind)
    }
    try FileManager.default.removeItem(atPath: path)
    #expect(try kinds() == ["missing-original"])
    try overwrite(path, Array(good.dropLast()))
    #expect(try kinds() == ["size-mismatch"])
    try overwrite(path, [0] + good.dropFirst())
    #expect(try kinds() == ["type-mismatch"])
    try overwrite(path, good.dropLast() + [good[6] ^ 1])
    #expect(try kinds() == [])
    #expect(try kinds(readData: true) == ["hash-mismatch"])
    try overwrite(path, good)
    #expect(try kinds(readData: true) == [])
    unsafe chmod(path, 0o644)
    #expect(try kinds() == ["permissions"])
    try FileManager.default.removeItem(atPath: path)
    unsafe mkdir(path, 0o700)
    #expect(try kinds().contains("type-mismatch"))
  }

  @Test("files that are not the library's are found wherever they lie among the originals")
  func foreign() throws {
    let (library, _) = try library()
    for name in ["originals/readme.txt", "originals/\(try shard(library))/x.jpg"] {
      _ = try library.folder.file([1], name: "Photos.photolib/" + name)
    }
    #expect(try library.findings().map(\.kind) == ["extra-original", "extra-original"])
  }

  private func shard(_ library: TestLibrary) throws -> String {
    OriginalName(sha256: try library.sha("one"), format: .jpeg).shard
  }

  @Test("permissions that are too wide are found")
  func permissions() throws {
    let (library, _) = try library()
    unsafe chmod(library.path, 0o755)
    unsafe chmod(library.path + "/library.sqlite", 0o644)
    unsafe chmod(library.path + "/originals", 0o777)
    // Less than usual is no fault: a copy that cannot be written.
    unsafe chmod(library.path + "/doorbell", 0o400)
    let findings = try library.findings()
    #expect(findings.map(\.kind) == ["permissions", "permissions", "permissions"])
    #expect(findings[0].detail.contains("755, more than 700"))
  }

  @Test("leftovers of a dead importer are found, those of a living one are none")
  func staging() throws {
    let (library, _) = try library()
    let session = try library.store.beginImport()
    #expect(try library.findings() == [])
    session.end()
    unsafe mkdir(library.path + "/staging/dead", 0o700)
    #expect(try library.findings().map(\.kind) == ["staging"])
    #expect(exists(library.path + "/staging/dead"))
  }

  @Test("forged grants are found")
  func selections() throws {
    let (library, two) = try library()
    let frame = try client("org.example.frame")
    try library.select(frame, [two])
    #expect(try library.findings() == [])
    try library.tamper("UPDATE selections SET created = created + 1")
    #expect(try library.findings().map(\.kind) == ["selection"])
    #expect(try library.findings().first?.id == two)
    try library.tamper(
      "UPDATE selections SET created = created - 1, asset = (SELECT min(row) FROM assets)")
    #expect(try library.findings().map(\.kind) == ["selection"])
    try library.tamper("UPDATE selections SET asset = 4711")
    #expect(try Set(library.findings().map(\.kind)) == ["index", "selection"])
  }

  @Test("a damaged index and a damaged cache are findings, not failures")
  func databases() throws {
    let (library, _) = try library()
    let key = ThumbnailKey(
      sha256: try library.sha("one"), orientation: .up, recipe: ThumbnailRecipe(), scope: nil)
    library.store.thumbnails.store([
      (key, Thumbnail(data: [1], size: PixelSize(width: 1, height: 1), source: .decoded))
    ])
    #expect(try library.findings() == [])
    library.store.close()
    let reader = try library.reopen(.readOnly)
    reader.close()
    // A page in the middle of each, past the header that opening looks at.
    for (file, kind) in [("library.sqlite", "index"), ("thumbnails.sqlite", "thumbnails")] {
      let path = library.path + "/" + file
      let good = try Data(contentsOf: URL(filePath: path))
      var bad = good
      for index in 4_096..<min(bad.count, 4_096 * 4) { bad[index] = 0xa5 }
      try bad.write(to: URL(filePath: path))
      unsafe chmod(path, 0o600)
      if let store = try? library.reopen(.readOnly) {
        #expect(try library.findings(in: store).map(\.kind).contains(kind), "\(file)")
        store.close()
      } else {
        #expect(file == "library.sqlite")
      }
      try good.write(to: URL(filePath: path))
      unsafe chmod(path, 0o600)
    }
  }
}
