import PhotoModel
import Testing

@testable import ImageCodecs

/// Files that are not in order: the fast path gives up wherever libjpeg-turbo would complain.
@Suite("Fast JPEG, damaged")
struct FastJPEGDamageTests {
  /// Files of a few hundred bytes, of every kind that the fast path takes.
  private static let small: [(name: String, file: [UInt8])] = {
    var recipes: [JPEGRecipe] = []
    for (index, sampling) in JPEGRecipe.samplings.enumerated() {
      var recipe = JPEGRecipe(width: 19 + index, height: 26, sampling: sampling)
      recipe.quality = [90, 20][index % 2]
      recipe.restartInterval = [0, 1, 2][index % 3]
      recipe.isOneScanPerComponent = index % 4 == 3
      recipe.isProgressive = index % 5 == 4
      recipes.append(recipe)
    }
    return recipes.compactMap { recipe in recipe.file().map { ("\(recipe)", $0) } }
  }()

  /// The offsets of marker segments up to the first scan's, by walking them.
  private static func segments(_ file: [UInt8]) -> [(marker: UInt8, range: Range<Int>)] {
    var result: [(UInt8, Range<Int>)] = []
    var position = 2
    while position + 4 <= file.count, file[position] == 0xFF {
      let end = position + 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
      result.append((file[position + 1], position..<end))
      if file[position + 1] == 0xDA { break }
      position = end
    }
    return result
  }

  /// Where the first scan's data begins.
  private static func dataStart(_ file: [UInt8]) throws -> Int {
    try #require(segments(file).last?.range.upperBound)
  }

  /// What is wrong with the answers at the three scales.
  private func faults(_ file: [UInt8], _ name: String, size: PixelSize? = nil) throws -> [String] {
    let oracle = JPEGOracle(file, mostBlocks: 1 << 16)
    guard let size = oracle.size ?? size ?? Self.size(file), !oracle.isTooLarge else { return [] }
    return try [1, 2, 4].compactMap { side in
      try fault(file, size: size, oracle: oracle, side: side, isTaken: false).map {
        "\(name), \(side): \($0)"
      }
    }
  }

  /// The size in the frame header.
  private static func size(_ file: [UInt8]) -> PixelSize? {
    guard
      let frame = segments(file).first(where: { (0xC0...0xC2).contains($0.marker) })?.range,
      frame.upperBound <= file.count
    else { return nil }
    let bytes = file[frame].dropFirst(5).prefix(4).map { Int($0) }
    guard bytes.count == 4 else { return nil }
    let size = PixelSize(width: bytes[2] << 8 | bytes[3], height: bytes[0] << 8 | bytes[1])
    return size.width * size.height <= 1 << 20 ? size : nil
  }

  @Test("A file that ends at any byte has no planes unless libjpeg-turbo misses nothing")
  func truncated() throws {
    var found: [String] = []
    for (name, file) in Self.small {
      let start = try Self.dataStart(file)
      let size = Self.size(file)
      for count in stride(from: start - 30, to: file.count, by: name.contains("4:4:4") ? 1 : 3) {
        found += try faults(Array(file[..<count]), "\(name) cut at \(count)", size: size)
      }
    }
    #expect(found == [])
  }

  @Test("A changed bit anywhere is answered as libjpeg-turbo answers it, or not at all")
  func flipped() throws {
    var found: [String] = []
    var random = SplitMix(3)
    for (name, file) in Self.small {
      let start = try Self.dataStart(file)
      for round in 0..<120 {
        var changed = file
        // Two thirds in the data, the others in the headers.
        let place =
          Int(random.next() % UInt64(round % 3 == 0 ? start : file.count - start))
          + (round % 3 == 0 ? 0 : start)
        changed[place] ^= 1 << UInt8(random.next() & 7)
        found += try faults(changed, "\(name) at \(place)")
      }
    }
    #expect(found == [])
  }

  @Test("Bytes put in or taken out of the data are answered as libjpeg-turbo answers them")
  func moved() throws {
    var found: [String] = []
    var random = SplitMix(4)
    for (name, file) in Self.small {
      let start = try Self.dataStart(file)
      for round in 0..<60 {
        var changed = file
        let place = start + Int(random.next() % UInt64(file.count - start))
        let values: [[UInt8]] = [
          [0xFF, 0xD0], [0xFF, 0xD9], [0xFF], [0], [0xFF, 0], [0xFF, 0xFE, 0, 2], [0xFF, 0xFF, 0],
          [0xFF, 0xDA], [0xFF, 0x01], [0xFF, 0xC4, 0, 2],
        ]
        if round % 6 == 5 {
          changed.remove(at: place)
        } else {
          changed.insert(contentsOf: values[round % values.count], at: place)
        }
        found += try faults(changed, "\(name) round \(round) at \(place)")
      }
    }
    #expect(found == [])
  }

