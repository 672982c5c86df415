import Dispatch
import PhotoLibrary
import PhotoLibraryTesting
import Synchronization
import Testing

@Suite("Results as snapshots")
struct SnapshotTests {
  @Test("Row 26: Filter, order, limit and offset of a limited client work on its selection alone")
  func window() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (1...9).map { TestPicture(date: "2024-06-0\($0) 12:00:00Z") })
    let odd = [ids[0], ids[2], ids[4], ids[6], ids[8]]
    let client = try temporary.client(.limited, selecting: odd)
    let newest = [SortDescriptor(.creationDate, ascending: false)]
    #expect(
      try client.fetchAssets(FetchQuery(sort: newest, limit: 2, offset: 1)).ids == [ids[6], ids[4]])
    let noon = try #require(WallClock(year: 2024, month: 6, day: 4))
    let later = AssetPredicate.created(.greaterOrEqual, .wallClock(noon))
    #expect(try client.fetchAssets(FetchQuery(predicate: later)).ids == [ids[4], ids[6], ids[8]])
    #expect(try client.countAssets(FetchQuery(predicate: later, limit: 2)) == 2)
    #expect(try client.fetchAssets(FetchQuery(limit: 9, offset: 4)).ids == [ids[8]])
  }

  @Test("Row 55: Eight threads that read one result agree")
  func threads() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      (1...9).map { TestPicture(date: "2024-06-0\($0) 12:00:00Z") })
    let result = try temporary.library.owner.fetchAssets()
    let wrong = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for turn in 0..<200 {
        let index = (turn * 7 + thread) % ids.count
        if result[index]?.id != ids[index] || result.id(at: index) != ids[index] {
          wrong.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
  }

  @Test("Row 56: One record of a result is read without reading all")
  func lazily() async throws {
    let temporary = try TemporaryLibrary()
    try await temporary.add(
      (0..<300).map { number in
        var picture = TestPicture()
        picture.size = PixelSize(width: 2, height: 2)
        picture.number = number
        return picture
      })
    let counter = Counter()
    let owner = temporary.library.owner
    let client = LibraryClient(
      service: CountedReads(wrapped: owner.service, counter: counter), hub: owner.hub)
    let result = try client.fetchAssets()
    #expect(counter.records.load(ordering: .relaxed) == 0)
    #expect(result[150] != nil)
    // A batch around it.
    #expect((1...128).contains(counter.records.load(ordering: .relaxed)))
  }

  @Test("Row 74: A query that is changed later leaves an earlier result as it is")
  func values() async throws {
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.add(
      TestPicture(date: "2024-06-01 12:00:00Z"), TestPicture(date: "2024-06-02 12:00:00Z"))
    var query = FetchQuery()
    let result = try temporary.library.owner.fetchAssets(query)
    query.limit = 1
    query.sort = [SortDescriptor(.creationDate, ascending: false)]
    #expect(result.ids == ids)
    #expect(try temporary.library.owner.fetchAssets(query).ids == [ids[1]])
    #expect(result.count == 2)
  }

  @Test(
    "Row 125: The bytes of an original come as they are in the file, with their type and orientation"
  )
  func bytes() async throws {
    let temporary = try TemporaryLibrary()
    for (orientation, format) in [(Orientation.right, ImageFormat.jpeg), (.downMirrored, .png)] {
      var picture = TestPicture(date: "2024-06-01 12:00:00Z", format: format)
      picture.orientation = orientation
      let id = try await temporary.add(picture)[0]
      let image = try await temporary.library.owner.imageData(for: id)
      #expect(image.data == picture.data)
      #expect(image.contentType == (format == .jpeg ? "image/jpeg" : "image/png"))
      #expect(image.orientation == orientation)
    }
  }

  private final class Counter: Sendable {
    let records = Atomic(0)
  }

  private struct CountedReads: WrappingService {
    let wrapped: any LibraryService
    let counter: Counter

    func records(
      _ ids: [AssetID], dateCandidates: Bool
    ) throws(LibraryError) -> [Asset?] {
      counter.records.add(ids.count, ordering: .relaxed)
      return try wrapped.records(ids, dateCandidates: dateCandidates)
    }
  }
}
