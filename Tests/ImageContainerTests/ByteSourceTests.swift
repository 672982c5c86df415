import FoundationEssentials
import Glibc
import ImageContainer
import Testing

@Suite("Byte sources")
struct ByteSourceTests {
  @Test("reading past the end gives what is there, out of range nothing")
  func memory() throws {
    let source = MemoryByteSource([1, 2, 3])
    #expect(try source.read(at: 1, count: 10) == [2, 3])
    #expect(try source.read(at: 0, count: .max) == [1, 2, 3])
    #expect(try source.read(at: 2, count: 1) == [3])
    #expect(try source.read(at: 3, count: 1) == [])
    #expect(try source.read(at: .max, count: .max) == [])
    #expect(try source.read(at: -1, count: 2) == [])
    #expect(try source.read(at: 0, count: -1) == [])
  }

  @Test("a file is read at any place, and its position does not move")
  func file() throws {
    let path = FileManager.default.temporaryDirectory.path + "/photolib-\(UUID().uuidString)"
    #expect(FileManager.default.createFile(atPath: path, contents: Data([10, 11, 12, 13])))
    defer { _ = unsafe unlink(path) }
    let descriptor = unsafe open(path, O_RDONLY)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let source = try FileByteSource(descriptor: descriptor)
    #expect(source.count == 4)
    #expect(try source.read(at: 2, count: 100) == [12, 13])
    #expect(try source.read(at: 0, count: 2) == [10, 11])
    #expect(try source.read(at: 4, count: 1) == [])
    var bytes: [UInt8] = [9]
    try source.read(at: 1, count: 2, appendingTo: &bytes)
    #expect(bytes == [9, 11, 12])
    try source.read(at: 3, count: .max, appendingTo: &bytes)
    try source.read(at: 4, count: 1, appendingTo: &bytes)
    try source.read(at: -1, count: 1, appendingTo: &bytes)
    #expect(bytes == [9, 11, 12, 13])
    #expect(lseek(descriptor, 0, SEEK_CUR) == 0)
    // The file shrinks: fewer bytes, no failure.
    let shrunk = unsafe truncate(path, 3)
    #expect(shrunk == 0)
    #expect(try source.read(at: 2, count: 100) == [12])
  }

  @Test("a descriptor that is none fails with the system's words")
  func closed() {
    #expect(throws: ByteSourceError(message: "fstat: Bad file descriptor")) {
      try FileByteSource(descriptor: -1)
    }
  }
}
