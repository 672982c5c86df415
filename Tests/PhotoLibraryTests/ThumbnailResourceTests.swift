import FoundationEssentials
import PhotoLibrary
import PhotoLibraryTesting
import Synchronization
import Testing

/// What the pipeline takes of the process; each measured in a process of its own.
@Suite("Threads and memory of thumbnails", .timeLimit(.minutes(10)))
struct ThumbnailResourceTests {
  /// A number of /proc/self/status: `Threads`, or `VmHWM` in kB.
  static func status(_ field: String) throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") }
    let number = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
    return try #require(number.flatMap { Int($0) })
  }

  /// What the threads are called, for whoever reads of too many.
  static func threadNames() throws -> String {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map {
      (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) ?? "?"
    }.sorted().joined().split(separator: "\n").joined(separator: ", ")
  }

  @Test("Row 128: With 10,000 requests waiting there are at most eight threads more than cores")
  func threads() async throws {
    let temporary = try TemporaryLibrary()
    _ = try await temporary.addPictures(100)
    await #expect(processExitsWith: .success) { [path = temporary.library.path.string as String] in
      let decodes = HeldDecodes()
      let cores = ProcessInfo.processInfo.activeProcessorCount
      let library = try Library.open(
        at: FilePath(path), configuration: decodes.configuration(jobs: cores))
      let ids = try library.owner.fetchAssets().ids
      var tasks: [Task<Result<Thumbnail, LibraryError>, Never>] = []
      for size in 1...100 {
        let recipe = ThumbnailRecipe(size: PixelSize(width: size, height: 100))
        tasks += ids.map {
          library.owner.request($0, size % 2 == 0 ? .batch : .interactive, recipe: recipe)
        }
      }
      await until { library.waitingThumbnails == (0, 10_000) }
      try #require(decodes.begun.count == cores)
      var most = (count: try Self.status("Threads"), names: try Self.threadNames())
      decodes.release()
      for task in tasks.prefix(200) {
        _ = try await task.value.get()
        let count = try Self.status("Threads")
        if count > most.count { most = (count, try Self.threadNames()) }
      }
      for task in tasks { task.cancel() }
      for task in tasks { _ = await task.value }
      try #require(most.count <= cores + 8, "\(most.count), \(cores) cores: \(most.names)")
    }
  }

  @Test("Row 128: A batch of 300 pictures takes no more memory than one of 50")
  func memory() async throws {
    let temporary = try TemporaryLibrary()
    // Each of other bytes, and of 300 kB, so that buffers of files count.
    let picture = TestPicture(size: PixelSize(width: 160, height: 120), number: 1).data
    var paths: [FilePath] = []
    for number in 0..<300 {
      let tail = [UInt8](repeating: UInt8(number % 256), count: 300_000 + number)
      paths.append(try temporary.write(picture + tail, named: "\(number).jpg"))
    }
    let report = try await temporary.library.add(paths)
    #expect(report.failures.isEmpty)
    await #expect(processExitsWith: .success) { [path = temporary.library.path.string as String] in
      let owner = try Library.open(at: FilePath(path)).owner
      let ids = try owner.fetchAssets().ids
      try #require(ids.count == 300)
      func make(_ ids: [AssetID]) async throws {
        for await item in owner.thumbnails(for: ids, usesCache: false) {
          _ = try item.result.get()
        }
      }
      try await make(Array(ids.prefix(50)))
      let few = try Self.status("VmHWM")
      try await make(ids)
      let many = try Self.status("VmHWM")
      // In kB; the heap of the C library breathes.
      try #require(many - few < 12_000, "\(few) kB for 50, \(many) kB for 300")
    }
  }
}
