import FoundationEssentials
import Glibc
import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Importers that are killed")
struct CrashTests {
  /// Adds pictures in batches of two until it is killed, noting each that it was told is stored.
  private static func importUntilKilled(_ path: String, microseconds: Int) throws {
    let store = try Store.open(at: path, mode: .readWrite, environment: .system)
    let report = unsafe open(path + "/../stored", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let library = try TestLibrary(opened: store, at: path)
    let end = ContinuousClock.now + .microseconds(microseconds)
    try WatchThread.start {
      while ContinuousClock.now < end { usleep(50) }
      kill(getpid(), SIGKILL)
    }
    let session = try store.beginImport()
    for index in 0... {
      let contents = ["\(index) a", "\(index / 2) b"]
      var assets: [NewAsset] = []
      for content in contents { assets.append(try library.newAsset(content, session)) }
      for (content, outcome) in zip(contents, try session.commit(assets, by: .owner)) {
        if case .failed(let error) = outcome { throw error }
        let line = Array((content + "\n").utf8)
        _ = unsafe Glibc.write(report, line, line.count)
      }
    }
  }

  @Test(
    "what was reported is there, nothing half is, and adding again completes it",
    .timeLimit(.minutes(2)),
    arguments: [200, 1_500, 4_000, 9_000, 14_000, 21_000, 33_000, 60_000])
  func killed(microseconds: Int) async throws {
    let library = try TestLibrary()
    for _ in 0..<2 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [path = library.path as String, microseconds = microseconds as Int] in
        try CrashTests.importUntilKilled(path, microseconds: microseconds)
      }
      // A writer's open sweeps.
      let store = try library.reopen()
      #expect(try library.findings(readData: true, in: store) == [])
      let stored = try String(
        decoding: Data(contentsOf: URL(filePath: library.parent + "/stored")), as: UTF8.self)
      let contents = Set(stored.split(separator: "\n").map(String.init))
      for content in contents {
        let found = try store.read { (transaction) throws(StoreError) in
          try transaction.identifiers(
            sha256: ContentHash.of(TestLibrary.bytes(content)), .owner)
        }
        #expect(found.count == 1, "\(content)")
      }
    }
    let again = try (0..<20).map { try library.outcome("\($0) a") }
    #expect(again.allSatisfy { if case .failed = $0 { false } else { true } })
    #expect(try library.findings(readData: true) == [])
  }
}
