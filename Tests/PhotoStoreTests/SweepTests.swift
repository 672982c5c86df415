import FoundationEssentials
import Glibc
import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Sweeping after importers that died")
struct SweepTests {
  /// A staging folder as a dead importer leaves it: a list, and a staged file.
  private func deadImporter(_ library: TestLibrary, lists contents: [String]) throws -> String {
    let name = "dead\(contents.count)"
    let path = library.path + "/staging/" + name
    unsafe mkdir(path, 0o700)
    let lines = try contents.map {
      OriginalName(sha256: try library.sha($0), format: .jpeg).fileName + "\n"
    }
    try Data(lines.joined().utf8).write(to: URL(filePath: path + "/names"))
    try Data([1, 2, 3]).write(to: URL(filePath: path + "/7"))
    return path
  }

  /// An original in place that no row knows.
  private func strayOriginal(_ library: TestLibrary, _ content: String) throws {
    let path = try library.original(content)
    unsafe mkdir(path.prefixUpToLastSlash, 0o700)
    try Data(TestLibrary.bytes(content)).write(to: URL(filePath: path))
    unsafe chmod(path, 0o400)
  }

  @Test("a listed original without a row is removed with the folder; one with a row stays")
  func listed() throws {
    let library = try TestLibrary()
    try library.add("known")
    let trashed = try library.add("trashed")
    try library.update(trashed, "trashed = 1")
    try strayOriginal(library, "unknown")
    let dead = try deadImporter(library, lists: ["known", "trashed", "unknown", "never placed"])
    // A reader sweeps nothing.
    _ = try library.reopen(.readOnly)
    #expect(exists(dead))
    _ = try library.reopen()
    #expect(!exists(dead))
    #expect(!exists(try library.original("unknown")))
    #expect(exists(try library.original("known")))
    #expect(exists(try library.original("trashed")))
    #expect(try library.findings() == [])
  }

  @Test("an original that no list names is never removed, but found by check")
  func unlisted() throws {
    let library = try TestLibrary()
    try strayOriginal(library, "unknown")
    _ = try library.reopen()
    #expect(exists(try library.original("unknown")))
    let findings = try library.findings()
    #expect(findings.map(\.kind) == ["extra-original"])
    #expect(findings.first?.detail.contains(try library.sha("unknown").hexadecimal) == true)
    #expect(findings.first?.detail.contains("/") == false)
  }

  @Test("a list names originals and nothing else")
  func hostileList() throws {
    let library = try TestLibrary()
    try library.add("known")
    let dead = try deadImporter(library, lists: [])
    try Data("../../library.sqlite\n/etc/hosts\n\n..\n".utf8)
      .write(to: URL(filePath: dead + "/names"))
    _ = try library.reopen()
    #expect(exists(library.path + "/library.sqlite"))
    #expect(!exists(dead))
  }

  @Test("the staging of an importer that lives is left alone, with what it has placed")
  func living() throws {
    let library = try TestLibrary()
    let session = try library.store.beginImport()
    let staged = try session.stage(TestLibrary.bytes("one"))
    _ = try library.reopen()
    guard
      case .added? = try session.commit(
        [library.asset(staged, name: "one.jpg")], by: .owner
      ).first
    else {
      Issue.record("the staged file was swept")
      return
    }
    // Placed and listed, without a row, by an importer that lives: check says nothing.
    let folder = try StagingFolder(in: library.store.folder)
    try strayOriginal(library, "between")
    try folder.writeList([OriginalName(sha256: try library.sha("between"), format: .jpeg)])
    _ = try library.reopen()
    #expect(exists(try library.original("between")))
    #expect(try library.findings() == [])
  }

  @Test("while an importer holds the library's lock no sweep runs")
  func locked() throws {
    let library = try TestLibrary()
    let dead = try deadImporter(library, lists: ["unknown"])
    let lock = try library.store.folder.openLock()
    #expect(FileLock.take(.shared, on: lock))
    _ = try library.reopen()
    #expect(exists(dead))
    FileLock.release(lock)
    _ = try library.reopen()
    #expect(!exists(dead))
  }
}
