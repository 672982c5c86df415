import Testing

@testable import ImageCodecs

@Suite("Buffers for files")
struct FileBuffersTests {
  private func address(_ bytes: [UInt8]) -> UInt {
    unsafe bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }

  @Test("A buffer that was given back is lent again, empty, for a file of about the size")
  func reused() {
    let buffers = FileBuffers()
    var bytes = buffers.take(2_900_000)
    bytes.append(7)
    let place = address(bytes)
    buffers.give(&bytes)
    #expect(bytes.isEmpty)
    for count in [3_000_000, 100, 3_100_000] {
      var bytes = buffers.take(count)
      #expect(bytes.isEmpty)
      bytes += [UInt8](repeating: 1, count: count)
      #expect(address(bytes) == place)
      buffers.give(&bytes)
    }
  }

  @Test(
    "What is idle is bounded, by bytes and by number, and a larger one takes a smaller one's place")
  func bounded() {
    let buffers = FileBuffers()
    var lent = (0..<40).map { buffers.take($0 % 2 == 0 ? 5_000_000 : 1_000) }
    for index in lent.indices { buffers.give(&lent[index]) }
    #expect((1...FileBuffers.keptBytes).contains(buffers.idleBytes))
    var large = buffers.take(FileBuffers.keptBytes + 1)
    buffers.give(&large)
    #expect(buffers.idleBytes <= FileBuffers.keptBytes)
    let small = FileBuffers()
    for count in [1_000_000, 4_000_000, 9_000_000, 15_000_000] {
      var bytes = small.take(count)
      #expect(bytes.capacity >= count)
      small.give(&bytes)
      #expect(small.idleBytes < count + 2_000_000)
    }
  }
}
