import PhotoLibrary
import PhotoLibraryTesting
import PhotoStore
import Testing

@Suite("Libraries for tests")
struct TemporaryLibraryTests {
  @Test("A seed gives a library the same identifiers and the same key each time")
  func seed() async throws {
    func made(seed: UInt64) async throws -> (ids: [AssetID], code: [UInt8]) {
      let temporary = try TemporaryLibrary(seed: seed)
      let ids = try await temporary.add(TestPicture(date: "2024-06-01 12:00:00Z"))
      let store = try Store.open(
        at: temporary.library.path.string, mode: .readOnly, environment: .system)
      let code = try store.read { (transaction) throws(StoreError) in
        try transaction.authenticationCode(of: [1])
      }
      return (ids, code)
    }
    let (one, again, other) = (
      try await made(seed: 3), try await made(seed: 3), try await made(seed: 4)
    )
    #expect(one.ids == again.ids && one.code == again.code)
    #expect(one.ids != other.ids && one.code != other.code)
  }
}
