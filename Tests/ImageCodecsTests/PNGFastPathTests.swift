import Foundation
import ImageContainer
import PhotoModel
import Testing

@testable import ImageCodecs

/// libpng is the other opinion: of the same file both paths give the same bytes.
@Suite("Fast PNG path")
struct PNGFastPathTests {
  private static let limits = DecodeLimits()

  private func size(of file: [UInt8]) throws -> PixelSize {
    try ImageStructure.scanHeaders(MemoryByteSource(file)).codedSize
  }

  private func fast(_ file: [UInt8], _ recipe: ThumbnailRecipe) throws -> ReducedPicture? {
    try PNGFastDecoder(limits: Self.limits).reduce(
      file, Reduction(stored: size(of: file), orientation: .up, recipe: recipe), checkpoint: {})
  }

  private func reference(_ file: [UInt8], _ recipe: ThumbnailRecipe) throws -> ReducedPicture {
    try PNGReferenceDecoder(limits: Self.limits).reduce(
      file, Reduction(stored: size(of: file), orientation: .up, recipe: recipe), checkpoint: {})
  }

  /// What is different, or nil.
  private func difference(_ file: [UInt8], _ recipe: ThumbnailRecipe) throws -> String? {
    guard let fast = try fast(file, recipe) else { return "not taken" }
    let reference = try reference(file, recipe)
    if fast.size != reference.size { return "size" }
    if fast.channels != reference.channels { return "\(fast.channels) channels" }
    if fast.profile != reference.profile { return "profile" }
    if reference.warning != nil || !reference.isComplete { return "a warning" }
    return fast.bytes == reference.bytes ? nil : "pixels"
  }

  @Test("Every kind, size and filter gives libpng's pixels", arguments: [false, true])
  func everyKind(_ isInterlaced: Bool) throws {
    var random = FixedRandom(isInterlaced ? 2 : 1)
    var different: [String] = []
    for (type, _, depths) in PNGBytes.kinds {
      for depth in depths {
        for round in 0..<30 {
          // All the small sizes at which rows end within a group, and some larger ones.
          let width = round < 20 ? round + 1 : Int.random(in: 1...40, using: &random)
          let height = Int.random(in: 1...40, using: &random)
          var png = PNGBytes.random(
            width, height, type: type, depth: depth, isInterlaced: isInterlaced,
            hasTransparency: round % 2 == 1, using: &random)
          png.dataChunk = [0, 1, 7, 100][round % 4]
          let file = png.file()
          for recipe in [ThumbnailRecipe.fit(64, 64), .fill(max(1, width / 3), max(1, height / 2))]
          {
            if let what = try difference(file, recipe) {
              different.append("\(type)/\(depth) \(width)x\(height): \(what)")
            }
          }
        }
      }
    }
    #expect(different.prefix(20) == [])
  }

  @Test(
    "Rows of one filter, and each filter between Paeth rows, give libpng's pixels",
    arguments: [0, 1, 2, 3, 4] as [UInt8])
  func filters(_ filter: UInt8) throws {
    var random = FixedRandom(UInt64(filter) + 10)
    for (type, _, depths) in PNGBytes.kinds {
      for depth in depths {
        for width in [1, 2, 3, 4, 5, 17, 101] {
          for filters in [[filter], [filter, 4, 4], [filter, 3]] {
            let file = PNGBytes.random(
              width, 37, type: type, depth: depth, filters: filters, using: &random
            ).file()
            #expect(try difference(file, .fit(128, 128)) == nil, "\(type)/\(depth) \(width)")
          }
        }
      }
    }
  }

  @Test("Every value of 16 bits becomes libpng's 8 bits")
  func sixteenBits() throws {
    var png = PNGBytes(
      width: 256, height: 256,
      rows: (0..<256).map { high in (0..<256).flatMap { [UInt8(high), UInt8($0)] } })
    (png.colourType, png.depth) = (0, 16)
    #expect(try difference(png.file(), .fit(256, 256)) == nil)
  }

  @Test("Every colour and alpha over white is libpng's with the reference's flattening")
  func alpha() throws {
    var png = PNGBytes(
      width: 256, height: 256,
      rows: (0..<256).map { alpha in (0..<256).flatMap { [UInt8($0), UInt8(alpha)] } })
    png.colourType = 4
    #expect(try difference(png.file(), .fit(256, 256)) == nil)
  }

