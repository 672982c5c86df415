import PhotoStore
import Testing

@testable import PhotoLibrary

@Suite("Changes of lists")
struct ListChangesTests {
  /// Does what an app does with its own list: removals, insertions, moves.
  static func replayed(_ changes: ListChanges, on before: [AssetID], to after: [AssetID])
    -> [AssetID]
  {
    var list = before
    for index in changes.removed.reversed() { list.remove(at: index) }
    for index in changes.inserted { list.insert(after[index], at: index) }
    for move in changes.moves { list.insert(list.remove(at: move.from), at: move.to) }
    return list
  }

  @Test("Removed indexes are of the list before, inserted and changed ones of the list after")
  func indexes() throws {
    let ids = (0..<6).map { _ in AssetID() }
    let before = [ids[0], ids[1], ids[2], ids[3]]
    let after = [ids[4], ids[1], ids[5], ids[3]]
    let changes = try #require(
      ListChanges(
        from: PackedIDs(before), to: PackedIDs(after), touched: [ids[0], ids[3], ids[4]]))
    #expect(changes.removed.ranges == [0..<1, 2..<3])
    #expect(changes.inserted.ranges == [0..<1, 2..<3])
    #expect(changes.changed.ranges == [3..<4])
    #expect(changes.moves.isEmpty)
  }

  @Test("Row 91: What changed its place is moved, alone, in the list behind the insertions")
  func moves() throws {
    let ids = (0..<5).map { _ in AssetID() }
    let before = [ids[0], ids[1], ids[2], ids[3]]
    let after = [ids[4], ids[3], ids[0], ids[1], ids[2]]
    let changes = try #require(
      ListChanges(from: PackedIDs(before), to: PackedIDs(after), touched: []))
    #expect(changes.inserted.ranges == [0..<1] && changes.removed.isEmpty)
    #expect(changes.moves.map(\.from) == [4] && changes.moves.map(\.to) == [1])
  }

  @Test("Row 92: Removals, insertions and moves give the list after, of 10,000 random pairs")
  func replay() throws {
    var random = SystemRandomNumberGenerator()
    let pool = (0..<14).map { _ in AssetID() }
    for _ in 0..<10_000 {
      let before = Array(pool.shuffled(using: &random).prefix(.random(in: 0...12)))
      let isNear = Bool.random()
      var after = isNear ? before : Array(pool.shuffled(using: &random).prefix(.random(in: 0...12)))
      if isNear, let removed = after.indices.randomElement() {
        let id = after.remove(at: removed)
        if Bool.random() { after.insert(id, at: .random(in: 0...after.count)) }
      }
      let touched = Set(pool.filter { _ in Bool.random() })
      let changes = try #require(
        ListChanges(from: PackedIDs(before), to: PackedIDs(after), touched: touched))
      let result = Self.replayed(changes, on: before, to: after)
      guard result == after else {
        Issue.record("\(before) became \(result) and not \(after)")
        return
      }
      #expect(Set(changes.removed).count + after.count == before.count + changes.inserted.count)
      #expect(Set(changes.changed).isDisjoint(with: changes.inserted))
      #expect(
        Set(changes.changed.map { after[$0] })
          == touched.intersection(before).intersection(after))
    }
  }
}
