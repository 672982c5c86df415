import ImageCodecs
import ImageContainer
import PhotoModel
import Synchronization
import Testing

@Suite("Limits and cancellation", .timeLimit(.minutes(5)))
struct LimitTests {
  private let decoder = ThumbnailDecoder(budget: DecodeBudget())

  private func need(
    _ file: [UInt8], recipe: ThumbnailRecipe = ThumbnailRecipe()
  ) throws -> Int {
    try decoder.requiredMemory(
      try ImageStructure.scanHeaders(MemoryByteSource(file)), fileSize: file.count, recipe: recipe)
  }

  @Test("A tiny file that declares a huge picture is refused from its header")
  func hugeDeclaration() throws {
    var png = PNGBytes(width: 225_000, height: 225_000, rows: [[0]])
    png.colourType = 0
    #expect(throws: CodecError.overLimit("225000x225000 pixels; a side may have 65500")) {
      try decode(png.file())
    }
    png.width = 30_000
    png.height = 30_000
    #expect(
      throws: CodecError.overLimit("30000x30000 are 900000000 pixels; 300000000 are allowed")
    ) { try decode(png.file()) }
  }

  @Test("Progressive and damaged interlaced pictures are charged in full, streaming ones are not")
  func charges() throws {
    var png = PNGBytes(width: 10_000, height: 10_000, rows: [[0]])
    #expect(try need(png.file()) < 8 << 20)
    png.isInterlaced = true
    // Of an interlaced one the points that 256 pixels need, every eighth of both axes; what is not
    // whole, as this one, falls to libpng, which needs all of it.
    #expect(try need(png.file()) < 16 << 20)
    let error = #expect(throws: CodecError.self) { try decode(png.file()) }
    guard case .overLimit(let text) = error else {
      Issue.record("not refused")
      return
    }
    #expect(text.contains("268435456"))

    var jpeg = JPEGBytes(across: 1, down: 1, components: 3) { _, _, _ in 128 }
    (jpeg.declaredWidth, jpeg.declaredHeight) = (8000, 6000)
    // At 1/8 three planes of 1000x750 samples of two bytes; the coefficients of a progressive one beside.
    #expect(try need(jpeg.file()) < 12 << 20)
    jpeg.isProgressive = true
    #expect(try need(jpeg.file()) < 18 << 20)
    // What is not whole, as this one, falls to libjpeg-turbo: 48 million pixels, three components, two
    // bytes each.
    let refusal = #expect(throws: CodecError.self) { try decode(jpeg.file()) }
    guard case .overLimit = refusal else {
      Issue.record("not refused")
      return
    }
    // So does a progressive one for a target that needs more than its means.
    #expect(try need(jpeg.file(), recipe: .fit(2000, 2000)) >= 288_000_000)
    jpeg.isProgressive = false
    jpeg.isInterleaved = false
    #expect(try need(jpeg.file()) < 12 << 20)
  }

  @Test("CPU time is bounded")
  func cpuTime() {
    var limits = DecodeLimits()
    limits.cpuSeconds = 0
    let file = PNGBytes.rgb(4, 4) { _, _ in [1, 2, 3] }.file()
    #expect(throws: CodecError.overLimit("took 0 s of CPU time; a picture may use 0")) {
      try decode(file, limits: limits)
    }
  }

  @Test("Cancelling stops a decode, asked at least once for every 16 rows")
  func cancelled() throws {
    let png = PNGBytes.rgb(4, 400) { _, _ in [1, 2, 3] }.file()
    let jpeg = JPEGBytes(across: 1, down: 50, components: 1) { _, _, _ in 7 }.file()
    for file in [png, jpeg] {
      let asked = Atomic(0)
      _ = try decode(
        file, recipe: .fit(400, 400),
        isCancelled: {
          asked.add(1, ordering: .relaxed)
          return false
        })
      #expect(asked.load(ordering: .relaxed) >= 400 / 16)

      for stop in [1, 2, 10] {
        let count = Atomic(0)
        #expect(throws: CodecError.cancelled) {
          try decode(
            file, recipe: .fit(400, 400),
            isCancelled: { count.add(1, ordering: .relaxed).newValue >= stop })
        }
        #expect(count.load(ordering: .relaxed) == stop)
      }
    }
  }

  /// A file of which the last bytes vanished after its size was taken.
  private struct ShrinkingSource: ByteSource {
    let bytes: [UInt8]
    let missing: Int
    var count: Int { bytes.count }
    func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
      try MemoryByteSource(Array(bytes.dropLast(missing))).read(at: offset, count: count)
    }
  }

  private struct FailingSource: ByteSource {
    let count = 1000
    func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
      throw ByteSourceError(message: "Input/output error")
    }
  }

  @Test("A file that shrinks or fails under the reader is an error or a warning")
  func changingFile() throws {
    let file = PNGBytes.rgb(80, 80) { _, _ in [90, 90, 90] }.file()
    let structure = try ImageStructure.scan(MemoryByteSource(file))
    let picture = try decoder.decode(
      ShrinkingSource(bytes: file, missing: 2000), structure: structure, orientation: .up,
      recipe: ThumbnailRecipe(), isCancelled: { false })
    #expect(!picture.isComplete && picture.warning != nil)
    #expect(
      try decoder.missingRows(ShrinkingSource(bytes: file, missing: 1), structure: structure)
        == "the file became shorter while it was read")
    #expect(throws: CodecError.damaged("could not be read: Input/output error")) {
      try decoder.decode(
        FailingSource(), structure: structure, orientation: .up, recipe: ThumbnailRecipe(),
        isCancelled: { false })
    }
  }
}