  @Test("A restart marker with a wrong number, or none where one belongs, ends the fast path")
  func restarts() throws {
    for isProgressive in [false, true] {
      var recipe = JPEGRecipe(width: 60, height: 40)
      recipe.restartInterval = 1
      recipe.isProgressive = isProgressive
      let file = try #require(recipe.file())
      let size = PixelSize(width: 60, height: 40)
      #expect(try fastPlanes(file, size: size, side: 1) != nil)
      let start = try Self.dataStart(file)
      let markers = (start..<file.count - 1).filter {
        file[$0] == 0xFF && (0xD0...0xD7).contains(file[$0 + 1])
      }
      #expect(markers.count >= 11)
      for marker in markers.prefix(11) {
        var wrong = file
        wrong[marker + 1] = 0xD0 + (wrong[marker + 1] &+ 1) & 7
        #expect(try fastPlanes(wrong, size: size, side: 1) == nil, "number at \(marker)")
        var missing = file
        missing.removeSubrange(marker..<marker + 2)
        #expect(try fastPlanes(missing, size: size, side: 1) == nil, "none at \(marker)")
        var filled = file
        filled.insert(contentsOf: [0xFF, 0xFF], at: marker)
        #expect(try faults(filled, "filled at \(marker)") == [])
        #expect(try fastPlanes(filled, size: size, side: 1) != nil, "fill bytes at \(marker)")
      }
    }
  }

  @Test("A missing table ends the fast path")
  func tables() throws {
    for (name, file) in Self.small {
      for segment in Self.segments(file) where [0xC4, 0xDB].contains(segment.marker) {
        var changed = file
        changed.removeSubrange(segment.range)
        #expect(try faults(changed, "\(name) without \(segment)") == [])
        let size = try #require(Self.size(file))
        // libjpeg-turbo has the standard Huffman tables in store, which is another matter.
        #expect(try fastPlanes(changed, size: size, side: 1) == nil || segment.marker == 0xC4)
      }
    }
  }

  @Test("A code of only ones is refused, as libjpeg-turbo refuses it")
  func allOnes() throws {
    // One code of one bit more than there may be: "1" beside "0".
    let file = Self.grey(dc: ([2], [0, 1]), ac: ([1], [0]), bits: "0 0")
    #expect(JPEGOracle(file).complaint != nil)
    #expect(try faults(file, "all ones") == [])
  }

  @Test("A code that is in no table ends the fast path")
  func unknownCode() throws {
    for bits in ["110 0", "0 11111111", "0 10 1111"] {
      let file = Self.grey(dc: ([1, 1], [0, 1]), ac: ([1, 0, 1], [0, 1]), bits: bits)
      #expect(JPEGOracle(file).complaint != nil, "\(bits)")
      #expect(try faults(file, bits) == [], "\(bits)")
    }
  }

  @Test("Differences of 12 to 15 bits between DCs are read as libjpeg-turbo reads them")
  func largeDifferences() throws {
    for size in 12...15 {
      for sign in ["0", "1"] {
        // The category's code is "0", then its bits; the block ends with "0".
        let bits = "0 " + sign + String(repeating: "1001011", count: 3).prefix(size - 1) + " 0"
        let file = Self.grey(dc: ([1], [UInt8(size)]), ac: ([1], [0]), bits: bits, quantiser: 3)
        #expect(try faults(file, bits) == [], "\(size)")
        let planes = try fastPlanes(file, size: PixelSize(width: 8, height: 8), side: 1)
        #expect(planes != nil, "\(size)")
      }
    }
    let file = Self.grey(dc: ([1], [16]), ac: ([1], [0]), bits: "0 1111111111111111 0")
    #expect(try fastPlanes(file, size: PixelSize(width: 8, height: 8), side: 1) == nil)
  }

  @Test("Differences that add up to more than any number holds end the fast path")
  func overflow() throws {
    // libjpeg-turbo gives up where a DC does not fit in 32 bits: 65,538 times 32,767.
    let blocks = 65_540
    let (across, down) = (5_000, blocks / 5_000 + 1)
    for isProgressive in [false, true] {
      let bits = String(
        repeating: "0" + String(repeating: "1", count: 15) + (isProgressive ? "" : "0"),
        count: across * down)
      let file = Self.grey(
        dc: ([1], [15]), ac: ([1], [0]), bits: bits, width: across * 8, height: down * 8,
        isProgressive: isProgressive)
      let size = PixelSize(width: across * 8, height: down * 8)
      #expect(try fastPlanes(file, size: size, side: 1) == nil)
    }
  }

