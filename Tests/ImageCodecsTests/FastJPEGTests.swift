import PhotoModel
import Testing

@testable import ImageCodecs

/// The fast path against libjpeg-turbo, on pictures that libjpeg-turbo made.
@Suite("Fast JPEG")
struct FastJPEGTests {
  private func faults(_ recipe: JPEGRecipe, _ sides: [(Int, Int)]) throws -> [String] {
    let file = try #require(recipe.file(), "\(recipe)")
    return try faults(file, "\(recipe)", sides)
  }

  private func faults(
    _ file: [UInt8], _ name: String, _ sides: [(Int, Int)]
  ) throws -> [String] {
    let oracle = JPEGOracle(file)
    guard let size = oracle.size else { return ["\(name): \(oracle.complaint ?? "no picture")"] }
    if let complaint = oracle.complaint { return ["\(name): \(complaint)"] }
    return try sides.compactMap { side, chromaSide in
      try fault(
        file, size: size, oracle: oracle, side: side, chromaSide: chromaSide, isTaken: true
      ).map { "\(name), \(side) and \(chromaSide): \($0)" }
    }
  }

  private static let allSides = [(1, 1), (2, 2), (4, 4), (1, 2), (2, 4), (1, 4)]

  @Test("Pictures of every size from 1x1 to 40x40 have the planes that libjpeg-turbo has")
  func sizes() throws {
    var found: [String] = []
    var index = 0
    for height in 1...40 {
      for width in 1...40 {
        index += 1
        var recipe = JPEGRecipe(width: width, height: height)
        recipe.sampling = JPEGRecipe.samplings[index % JPEGRecipe.samplings.count]
        recipe.restartInterval = [0, 1, 2, 3, 7, -1][index % 6]
        recipe.content = JPEGRecipe.Content.allCases[index % 4]
        recipe.quality = [100, 1, 75, 100, 30][index % 5]
        recipe.isOneScanPerComponent = index % 7 < 3 && recipe.components > 1
        recipe.isProgressive = index % 7 == 4
        // Codes made to measure need tables of their own, which take time in a debug build.
        recipe.isOptimised = index % 29 == 0
        recipe.isRGB = index % 13 == 1 && recipe.components == 3
        recipe.seed = UInt64(index)
        let sides = Self.allSides[1...]
        found += try faults(
          recipe,
          recipe.isProgressive ? [(1, 1)] : [(1, 1), sides[1 + index % sides.count]])
      }
    }
    #expect(found == [])
  }

  @Test("Every sampling has its planes with every restart interval, at every scale")
  func samplings() throws {
    var found: [String] = []
    for sampling in JPEGRecipe.samplings {
      for restart in [0, 1, 2, 3, 7, -1] {
        for isOneScan in sampling.horizontal.count > 1 ? [false, true] : [false] {
          var recipe = JPEGRecipe(width: 37, height: 35, sampling: sampling)
          recipe.quality = 100
          recipe.restartInterval = restart
          recipe.isOneScanPerComponent = isOneScan
          found += try faults(recipe, Self.allSides)
        }
        var recipe = JPEGRecipe(width: 37, height: 35, sampling: sampling)
        recipe.isProgressive = true
        recipe.restartInterval = restart
        found += try faults(recipe, [(1, 1)])
      }
    }
    #expect(found == [])
  }

  @Test("Codes made to measure, whatever the picture is like, are decoded")
  func optimised() throws {
    var found: [String] = []
    for content in JPEGRecipe.Content.allCases {
      for quality in [1, 50, 100] {
        var recipe = JPEGRecipe(width: 83, height: 61)
        recipe.content = content
        recipe.quality = quality
        recipe.isOptimised = true
        found += try faults(recipe, quality == 100 ? Self.allSides : [(1, 1), (4, 4)])
      }
    }
    #expect(found == [])
  }

  @Test("Blocks whose coefficients are as large as codes can tell are decoded")
  func largestCoefficients() throws {
    var found: [String] = []
    var random = SplitMix(7)
    for (index, sampling) in JPEGRecipe.samplings.enumerated() {
      for quantiser in [1, 3, 255, 32_767] {
        var recipe = JPEGRecipe(width: 33, height: 26, sampling: sampling)
        recipe.quantiser = quantiser
        recipe.restartInterval = [0, 3][index % 2]
        let count = (0..<recipe.components).reduce(0) {
          $0 + sampling.blocks($1, width: recipe.width, height: recipe.height)
        }
        // libjpeg-turbo writes 10 bits of a coefficient, and 11 of a difference between DCs.
        let coefficients = (0..<count * 64).map { _ in
          Int16.random(in: -1023...1023, using: &random)
        }
        let file = try #require(recipe.file(coefficients: coefficients))
        found += try faults(file, "\(recipe) quantiser \(quantiser)", Self.allSides)
      }
    }
    #expect(found == [])
  }