  @Test("A picture large enough for whole bands gives libpng's thumbnail", arguments: [2, 6, 0, 3])
  func large(_ type: Int) throws {
    var random = FixedRandom(77)
    let file = PNGBytes.random(301, 123, type: type, depth: 8, using: &random).file()
    for recipe in [ThumbnailRecipe.fit(100, 100), .fill(90, 90), .fit(301, 70)] {
      #expect(try difference(file, recipe) == nil)
    }
  }

  @Test("An ICC profile is handed on")
  func profile() throws {
    var png = PNGBytes.rgb(3, 3) { _, _ in [1, 2, 3] }
    png.profile = ICCBytes.redAndBlueSwapped()
    #expect(try difference(png.file(), .fit(3, 3)) == nil)
    #expect(try fast(png.file(), .fit(3, 3))?.profile == ICCBytes.redAndBlueSwapped())
  }

  /// The chunks between signature and end.
  private func chunks(_ file: [UInt8]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var position = 8
    while position < file.count {
      let length = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      result.append(Array(file[position..<position + 12 + length]))
      position += 12 + length
    }
    return result
  }

  @Test("A wrong bit anywhere in a file is never taken")
  func flippedBits() throws {
    var random = FixedRandom(5)
    let file = PNGBytes.random(9, 7, type: 2, depth: 8, using: &random).file()
    for index in file.indices {
      var damaged = file
      damaged[index] ^= 1 << (index % 8)
      guard (try? size(of: damaged)) == PixelSize(width: 9, height: 7) else { continue }
      #expect(try fast(damaged, .fit(9, 7)) == nil, "byte \(index)")
    }
  }

  @Test("A file cut anywhere is never taken")
  func cut() throws {
    var random = FixedRandom(6)
    let file = PNGBytes.random(9, 7, type: 6, depth: 8, using: &random).file()
    for count in 33..<file.count {
      #expect(try fast(Array(file.prefix(count)), .fit(9, 7)) == nil)
    }
  }

  @Test("Faults under right CRCs are never taken: Adler-32, too little, too much, a fifth filter")
  func faultyStreams() throws {
    let png = PNGBytes.rgb(4, 4) { _, _ in [1, 2, 3] }
    let parts = chunks(png.file())
    let data = Array(parts[1].dropFirst(8).dropLast(4))
    func file(_ streams: [[UInt8]]) -> [UInt8] {
      Array(png.file().prefix(8)) + parts[0] + streams.flatMap { PNGBytes.chunk("IDAT", $0) }
        + parts[2]
    }
    #expect(try fast(file([data]), .fit(4, 4)) != nil)
    var wrongSum = data
    wrongSum[wrongSum.count - 1] ^= 1
    #expect(try fast(file([wrongSum]), .fit(4, 4)) == nil)
    #expect(try fast(file([data.dropLast(1)]), .fit(4, 4)) == nil)
    #expect(try fast(file([data + [0]]), .fit(4, 4)) == nil)
    #expect(try fast(file([data, [0]]), .fit(4, 4)) == nil)
    #expect(try fast(file([data, []]), .fit(4, 4)) != nil)
    for rows in [3, 5] {
      let lines = (0..<rows).flatMap { _ in [0] + [UInt8](repeating: 7, count: 12) }
      #expect(try fast(file([PNGBytes.zlib(lines)]), .fit(4, 4)) == nil)
    }
    var filtered = png
    filtered.filters = [0, 0, 5, 0]
    #expect(try fast(filtered.file(), .fit(4, 4)) == nil)
  }