  @Test("Bytes between the data and the end marker, or no end marker, end the fast path")
  func ends() throws {
    for (name, file) in Self.small {
      let data = Array(file[..<(file.count - 2)])
      let size = try #require(Self.size(file))
      for (extra, isEnd): ([UInt8], Bool) in [
        ([0, 0xFF, 0xD9], true), ([0x55, 0xAA, 0xFF, 0xD9], true), ([0xFF, 0, 0xFF, 0xD9], true),
        ([0xFF, 0xFF, 0, 0xFF, 0xD9], true), ([], false), ([0xFF], false), ([0xFF, 0xFF], false),
      ] {
        #expect(try faults(data + extra, "\(name) \(extra)", size: size) == [])
        // The last scans of a progressive picture are stepped over, whatever they hold.
        if isEnd, name.contains("progressive") { continue }
        #expect(try fastPlanes(data + extra, size: size, side: 1) == nil, "\(name) \(extra)")
      }
      // Fill bytes may stand before a marker, a comment or, as some cameras write it, another restart marker
      // behind the last scan; what follows the end is
      // not looked at.
      for extra: [UInt8] in [
        [0xFF, 0xFF, 0xFF, 0xD9], [0xFF, 0xFE, 0, 4, 1, 2, 0xFF, 0xD9], [0xFF, 0xD9, 1, 2, 3],
        [0xFF, 0xD3, 0xFF, 0xD9],
      ] {
        #expect(try faults(data + extra, "\(name) \(extra)") == [])
        #expect(try fastPlanes(data + extra, size: size, side: 1) != nil, "\(name) \(extra)")
      }
    }
  }

  @Test("Stuffed zeros in long rows, or behind every other byte, are taken out")
  func stuffing() throws {
    // A block is one DC code, then 63 coefficients of 14 ones behind a code of three or two bits. Written
    // out they are longer than the smallest window, which so ends at each of its bytes.
    for code in ["110", "10"] {
      for lead in ["0", "10 1", "10 0"] {
        let block = lead + String(repeating: code + String(repeating: "1", count: 14), count: 63)
        let file = Self.grey(
          dc: ([1, 1], [0, 1]),
          ac: code == "10" ? ([1, 1], [0, 0x0E]) : ([1, 1, 1], [0, 1, 0x0E]),
          bits: String(repeating: block, count: 81), width: 72, height: 72)
        #expect(JPEGOracle(file).complaint == nil)
        #expect(try faults(file, "\(code), \(lead)") == [])
      }
    }
  }

  @Test("Fill bytes before any marker change nothing")
  func fillBytes() throws {
    for (name, file) in Self.small {
      let size = try #require(Self.size(file))
      let plain = try #require(try fastPlanes(file, size: size, side: 1), "\(name)")
      var filled = file
      for segment in Self.segments(file).reversed() {
        filled.insert(contentsOf: [0xFF, 0xFF, 0xFF], at: segment.range.lowerBound)
      }
      #expect(try faults(filled, name) == [])
      let planes = try #require(try fastPlanes(filled, size: size, side: 1), "\(name)")
      #expect(planes.map(\.samples) == plain.map(\.samples))
    }
  }

  @Test("A height that only the DNL marker tells gives the same planes; a wrong one gives none")
  func numberOfLines() throws {
    var recipe = JPEGRecipe(width: 40, height: 40)
    recipe.quality = 90
    let file = try #require(recipe.file())
    let size = PixelSize(width: 40, height: 40)
    let plain = try #require(try fastPlanes(file, size: size, side: 2))
    var open = file
    let frame = try #require(Self.segments(file).first { $0.marker == 0xC0 }?.range)
    open[frame.lowerBound + 5] = 0
    open[frame.lowerBound + 6] = 0
    for (lines, isRight) in [(40, true), (49, false), (16, false), (400, false)] {
      let marker: [UInt8] = [0xFF, 0xDC, 0, 4, UInt8(lines >> 8), UInt8(lines & 255)]
      let told = Array(open[..<(open.count - 2)]) + marker + [0xFF, 0xD9]
      let planes = try fastPlanes(
        told, size: PixelSize(width: 40, height: lines), side: 2)
      let samples = planes?.map { $0.samples }
      #expect(samples == (isRight ? plain.map(\.samples) : nil), "\(lines)")
    }
    // What DNL says is what counts, and libjpeg-turbo does not know it.
    let other = Array(open[..<(open.count - 2)]) + [0xFF, 0xDC, 0, 4, 0, 41, 0xFF, 0xD9]
    #expect(try fastPlanes(other, size: size, side: 2) == nil)
    #expect(try fastPlanes(open, size: size, side: 2) == nil)
  }

