import ImageCodecs
import ImageContainer
import PhotoLibrary
import PhotoLibraryTesting
import Testing

@Suite("Thumbnails")
struct ThumbnailTests {
  /// The colours in the middle of the four quarters, top left first, row by row.
  private func quarters(_ thumbnail: Thumbnail) throws -> [[Int]] {
    let source = MemoryByteSource(thumbnail.data)
    let pixels = try ThumbnailDecoder(budget: DecodeBudget()).decode(
      source, structure: try ImageStructure.scanHeaders(source), orientation: .up,
      recipe: ThumbnailRecipe(size: PixelSize(width: 8192, height: 8192), encoding: .png),
      isCancelled: { false }
    ).pixels
    #expect(pixels.size == thumbnail.size)
    let size = pixels.size
    return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
      let place = (size.height * y / 4 * size.width + size.width * x / 4) * 3
      return pixels.bytes[place..<place + 3].map(Int.init)
    }
  }

  private func isClose(_ first: [[Int]], _ second: [[Int]]) -> Bool {
    zip(first.joined(), second.joined()).allSatisfy { abs($0 - $1) <= 12 }
  }

  /// What TestPicture says its quarters are.
  private let expected = [[220, 40, 40], [40, 180, 60], [40, 60, 210], [230, 210, 40]]

  @Test("Row 120: All eight orientations come out upright", arguments: Orientation.allCases)
  func orientations(_ orientation: Orientation) async throws {
    let temporary = try TemporaryLibrary()
    for format in ImageFormat.allCases {
      var picture = TestPicture(
        date: "2024-01-01 12:00:00Z", size: PixelSize(width: 480, height: 320), format: format)
      picture.orientation = orientation
      let id = try await temporary.add(picture)[0]
      let asset = try temporary.library.owner.asset(id)
      #expect(asset.pixelSize == picture.size)
      #expect(asset.orientation == orientation)
      let thumbnail = try await temporary.library.owner.thumbnail(
        for: id, recipe: ThumbnailRecipe(size: PixelSize(width: 96, height: 96)))
      #expect(thumbnail.size == PixelSize(width: 96, height: 64))
      let colours = try quarters(thumbnail)
      #expect(isClose(colours, expected), "\(format) \(orientation): \(colours)")
    }
  }

  @Test(
    "Rows 115, 116 and 118: A thumbnail is never larger than its picture, and fill crops evenly")
  func geometry() async throws {
    let temporary = try TemporaryLibrary()
    let id = try await temporary.add(
      TestPicture(date: "2024-01-01 12:00:00Z", size: PixelSize(width: 120, height: 60)))[0]
    let owner = temporary.library.owner
    func size(_ width: Int, _ height: Int, _ mode: ContentMode) async throws -> PixelSize {
      try await owner.thumbnail(
        for: id,
        recipe: ThumbnailRecipe(
          size: PixelSize(width: width, height: height), contentMode: mode)
      ).size
    }
    #expect(try await size(256, 256, .aspectFit) == PixelSize(width: 120, height: 60))
    #expect(try await size(60, 60, .aspectFit) == PixelSize(width: 60, height: 30))
    #expect(try await size(40, 40, .aspectFill) == PixelSize(width: 40, height: 40))
    #expect(try await size(1, 1, .aspectFit) == PixelSize(width: 1, height: 1))
    let square = try await owner.thumbnail(
      for: id,
      recipe: ThumbnailRecipe(
        size: PixelSize(width: 40, height: 40), contentMode: .aspectFill, encoding: .png))
    #expect(isClose(try quarters(square), expected))
  }

  @Test("Sizes and qualities that make no sense are refused")
  func refused() async throws {
    let temporary = try TemporaryLibrary()
    let id = try await temporary.add(TestPicture())[0]
    for recipe in [
      ThumbnailRecipe(size: PixelSize(width: 0, height: 10)),
      ThumbnailRecipe(size: PixelSize(width: 10, height: 8193)),
      ThumbnailRecipe(size: PixelSize(width: -1, height: 10)),
      ThumbnailRecipe(encoding: .jpeg(quality: 0)), ThumbnailRecipe(encoding: .jpeg(quality: 101)),
    ] {
      let error = await #expect(throws: LibraryError.self) {
        try await temporary.library.owner.thumbnail(for: id, recipe: recipe)
      }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test("The second time a thumbnail comes from the cache with the same bytes")
  func cache() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<5).map { TestPicture(date: "2024-01-01 12:00:0\($0)Z") })
    let owner = temporary.library.owner
    var first: [AssetID: [UInt8]] = [:]
    for await item in owner.thumbnails(for: ids) {
      let thumbnail = try item.result.get()
      #expect(thumbnail.source == .decoded)
      first[item.id] = thumbnail.data
    }
    for await item in try temporary.reopened(mode: .readOnly).owner.thumbnails(for: ids) {
      let thumbnail = try item.result.get()
      #expect(thumbnail.source == .cache)
      #expect(thumbnail.data == first[item.id])
    }
    let uncached = try await owner.thumbnail(for: ids[0], usesCache: false)
    #expect(uncached.source == .decoded)
    // Another recipe is another picture.
    let other = try await owner.thumbnail(
      for: ids[0], recipe: ThumbnailRecipe(encoding: .jpeg(quality: 50)))
    #expect(other.source == .decoded)
  }

  @Test("Many come in the order asked for, each failure its own")
  func order() async throws {
    let temporary = try TemporaryLibrary()
    var pictures: [TestPicture] = []
    for number in 0..<40 {
      // Large ones first in each group of four, so that later ones finish earlier.
      var picture = TestPicture(
        date: "2024-01-01 12:00:\(10 + number)Z",
        size: number % 4 == 0
          ? PixelSize(width: 1600, height: 1200) : PixelSize(width: 32, height: 24))
      picture.number = number
      pictures.append(picture)
    }
    var ids = try await temporary.add(pictures)
    let unknown = AssetID()
    ids.insert(unknown, at: 7)
    var seen: [AssetID] = []
    for await item in temporary.library.owner.thumbnails(for: ids) {
      seen.append(item.id)
      switch item.result {
      case .success: #expect(item.id != unknown)
      case .failure(let error):
        #expect(item.id == unknown)
        #expect(error.code == .identifierNotFound)
      }
    }
    #expect(seen == ids)
  }

  @Test("Rows 42 and 44: A batch of a limited client shows nothing else, though the cache has it")
  func limitedBatch() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<4).map { TestPicture(date: "2024-01-01 12:00:0\($0)Z") })
    for await item in temporary.library.owner.thumbnails(for: ids) { _ = try item.result.get() }
    let client = try temporary.client(.limited, selecting: [ids[1]])
    var shown: [AssetID] = []
    for await item in client.thumbnails(for: ids) {
      if case .success = item.result { shown.append(item.id) }
    }
    #expect(shown == [ids[1]])
    _ = try temporary.library.select(.none, for: try #require(client.id))
    for await item in client.thumbnails(for: ids) {
      #expect(throws: LibraryError.self) { try item.result.get() }
    }
  }

  @Test("Row 43: What is taken from a client while thumbnails wait for it is not handed over")
  func revokedWhileWaiting() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<6).map { TestPicture(date: "2024-01-01 12:00:0\($0)Z") })
    let client = try temporary.client(.limited, selecting: ids)
    let name = try #require(client.id)
    for round in 0..<2 {
      // In the second round all of them come from the cache.
      try temporary.library.select(.replace(ids), for: name)
      var iterator = client.thumbnails(for: ids).makeAsyncIterator()
      _ = try #require(await iterator.next()).result.get()
      try await Task.sleep(for: .milliseconds(round == 0 ? 300 : 20))
      try temporary.library.select(.replace([ids[5]]), for: name)
      for id in ids[1...] {
        let item = try #require(await iterator.next())
        #expect(item.id == id)
        let isThere = (try? item.result.get()) != nil
        #expect(isThere == (id == ids[5]))
      }
    }
  }

  @Test(
    "Row 42: A decision of another process holds for cached thumbnails that wait, and costs no others"
  )
  func revokedByAnotherProcess() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (0..<150).map { number in
        var picture = TestPicture(date: "2024-01-01 12:00:00Z")
        picture.number = number
        return picture
      })
    let client = try temporary.client(.limited, selecting: ids)
    let name = try #require(client.id)
    for await item in client.thumbnails(for: ids) { _ = try item.result.get() }
    let owner = try temporary.reopened()
    var selected = ids
    var taken: Set<AssetID> = []
    var position = 0
    for await item in client.thumbnails(for: ids) {
      #expect(item.id == ids[position])
      #expect(((try? item.result.get()) == nil) == taken.contains(item.id))
      position += 1
      // Now and then the next but one is taken away: in the same group, and across groups.
      if position % 7 == 0, position + 1 < ids.count {
        taken.insert(ids[position + 1])
        selected.removeAll { taken.contains($0) }
        try owner.select(.replace(selected), for: name)
      }
    }
    #expect(position == ids.count)
    // And nothing is left once the client is denied.
    var iterator = client.thumbnails(for: selected).makeAsyncIterator()
    _ = try #require(await iterator.next()).result.get()
    try owner.setAccess(of: name, .deny)
    while let item = await iterator.next() {
      let error = #expect(throws: LibraryError.self) { try item.result.get() }
      #expect(error?.code == .notPermitted)
    }
  }

  @Test("A picture with a long video behind it needs no memory for the video")
  func trailer() async throws {
    let temporary = try TemporaryLibrary()
    let picture = TestPicture(date: "2024-01-01 12:00:00Z")
    let id = try await temporary.add(
      picture.data + [UInt8](repeating: 7, count: 24 << 20), named: "motion.jpg")
    var configuration = LibraryConfiguration()
    configuration.memoryMegabytes = 16
    let library = try Library.open(at: temporary.library.path, configuration: configuration)
    let thumbnail = try await library.owner.thumbnail(for: id)
    #expect(thumbnail.size == picture.size)
  }

  @Test("A contact sheet of many large thumbnails has smaller cells instead of no end")
  func contactSheet() async throws {
    let temporary = try TemporaryLibrary()
    let id = try await temporary.add(TestPicture(date: "2024-01-01 12:00:00Z"))[0]
    let thumbnail = try await temporary.library.owner.thumbnail(for: id)
    let sheet = try ContactSheet.compose(
      Array(repeating: thumbnail, count: 12), columns: 4,
      cell: PixelSize(width: 4000, height: 4000), spacing: 16)
    let structure = try ImageStructure.scan(MemoryByteSource(sheet))
    #expect(structure.codedSize.pixelCount <= 40_000_000)
    #expect(
      try !ContactSheet.compose([], columns: 4, cell: PixelSize(width: 9, height: 9), spacing: 1)
        .isEmpty)
  }

  @Test("Cancelling ends a batch early", .timeLimit(.minutes(5)))
  func cancellation() async throws {
    let temporary = try TemporaryLibrary()
    var pictures: [TestPicture] = []
    for number in 0..<30 {
      var picture = TestPicture(size: PixelSize(width: 1600, height: 1200), number: number)
      picture.number = number
      pictures.append(picture)
    }
    let ids = try await temporary.add(pictures)
    let (begun, signal) = AsyncStream.makeStream(of: Void.self)
    let task = Task { () -> Int in
      var count = 0
      for await item in temporary.library.owner.thumbnails(for: ids) {
        if case .success = item.result { count += 1 }
        if count == 2 { signal.yield() }
      }
      return count
    }
    for await _ in begun { break }
    task.cancel()
    #expect(await task.value < 30)
    // And the library goes on working.
    _ = try await temporary.library.owner.thumbnail(for: ids[29])
  }
}

extension TestPicture {
  init(size: PixelSize, number: Int) {
    self.init()
    self.size = size
    self.number = number
  }
}