  @Test("Chunks out of order, doubled, or of a wrong length are never taken")
  func chunkFaults() throws {
    var png = PNGBytes(width: 4, height: 1, rows: [[0b0001_1011]])
    (png.colourType, png.depth) = (3, 2)
    png.palette = [255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30]
    png.transparency = [255, 0, 127]
    let file = png.file()
    let signature = Array(file.prefix(8))
    let parts = chunks(file)  // IHDR, PLTE, tRNS, IDAT, IEND
    func taken(_ chunks: [[UInt8]]) throws -> Bool {
      try fast(signature + chunks.flatMap { $0 }, .fit(4, 4)) != nil
    }
    let text = PNGBytes.chunk("tEXt", Array("k\0v".utf8))
    #expect(try taken(parts))
    #expect(try taken([parts[0], text, parts[1], parts[2], text, parts[3], text, parts[4]]))
    for order in [
      [0, 2, 1, 3, 4], [0, 1, 3, 2, 4], [0, 3, 1, 2, 4], [0, 1, 1, 2, 3, 4], [0, 1, 2, 2, 3, 4],
      [0, 0, 1, 2, 3, 4], [0, 2, 3, 4], [0, 1, 2, 4], [0, 1, 2, 3], [0, 1, 2, 3, 1, 4],
    ] {
      #expect(try !taken(order.map { parts[$0] }), "\(order)")
    }
    #expect(try !taken([parts[0], parts[1], parts[2], parts[3], text, parts[3], parts[4]]))
    for bad in [
      PNGBytes.chunk("PLTE", [1, 2, 3, 4]), PNGBytes.chunk("PLTE", []),
      PNGBytes.chunk("PLTE", [UInt8](repeating: 1, count: 15)),
    ] {
      #expect(try !taken([parts[0], bad, parts[3], parts[4]]))
    }
    let unknown = PNGBytes.chunk("ABCD", [])
    #expect(try !taken([parts[0], unknown, parts[1], parts[3], parts[4]]))
    #expect(
      try !taken([parts[0], parts[1], PNGBytes.chunk("tRNS", [1, 2, 3, 4, 5]), parts[3], parts[4]]))
  }

  @Test("An index that the palette does not have is the reference path's to judge")
  func unknownIndex() throws {
    var png = PNGBytes(width: 4, height: 1, rows: [[0b0001_1011]])
    (png.colourType, png.depth) = (3, 2)
    png.palette = [255, 0, 0, 0, 255, 0, 0, 0, 255]
    #expect(try fast(png.file(), .fit(4, 4)) == nil)
    png.rows = [[0b0001_1000]]
    #expect(try difference(png.file(), .fit(4, 4)) == nil)
  }

  @Test("An interlaced picture is read up to the pass that leaves two points for a pixel")
  func passes() throws {
    func step(_ side: Int) -> Int {
      PNGInterlaceGrid(
        Reduction(
          stored: PixelSize(width: side, height: side), orientation: .up, recipe: .fit(100, 100))
      ).step
    }
    #expect([100, 399, 400, 799, 800, 1599, 1600].map(step) == [1, 1, 2, 2, 4, 4, 8])
  }

  @Test("A ramp from the first passes stays where it is in the whole picture")
  func interlacedRamp() throws {
    // 256x256, x as value: of 32 pixels each stands for 8 columns, of mean 8n + 3.5.
    let side = 256
    var png = PNGBytes(width: side, height: side, rows: [])
    (png.colourType, png.isInterlaced) = (0, true)
    for pass in PNGPass.all {
      for _ in stride(from: pass.row, to: side, by: pass.down) {
        png.rows.append(stride(from: pass.column, to: side, by: pass.across).map { UInt8($0) })
      }
    }
    for target in [16, 32, 64] {
      let picture = try #require(try fast(png.file(), .fit(target, target)))
      let factor = side / target
      for x in 4..<target - 4 {
        let expected = Double(x * factor) + Double(factor - 1) / 2
        #expect(abs(Double(picture.bytes[x]) - expected) <= 1, "\(target): \(x)")
      }
    }
  }

  private static let corpus = ProcessInfo.processInfo.environment["PHOTOLIB_CORPUS"]

  @Test(
    "Files of others: what is taken is libpng's to the bit, and of PngSuite all that is right",
    .enabled(if: corpus != nil))
  func corpusFiles() throws {
    let folder = URL(filePath: try #require(Self.corpus))
    var counts = (taken: 0, left: 0)
    var different: [String] = []
    for name in ["pngsuite", "png-corner", "png-imagetestsuite", "fuzz-png", "colour-icc"] {
      let place = folder.appending(path: name)
      for file in try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() {
        let bytes = Array(try Data(contentsOf: place.appending(path: file)))
        guard let size = try? size(of: bytes), size.pixelCount < 100_000 else { continue }
        // No larger than the grid needs, so that interlaced pictures are read in full.
        let recipe = ThumbnailRecipe.fit((size.width + 2) / 3, (size.height + 2) / 3)
        guard try fast(bytes, recipe) != nil else {
          counts.left += 1
          // The files of PngSuite that begin with x are broken on purpose.
          if name == "pngsuite", !file.hasPrefix("x") { different.append("\(file): not taken") }
          continue
        }
        counts.taken += 1
        do {
          if let what = try difference(bytes, recipe) {
            different.append("\(name)/\(file): \(what)")
          }
        } catch {
          different.append("\(name)/\(file): \(error)")
        }
      }
    }
    print("fast PNG path: \(counts.taken) files taken, \(counts.left) left to libpng")
    #expect(different == [])
    #expect(counts.taken > 200)
  }
}
