import ImageCodecs
import ImageContainer
import PhotoLibrary
import PhotoLibraryTesting
import Testing

/// Pictures that show something else than the previews in their files, so that it is seen which of the two
/// was decoded.
@Suite("Thumbnails of previews", .timeLimit(.minutes(5)))
struct PreviewThumbnailTests {
  private enum Colour: CaseIterable {
    case black, blue, white, magenta, cyan

    var rgb: [UInt8] {
      switch self {
      case .black: [0, 0, 0]
      case .blue: [30, 40, 200]
      case .white: [250, 250, 250]
      case .magenta: [200, 30, 200]
      case .cyan: [20, 200, 200]
      }
    }
  }

  /// A JPEG file of a colour at each pixel.
  private func jpeg(
    _ width: Int, _ height: Int, _ colour: (_ x: Int, _ y: Int) -> Colour = { _, _ in .blue }
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { bytes += colour(x, y).rgb }
    }
    return try ImageEncoder.jpeg(
      PixelBuffer(size: PixelSize(width: width, height: height), channels: 3, bytes: bytes),
      quality: 90)
  }

  /// The colours in the middle of the four quarters, top left first, row by row.
  private func quarters(_ thumbnail: Thumbnail) throws -> [[Int]] {
    let source = MemoryByteSource(thumbnail.data)
    let pixels = try ThumbnailDecoder(budget: DecodeBudget()).decode(
      source, structure: try ImageStructure.scanHeaders(source), orientation: .up,
      recipe: ThumbnailRecipe(size: thumbnail.size, encoding: .png), isCancelled: { false }
    ).pixels
    let size = pixels.size
    return [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
      let place = (size.height * y / 4 * size.width + size.width * x / 4) * 3
      return pixels.bytes[place..<place + 3].map(Int.init)
    }
  }

  private func isClose(_ colours: [[Int]], _ expected: [[UInt8]]) -> Bool {
    zip(colours.joined(), expected.joined()).allSatisfy { abs($0 - Int($1)) <= 16 }
  }

  /// Whether it shows a TestPicture itself.
  private func isPicture(_ thumbnail: Thumbnail) throws -> Bool {
    isClose(
      try quarters(thumbnail), [[220, 40, 40], [40, 180, 60], [40, 60, 210], [230, 210, 40]])
  }

  private func isBlue(_ thumbnail: Thumbnail) throws -> Bool {
    isClose(try quarters(thumbnail), [[UInt8]](repeating: Colour.blue.rgb, count: 4))
  }

  private func picture(
    _ width: Int = 640, _ height: Int = 480, preview: [UInt8]?
  ) -> TestPicture {
    var picture = TestPicture(
      date: "2024-01-01 12:00:00Z", size: PixelSize(width: width, height: height))
    picture.preview = preview
    return picture
  }

  private func recipe(_ width: Int, _ height: Int, _ mode: ContentMode = .aspectFit)
    -> ThumbnailRecipe
  {
    ThumbnailRecipe(size: PixelSize(width: width, height: height), contentMode: mode)
  }

  /// What a request that allows a preview gets of a picture with this one.
  private func fast(
    _ picture: TestPicture, _ recipe: ThumbnailRecipe
  ) async throws -> Thumbnail {
    try await fast(picture.data, recipe)
  }

  private func fast(_ file: [UInt8], _ recipe: ThumbnailRecipe) async throws -> Thumbnail {
    let temporary = try TemporaryLibrary()
    let id = try await temporary.add(file, named: "picture.jpg")
    let owner = temporary.library.owner
    let fast = try await owner.thumbnail(
      for: id, recipe: recipe, usesCache: false, allowsPreview: true)
    let full = try await owner.thumbnail(for: id, recipe: recipe, usesCache: false)
    #expect(full.source == .decoded)
    #expect(fast.size == full.size)
    return fast
  }

  private func expectPicture(_ picture: TestPicture, _ recipe: ThumbnailRecipe) async throws {
    let thumbnail = try await fast(picture, recipe)
    #expect(thumbnail.source == .decoded)
    #expect(thumbnail.warning == nil)
    #expect(try isPicture(thumbnail))
  }

  // MARK: Who gets it

  @Test("Row 113: Only who allows it gets the preview, and the cache never does")
  func onlyWhereAllowed() async throws {
    let temporary = try TemporaryLibrary()
    let owner = temporary.library.owner
    let id = try await temporary.add(picture(preview: try jpeg(160, 120)))[0]
    let small = recipe(160, 160)
    for _ in 0..<2 {
      let fast = try await owner.thumbnail(for: id, recipe: small, allowsPreview: true)
      #expect(fast.source == .preview)
      #expect(fast.size == PixelSize(width: 160, height: 120))
      #expect(try isBlue(fast))
    }
    for await item in owner.thumbnails(for: [id], recipe: small, allowsPreview: true) {
      #expect(try item.result.get().source == .preview)
    }
    let first = try await owner.thumbnail(for: id, recipe: small)
    #expect(first.source == .decoded)
    #expect(try isPicture(first))
    // The picture's own thumbnail is better, whoever asks.
    for allowsPreview in [false, true] {
      let cached = try await owner.thumbnail(
        for: id, recipe: small, allowsPreview: allowsPreview)
      #expect(cached.source == .cache)
      #expect(cached.data == first.data)
    }
    let anew = try await owner.thumbnail(
      for: id, recipe: small, usesCache: false, allowsPreview: true)
    #expect(anew.source == .preview)
  }

  @Test("Row 113: What had to be decoded for who allows a preview is kept as usual")
  func fallbackIsKept() async throws {
    let temporary = try TemporaryLibrary()
    let owner = temporary.library.owner
    let id = try await temporary.add(picture(preview: nil))[0]
    let fast = try await owner.thumbnail(for: id, allowsPreview: true)
    #expect(fast.source == .decoded)
    #expect(try isPicture(fast))
    #expect(try await owner.thumbnail(for: id).source == .cache)
  }

  @Test("Requests under way that allow a preview share nothing with those that do not")
  func notCoalesced() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let owner = temporary.library.owner
    let id = try await temporary.add(picture(preview: try jpeg(160, 120)))[0]
    let tasks = [true, false, true, false].map {
      owner.request(id, recipe: recipe(160, 160), allowsPreview: $0)
    }
    await until { temporary.library.waitingThumbnails == (lookUps: 0, decodes: 4) }
    decodes.release()
    var found: [Thumbnail] = []
    for task in tasks { found.append(try await task.value.get()) }
    #expect(found.map(\.source) == [.preview, .decoded, .preview, .decoded])
    #expect(try isBlue(found[0]))
    #expect(try isPicture(found[1]))
    #expect(found[0] == found[2])
    #expect(found[1] == found[3])
    #expect(decodes.begun.count == 2)
    let cached = try await owner.thumbnail(for: id, recipe: recipe(160, 160))
    #expect(cached.source == .cache)
    #expect(cached.data == found[1].data)
  }

  @Test(
    "Row 44: A preview is as much hidden from a client as its picture, also when it is taken meanwhile"
  )
  func revoked() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    var other = picture(preview: try jpeg(160, 120))
    other.number = 1
    let ids = try await temporary.add([picture(preview: try jpeg(160, 120)), other])
    let client = try temporary.client(.limited, selecting: [ids[0]])
    let small = recipe(160, 160)
    let hidden = await client.request(ids[1], recipe: small, allowsPreview: true).value
    #expect(hidden.code == .identifierNotFound)
    let task = client.request(ids[0], recipe: small, allowsPreview: true)
    await until { decodes.begun.count == 1 }
    try temporary.library.select(.none, for: try #require(client.id))
    decodes.release()
    #expect(await task.value.code == .identifierNotFound)
    #expect(decodes.begun == [ids[0]])
  }

  // MARK: Which preview will do

  @Test("A preview that is smaller than the thumbnail is not used")
  func tooSmall() async throws {
    let preview = try jpeg(160, 120)
    try await expectPicture(picture(preview: preview), recipe(161, 161))
    // 160x120 fits the width, not the square to be filled.
    try await expectPicture(picture(preview: preview), recipe(160, 160, .aspectFill))
    let filled = try await fast(picture(preview: preview), recipe(120, 120, .aspectFill))
    #expect(filled.source == .preview)
    #expect(filled.size == PixelSize(width: 120, height: 120))
    #expect(try isBlue(filled))
    // Nothing is enlarged: of a picture of 200x150 no more than that is wanted.
    let tiny = try await fast(picture(200, 150, preview: try jpeg(200, 150)), recipe(900, 900))
    #expect(tiny.source == .preview)
    #expect(tiny.size == PixelSize(width: 200, height: 150))
  }

  @Test("A preview of another shape is not used: it is of the picture before it was cut")
  func otherShape() async throws {
    for size in [(640, 400), (480, 480), (480, 640)] {
      let stale = picture(size.0, size.1, preview: try jpeg(160, 120))
      try await expectPicture(stale, recipe(80, 80))
      try await expectPicture(stale, recipe(40, 40, .aspectFill))
    }
  }

  @Test("A preview with black bars is not used, whether or not they would be seen")
  func bars() async throws {
    let rows = try jpeg(160, 120) { _, y in (12..<108).contains(y) ? .blue : .black }
    let columns = try jpeg(160, 120) { x, _ in (20..<140).contains(x) ? .blue : .black }
    for preview in [rows, columns] {
      try await expectPicture(picture(preview: preview), recipe(160, 160))
      try await expectPicture(picture(preview: preview), recipe(64, 64))
      try await expectPicture(picture(preview: preview), recipe(40, 40, .aspectFill))
      try await expectPicture(picture(preview: preview), recipe(80, 20, .aspectFill))
    }
    // One dark side is a picture's own.
    let night = try jpeg(160, 120) { _, y in y < 40 ? .black : .blue }
    #expect(
      try await fast(picture(preview: night), recipe(160, 160)).source == .preview)
  }

  @Test("A preview stored as a turned picture is comes out upright")
  func turned() async throws {
    // Orientation 6 shows the stored left column, from the bottom up, as the top row.
    let preview = try jpeg(160, 120) { x, y in
      switch (x < 80, y < 60) {
      case (true, true): .white
      case (false, true): .cyan
      case (true, false): .blue
      case (false, false): .magenta
      }
    }
    var turned = picture(480, 640, preview: preview)
    turned.orientation = .right
    let thumbnail = try await fast(turned, recipe(160, 160))
    #expect(thumbnail.source == .preview)
    #expect(thumbnail.size == PixelSize(width: 120, height: 160))
    let expected: [Colour] = [.blue, .white, .magenta, .cyan]
    #expect(isClose(try quarters(thumbnail), expected.map(\.rgb)))
  }

  @Test("A preview's own orientation counts, unless it may be out of date")
  func ownOrientation() async throws {
    func preview(_ width: Int, _ height: Int, _ orientation: Orientation) -> [UInt8] {
      var preview = TestPicture()
      preview.size = PixelSize(width: width, height: height)
      preview.orientation = orientation
      return preview.data
    }
    var turned = picture(480, 640, preview: nil)
    turned.orientation = .right
    // Upright in itself, or turned as the picture is.
    for own in [Orientation.up, .right] {
      turned.preview = preview(120, 160, own)
      let thumbnail = try await fast(turned, recipe(160, 160))
      #expect(thumbnail.source == .preview)
      #expect(try isPicture(thumbnail))
    }
    // The picture was turned upside down, or is square: nothing tells which of the two is right.
    turned.preview = preview(120, 160, .left)
    try await expectPicture(turned, recipe(160, 160))
    turned.size = PixelSize(width: 480, height: 480)
    turned.preview = preview(160, 160, .up)
    try await expectPicture(turned, recipe(160, 160))
  }

  /// The file with a second preview behind its end, and an index that says so (CIPA DC-007 5.2).
  private func multiPicture(_ file: [UInt8], _ preview: [UInt8]) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    // A directory of one entry ends at 26, and is followed by 16 bytes a picture.
    let head =
      Array("MPF\0II*\0".utf8) + number(8, 4) + number(1, 2) + number(0xB002, 2)
      + number(7, 2) + number(32, 4) + number(26, 4) + number(0, 4)
    let length = 2 + head.count + 32
    let start = file.count + 2 + length
    // Places count from the TIFF header: behind two markers, the length and the four letters.
    let index =
      head + number(0x2003_0000, 4) + number(start, 4) + number(0, 8)
      + number(0x01_0001, 4) + number(preview.count, 4) + number(start - 10, 4) + number(0, 4)
    let segment: [UInt8] = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + index
    return Array(file[..<2]) + segment + Array(file[2...]) + preview
  }

  @Test("Of several previews the smallest that will do is used")
  func smallest() async throws {
    let larger = try jpeg(320, 240) { _, _ in .magenta }
    let file = multiPicture(picture(preview: try jpeg(160, 120)).data, larger)
    let magenta = [[UInt8]](repeating: Colour.magenta.rgb, count: 4)
    #expect(try isBlue(await fast(file, recipe(160, 160))))
    let medium = try await fast(file, recipe(256, 256))
    #expect(medium.source == .preview)
    #expect(medium.size == PixelSize(width: 256, height: 192))
    #expect(isClose(try quarters(medium), magenta))
    #expect(try isPicture(await fast(file, recipe(321, 321))))
    // The small one has bars.
    let barred = try jpeg(160, 120) { _, y in (12..<108).contains(y) ? .blue : .black }
    let second = try await fast(
      multiPicture(picture(preview: barred).data, larger), recipe(160, 160))
    #expect(second.source == .preview)
    #expect(isClose(try quarters(second), magenta))
  }

  @Test("Row 123: A broken preview costs nothing but time", arguments: 0..<5)
  func broken(_ kind: Int) async throws {
    let whole = try jpeg(160, 120) { x, y in Colour.allCases[(x / 7 + y / 5) % 5] }
    #expect(try await fast(picture(preview: whole), recipe(160, 160)).source == .preview)
    var preview = whole
    switch kind {
    case 0: preview = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 4000)
    case 1: preview.removeLast(2)
    case 2: preview.removeLast(preview.count / 3)
    // Rows are missing, and yet there is an end.
    case 3: preview.replaceSubrange((preview.count * 2 / 3)..<(preview.count - 2), with: [])
    // The frame header (ITU-T T.81, B.2.2) promises four times as much: height and width come fifth.
    default:
      let frame = try #require(
        preview.indices.dropLast(9).first { preview[$0] == 0xFF && preview[$0 + 1] == 0xC0 })
      preview.replaceSubrange((frame + 5)..<(frame + 9), with: [0, 240, 1, 64])
    }
    try await expectPicture(picture(preview: preview), recipe(160, 160))
  }
}
