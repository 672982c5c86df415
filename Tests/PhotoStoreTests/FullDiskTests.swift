import FoundationEssentials
import Glibc
import PhotoModel
import Testing

@testable import PhotoStore

/// A folder on a small file system of its own (about 1 MB), which these tests fill.
private let smallDisk = ProcessInfo.processInfo.environment["PHOTOLIB_SMALL_DISK"]

@Suite("A full disk", .serialized, .enabled(if: smallDisk != nil))
struct FullDiskTests {
  @Test("what was added stays, what does not fit fails as noSpace, and a rerun completes")
  func filling() throws {
    let parent = try #require(smallDisk) + "/full"
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: parent) }
    let ballast = parent + "/ballast"
    for kilobytes in stride(from: 0, to: 700, by: 35) {
      let library = try TestLibrary(in: parent)
      defer { try? FileManager.default.removeItem(atPath: library.path) }
      try? Data(count: kilobytes * 1024).write(to: URL(filePath: ballast))
      var failed: [String] = []
      for index in 0..<12 {
        let content = String(repeating: "\(index) ", count: 40_000)
        if try !isAdded(content, to: library) { failed.append(content) }
      }
      #expect(!failed.isEmpty)
      // Reading and checking go on, and nothing half is left.
      #expect(try library.ids().count == 12 - failed.count)
      #expect(try library.findings(readData: true) == [])
      try FileManager.default.removeItem(atPath: ballast)
      // Room for some of them again, where there was ballast to throw out.
      let more = try failed.filter { try isAdded($0, to: library) }
      #expect(kilobytes < 150 || !more.isEmpty)
      #expect(try library.ids().count == 12 - failed.count + more.count)
      #expect(try library.findings(readData: true) == [])
      library.store.close()
    }
  }

  /// Adds a picture; false where the disk is full, which is the one failure allowed.
  private func isAdded(_ content: String, to library: TestLibrary) throws -> Bool {
    do {
      let outcome = try library.outcome(content) { $0.fileName = FileName("picture.jpg") }
      if case .failed(let error) = outcome { throw error }
      return true
    } catch let error as StoreError {
      #expect(error.code == .noSpace, "\(error.message)")
      return false
    }
  }
}