  @Test("Components that a scan header has in another order than the frame header are refused")
  func order() throws {
    let recipe = JPEGRecipe(sampling: JPEGRecipe.samplings[1])
    let file = try #require(recipe.file())
    let scan = try #require(Self.segments(file).last?.range.lowerBound)
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
      var changed = file
      for byte in 0...1 {
        changed.swapAt(scan + 5 + 2 * first + byte, scan + 5 + 2 * second + byte)
      }
      #expect(try faults(changed, "\(first) and \(second)") == [])
      #expect(try fastPlanes(changed, size: PixelSize(width: 24, height: 24), side: 1) == nil)
    }
  }

  @Test("A quantiser that changes behind a component's first scan does not change its samples")
  func changedQuantiser() throws {
    var recipe = JPEGRecipe(width: 24, height: 24)
    recipe.isProgressive = true
    let file = try #require(recipe.file())
    // Before each scan but the first, other quantisers of 8 bits.
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    for scan in scans.dropFirst() {
      var changed = file
      for table: UInt8 in [0, 1] {
        let quantisers: [UInt8] = [0xFF, 0xDB, 0, 67, table] + [UInt8](repeating: 99, count: 64)
        changed.insert(contentsOf: quantisers, at: scan)
      }
      #expect(try faults(changed, "before the scan at \(scan)") == [])
    }
  }

  @Test("The last scan of DCs counts, however it ends")
  func lastScanOfDCs() throws {
    // A progressive picture whose only scan has every bit of its DCs, cut short.
    let file = Self.grey(
      dc: ([0, 3], [0, 1, 2]), ac: ([1], [0]), bits: "10 11 10 10 11 01", width: 48, height: 8,
      isProgressive: true)
    #expect(JPEGOracle(file).complaint != nil)
    #expect(try faults(file, "cut", size: PixelSize(width: 48, height: 8)) == [])
  }

  @Test("Sums whose parts are far larger than samples are within one of the exact transform")
  func cancellation() throws {
    var found: [String] = []
    var random = SplitMix(5)
    for round in 0..<200 {
      var recipe = JPEGRecipe(width: 8, height: 8, sampling: JPEGRecipe.samplings[2])
      recipe.quantiser = [255, 32_767, 4_099][round % 3]
      var coefficients = [Int16](repeating: 0, count: 64)
      // In each row two that cancel out at some samples: 1.3066 and 0.5412 apart.
      let large = Int16.random(in: -1023...1023, using: &random)
      for row in 0..<4 {
        coefficients[row * 8] = Int16(random.next() % 3) - 1
        coefficients[row * 8 + 1] = large
        coefficients[row * 8 + 3] = Int16(Double(large) * [2.414, 0.4142][round % 2] / 2.5)
        coefficients[row * 8 + 2] = -coefficients[row * 8]
      }
      coefficients[Int(random.next() % 4)] = -large
      guard let file = recipe.file(coefficients: coefficients) else { continue }
      found += try faults(file, "round \(round)")
    }
    #expect(found == [])
  }

  /// A grey picture with codes and data by hand: `counts` of the lengths from 1 bit, and the symbols.
  static func grey(
    dc: (counts: [UInt8], symbols: [UInt8]), ac: (counts: [UInt8], symbols: [UInt8]),
    bits: String, width: Int = 8, height: Int = 8, quantiser: UInt8 = 8, isProgressive: Bool = false
  ) -> [UInt8] {
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
    }
    func table(_ kind: UInt8, _ code: (counts: [UInt8], symbols: [UInt8])) -> [UInt8] {
      let rest = [UInt8](repeating: 0, count: 16 - code.counts.count)
      return segment(0xC4, [kind] + code.counts + rest + code.symbols)
    }
    var file: [UInt8] = [0xFF, 0xD8]
    file += segment(0xDB, [0] + [UInt8](repeating: quantiser, count: 64))
    let size = [height >> 8, height & 255, width >> 8, width & 255].map { UInt8($0) }
    file += segment(isProgressive ? 0xC2 : 0xC0, [8] + size + [1, 1, 0x11, 0])
    file += table(0, dc) + table(0x10, ac)
    file += segment(0xDA, [1, 1, 0, 0, isProgressive ? 0 : 63, 0])
    var (byte, count) = (0, 0)
    func flush() {
      file.append(UInt8(byte))
      if byte == 0xFF { file.append(0) }
      (byte, count) = (0, 0)
    }
    for bit in bits.utf8 where bit != UInt8(ascii: " ") {
      byte = byte << 1 | Int(bit & 1)
      count += 1
      if count == 8 { flush() }
    }
    while count > 0 {
      byte = byte << 1 | 1
      count += 1
      if count == 8 { flush() }
    }
    return file + [0xFF, 0xD9]
  }
}