  @Test("Few coefficients at any place of a block are found, and the blocks behind them")
  func sparse() throws {
    var found: [String] = []
    var random = SplitMix(11)
    for likely in [2, 8, 40, 200] {
      var recipe = JPEGRecipe(width: 160, height: 120)
      recipe.quantiser = 5
      let count = (0..<3).reduce(0) {
        $0 + recipe.sampling.blocks($1, width: recipe.width, height: recipe.height)
      }
      let coefficients = (0..<count * 64).map { _ -> Int16 in
        guard random.next() % UInt64(likely) == 0 else { return 0 }
        return Int16.random(in: -1023...1023, using: &random)
          >> Int16.random(in: 0...9, using: &random)
      }
      let file = try #require(recipe.file(coefficients: coefficients))
      found += try faults(file, "one of \(likely)", Self.allSides)
    }
    // Every single place, the last one in zigzag order with it: its block has no end code.
    for place in 0..<64 {
      var recipe = JPEGRecipe(width: 16, height: 8, sampling: JPEGRecipe.samplings[2])
      recipe.quantiser = 2
      var coefficients = [Int16](repeating: 0, count: 128)
      coefficients[place] = 77
      coefficients[64 + (place * 7) % 64] = -300
      let file = try #require(recipe.file(coefficients: coefficients))
      found += try faults(file, "place \(place)", [(1, 1), (2, 2), (4, 4)])
    }
    #expect(found == [])
  }

  @Test("Quantisers of 16 bits are used as they are")
  func wideQuantisers() throws {
    var recipe = JPEGRecipe(width: 50, height: 50)
    recipe.quality = 1
    recipe.content = .extremes
    let file = try #require(recipe.file())
    let tables = try #require(
      file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xDB })
    #expect(file[tables + 4] >> 4 == 1)
    #expect(try faults(file, "wide", Self.allSides) == [])
  }

  @Test("Pictures of many segments have the planes that libjpeg-turbo has, whatever they show")
  func segments() throws {
    var found: [String] = []
    for (index, content) in JPEGRecipe.Content.allCases.enumerated() {
      for quality in [20, 95] {
        var recipe = JPEGRecipe(width: 701, height: 517)
        recipe.sampling = JPEGRecipe.samplings[(index + quality) % 6]
        recipe.content = content
        recipe.quality = quality
        found += try faults(recipe, [(1, 1), (2, 4)])
        recipe.restartInterval = 97
        found += try faults(recipe, [(1, 2)])
      }
    }
    #expect(found == [])
  }

  @Test("A walk that never falls into step with the true one changes nothing")
  func outOfStep() throws {
    // All units have the same bits, so one who starts anywhere but at a unit's beginning may read on for
    // ever in another rhythm.
    var recipe = JPEGRecipe(width: 640, height: 480)
    recipe.quantiser = 7
    let count = (0..<3).reduce(0) {
      $0 + recipe.sampling.blocks($1, width: recipe.width, height: recipe.height)
    }
    for level: Int16 in [0, 1, -1] {
      let coefficients = (0..<count * 64).map { $0 % 64 == 1 ? level : 0 }
      let file = try #require(recipe.file(coefficients: coefficients))
      #expect(try faults(file, "level \(level)", [(1, 1), (2, 2)]) == [])
    }
  }

  @Test("However short the restart intervals are, the caller is asked once for each row of units")
  func checkpoints() throws {
    for interval in [0, 1, 3, 8, 20] {
      var recipe = JPEGRecipe(width: 64, height: 80)
      recipe.sampling = JPEGRecipe.samplings[2]
      recipe.restartInterval = interval
      let file = try #require(recipe.file())
      var asked = 0
      let planes = try FastJPEGDecoder(limits: DecodeLimits(), segments: .tiny).planes(
        file, size: PixelSize(width: 64, height: 80), samplesPerBlock: { _, _ in 1 },
        checkpoint: { () throws(CodecError) in asked += 1 })
      #expect(planes != nil)
      // Ten rows of eight units; units that are found at the same time are asked for together.
      #expect(interval == 0 ? (1...10).contains(asked) : asked <= 10, "interval \(interval)")
      #expect(asked >= (interval == 0 ? 1 : min(10, 80 / interval)), "interval \(interval)")
    }
  }

  @Test("An arithmetic picture is left to libjpeg-turbo")
  func arithmetic() throws {
    for isProgressive in [false, true] {
      var recipe = JPEGRecipe()
      recipe.isArithmetic = true
      recipe.isProgressive = isProgressive
      let file = try #require(recipe.file())
      let size = try #require(JPEGOracle(file).size)
      #expect(try fastPlanes(file, size: size, side: 1) == nil)
    }
  }

  @Test("A progressive picture is taken at 1/8 only")
  func progressiveScales() throws {
    var recipe = JPEGRecipe()
    recipe.isProgressive = true
    let file = try #require(recipe.file())
    for side in [2, 4] {
      #expect(try fastPlanes(file, size: PixelSize(width: 24, height: 24), side: side) == nil)
    }
    #expect(try fastPlanes(file, size: PixelSize(width: 24, height: 24), side: 1) != nil)
  }

  @Test("A picture of another size than its container says is not taken")
  func otherSize() throws {
    let file = try #require(JPEGRecipe().file())
    for size in [(23, 24), (24, 25), (0, 24), (24, 0)] {
      #expect(
        try fastPlanes(file, size: PixelSize(width: size.0, height: size.1), side: 1) == nil)
    }
  }
}
