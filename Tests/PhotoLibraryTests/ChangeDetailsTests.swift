import FoundationEssentials
import PhotoLibraryTesting
import PhotoStore
import Synchronization
import Testing

@testable import PhotoLibrary

/// The details that an observer would get now.
private func change(of client: LibraryClient) throws -> Change {
  Change(
    changes: ChangeSet(), isFolded: false, position: try client.service.historyPosition(),
    service: client.service)
}

/// What an app shows: a list of its own, that only indexes change.
private func replayed(_ details: FetchResultChangeDetails) throws -> [AssetID] {
  var list = details.before.ids
  for index in Array(try #require(details.removedIndexes)).reversed() { list.remove(at: index) }
  for index in try #require(details.insertedIndexes) {
    list.insert(details.after.id(at: index), at: index)
  }
  for move in details.moves { list.insert(list.remove(at: move.from), at: move.to) }
  return list
}

@Suite("Change details")
struct ChangeDetailsTests {
  /// Pictures of the first days of 2024, oldest first.
  private func library(_ count: Int) async throws -> (TemporaryLibrary, [AssetID]) {
    let temporary = try TemporaryLibrary()
    var pictures: [TestPicture] = []
    for number in 0..<count {
      var picture = TestPicture(date: "2024-01-01 12:00:00Z")
      picture.date = WallClock(year: 2024, month: 1, day: number % 28 + 1, hour: number / 28 % 24)
      picture.number = number
      pictures.append(picture)
    }
    try await temporary.add(pictures)
    return (temporary, try temporary.library.owner.fetchAssets().ids)
  }

  private func setDay(_ day: Int, of ids: [AssetID], _ owner: LibraryClient) throws {
    let clock = try #require(WallClock(year: 2024, month: 2, day: day))
    try owner.setCreationDate(clock, of: ids)
  }

  @Test("Row 87: For a result that nothing touched there are no details")
  func untouched() async throws {
    let (temporary, ids) = try await library(4)
    let owner = temporary.library.owner
    let result = try owner.fetchAssets(FetchQuery(ids: [ids[0], ids[1]]))
    #expect(try change(of: owner).details(for: result) == nil)
    try setDay(3, of: [ids[3]], owner)
    #expect(try change(of: owner).details(for: result) == nil)
  }

  @Test("Rows 88 and 89: Removed indexes are of the list before, inserted ones behind removals")
  func selection() async throws {
    let (temporary, ids) = try await library(5)
    let client = try temporary.client(.limited, selecting: [ids[0], ids[2], ids[3]])
    let name = try #require(client.id)
    let result = try client.fetchAssets()
    _ = try temporary.library.select(.replace([ids[1], ids[3], ids[4]]), for: name)
    let details = try #require(try change(of: client).details(for: result))
    #expect(details.removedIndexes?.ranges == [0..<2] && details.removed == [ids[0], ids[2]])
    #expect(details.insertedIndexes?.ranges == [0..<1, 2..<3])
    #expect(details.inserted == [ids[1], ids[4]] && details.changed.isEmpty)
    #expect(try replayed(details) == [ids[1], ids[3], ids[4]])
  }

  @Test("Rows 39 and 40: From nothing and to nothing, a selection's change has its indexes")
  func nothing() async throws {
    let (temporary, ids) = try await library(3)
    let client = try temporary.client(.limited, selecting: [])
    let name = try #require(client.id)
    let empty = try client.fetchAssets()
    _ = try temporary.library.select(.replace(ids), for: name)
    let came = try #require(try change(of: client).details(for: empty))
    #expect(came.insertedIndexes?.ranges == [0..<3] && came.removedIndexes?.isEmpty == true)
    _ = try temporary.library.select(.replace([]), for: name)
    let went = try #require(try change(of: client).details(for: came.after))
    #expect(went.removedIndexes?.ranges == [0..<3] && went.after.isEmpty)
  }

  @Test("Row 53: From limited to full the rest is inserted, and back it is removed, by index")
  func levels() async throws {
    let (temporary, ids) = try await library(4)
    let client = try temporary.client(.limited, selecting: [ids[1]])
    let name = try #require(client.id)
    let limited = try client.fetchAssets()
    try temporary.library.setAccess(of: name, .full)
    let full = try #require(try change(of: client).details(for: limited))
    #expect(full.insertedIndexes?.ranges == [0..<1, 2..<4] && full.removedIndexes?.count == 0)
    try temporary.library.setAccess(of: name, .limited)
    let back = try #require(try change(of: client).details(for: full.after))
    #expect(back.removedIndexes?.ranges == [0..<1, 2..<4] && back.after.ids == [ids[1]])
  }

  @Test("Rows 90 and 95: Changed indexes are of the list after; its own details go on from there")
  func chained() async throws {
    let (temporary, ids) = try await library(4)
    let owner = temporary.library.owner
    let result = try owner.fetchAssets()
    try setDay(9, of: [ids[0]], owner)
    let first = try #require(try change(of: owner).details(for: result))
    #expect(first.changedIndexes?.ranges == [3..<4] && first.changed == [ids[0]])
    #expect(first.moves.map(\.from) == [0] && first.moves.map(\.to) == [3])
    #expect(try change(of: owner).details(for: first.after) == nil)
    try setDay(10, of: [ids[0]], owner)
    let second = try #require(try change(of: owner).details(for: first.after))
    #expect(second.moves.isEmpty && second.changedIndexes?.ranges == [3..<4])
  }

  @Test("Row 93: A result that wants no increments gets none, and the list after all the same")
  func unwanted() async throws {
    let (temporary, ids) = try await library(3)
    let owner = temporary.library.owner
    var query = FetchQuery()
    query.wantsIncrementalChangeDetails = false
    let result = try owner.fetchAssets(query)
    try setDay(9, of: [ids[0]], owner)
    let details = try #require(try change(of: owner).details(for: result))
    #expect(!details.hasIncrementalChanges && details.removedIndexes == nil)
    #expect(details.insertedIndexes == nil && details.changedIndexes == nil)
    #expect(details.moves.isEmpty && details.after.ids == [ids[1], ids[2], ids[0]])
  }

  @Test("Row 94: Folded commits give details without increments, and the right list after")
  func folded() async throws {
    let (temporary, ids) = try await library(2)
    let owner = temporary.library.owner
    let start = try owner.service.historyPosition()
    let result = try owner.fetchAssets()
    for number in 0..<1_001 { try setDay(number % 28 + 1, of: [ids[0]], owner) }
    let (steps, position) = try owner.service.steps(since: start)
    let step = try #require(steps.first)
    #expect(steps.count == 1 && step.isFolded && step.changes == ChangeSet(changed: [ids[0]]))
    let change = Change(
      changes: step.changes, isFolded: step.isFolded, position: position, service: owner.service)
    let details = try #require(try change.details(for: result))
    #expect(!details.hasIncrementalChanges && details.after.ids == [ids[1], ids[0]])
  }

  @Test("Rows 41 and 96: A record taken away reads as deleted; a changed one has the same pixels")
  func records() async throws {
    let (temporary, ids) = try await library(2)
    let client = try temporary.client(.limited, selecting: ids)
    let name = try #require(client.id)
    let assets = try client.assets(ids).compactMap { $0 }
    let start = try client.service.historyPosition()
    _ = try temporary.library.select(.replace([ids[1]]), for: name)
    try setDay(5, of: [ids[1]], temporary.library.owner)
    let changes = try client.service.steps(since: start).steps.map { step in
      Change(
        changes: step.changes, isFolded: step.isFolded, position: step.position,
        service: client.service)
    }
    #expect(changes.count == 2)
    let taken = try #require(try changes.first?.details(for: assets[0]))
    #expect(taken.objectWasDeleted && taken.after == nil)
    #expect(try changes.first?.details(for: assets[1]) == nil)
    let edited = try #require(try changes.last?.details(for: assets[1]))
    #expect(!edited.objectWasDeleted && !edited.assetContentChanged)
    #expect(edited.after?.creationDate != assets[1].creationDate)
  }

  /// 10,000 edits with `PHOTOLIB_LONG`, else enough to meet every kind.
  @Test("Row 92: Whatever is edited and selected, replaying details gives each live result's list")
  func replay() async throws {
    let isLong = ProcessInfo.processInfo.environment["PHOTOLIB_LONG"] != nil
    let (temporary, ids) = try await library(60)
    let client = try temporary.client(.limited, selecting: Array(ids.prefix(30)))
    let name = try #require(client.id)
    let owner = temporary.library.owner
    var queries = [
      FetchQuery(), FetchQuery(sort: [SortDescriptor(.filename, ascending: false)]),
      FetchQuery(sort: [SortDescriptor(.modificationDate)]), FetchQuery(limit: 10, offset: 5),
    ]
    let middle = try #require(WallClock(year: 2024, month: 2, day: 14))
    queries.append(FetchQuery(predicate: .created(.less, .wallClock(middle))))
    var results = try queries.flatMap { query in
      [(owner, try owner.fetchAssets(query)), (client, try client.fetchAssets(query))]
    }
    for step in 0..<(isLong ? 2_500 : 100) {
      for _ in 0..<Int.random(in: 1...4) {
        switch Int.random(in: 0..<8) {
        case 0:
          _ = try temporary.library.select(.replace(ids.filter { _ in .random() }), for: name)
        case 1:
          try temporary.library.setAccess(
            of: name, [.full, .limited, .deny].randomElement() ?? .full, location: .random())
        default:
          try setDay(
            .random(in: 1...28), of: Array(ids.shuffled().prefix(.random(in: 1...5))), owner)
        }
      }
      // Some stay behind for a while.
      for index in results.indices where .random() || step % 10 == 9 {
        let (reader, result) = results[index]
        let details = try change(of: reader).details(for: result)
        let fresh = try reader.fetchAssets(result.query).ids
        #expect((details?.after ?? result).ids == fresh)
        guard let details else { continue }
        #expect(try replayed(details) == fresh)
        #expect(Set(details.inserted).isDisjoint(with: details.changed))
        results[index].1 = details.after
      }
    }
  }
}
