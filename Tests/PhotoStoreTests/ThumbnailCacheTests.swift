import FoundationEssentials
import Glibc
import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Thumbnail cache")
struct ThumbnailCacheTests {
  private func key(
    _ byte: UInt8, orientation: Orientation = .up, recipe: ThumbnailRecipe = ThumbnailRecipe(),
    scope: String? = nil
  ) -> ThumbnailKey {
    ThumbnailKey(
      sha256: [UInt8](repeating: byte, count: 32), orientation: orientation, recipe: recipe,
      scope: scope)
  }

  private func picture(_ byte: UInt8, warning: String? = nil) -> Thumbnail {
    Thumbnail(
      data: [UInt8](repeating: byte, count: 5_000), size: PixelSize(width: 256, height: 170),
      source: .decoded, warning: warning)
  }

  @Test("nothing is made before the first picture is kept; what is kept comes back")
  func keeping() throws {
    let library = try TestLibrary()
    let cache = library.store.thumbnails
    let file = library.path + "/thumbnails.sqlite"
    #expect(cache.find(key(1)) == nil)
    #expect(!exists(file))
    cache.store([(key(1), picture(1)), (key(2), picture(2, warning: "cut"))])
    #expect(exists(file))
    let found = cache.find([key(2), key(3), key(1)])
    #expect(found[0]?.data.first == 2)
    #expect(found[0]?.warning == "cut")
    #expect(found[0]?.source == .cache)
    #expect(found[1] == nil)
    #expect(found[2]?.size == PixelSize(width: 256, height: 170))
    cache.store([(key(1), picture(9))])
    #expect(cache.find(key(1))?.data.first == 9)
    let second = try library.reopen()
    #expect(second.thumbnails.find(key(2)) != nil)
    #expect(cache.statistics().count == 2)
  }

  @Test("Rows 130 and 133: every field of a key counts")
  func keys() throws {
    let jpeg = ThumbnailRecipe()
    let keys = [
      key(1), key(2), key(1, orientation: .left), key(1, scope: ""), key(1, scope: "org.example"),
      key(1, recipe: ThumbnailRecipe(size: PixelSize(width: 256, height: 255))),
      key(1, recipe: ThumbnailRecipe(contentMode: .aspectFill)),
      key(1, recipe: ThumbnailRecipe(encoding: .jpeg(quality: 84))),
      key(1, recipe: ThumbnailRecipe(encoding: .png)),
    ]
    #expect(Set(try keys.map { try $0.digest() }).count == keys.count)
    #expect(try key(1, recipe: jpeg).digest() == key(1).digest())
  }

  @Test("a picture whose bytes or key were changed is a miss, and is forgotten")
  func checksums() throws {
    let library = try TestLibrary()
    let cache = library.store.thumbnails
    cache.store([(key(1), picture(1)), (key(2), picture(2))])
    try library.tamper(
      "UPDATE pictures SET data = zeroblob(5000) WHERE row = 1", file: "thumbnails.sqlite")
    #expect(cache.find(key(1)) == nil)
    #expect(cache.statistics().count == 1)
    let stolen = try key(3, scope: "org.example.other").digest().hexadecimal
    try library.tamper("UPDATE entries SET key = x'\(stolen)'", file: "thumbnails.sqlite")
    #expect(cache.find(key(3, scope: "org.example.other")) == nil)
  }

  @Test(
    "garbage, an empty file and another version are thrown away and made anew", arguments: 0..<4)
  func damaged(kind: Int) throws {
    let library = try TestLibrary()
    library.store.thumbnails.store([(key(1), picture(1))])
    library.store.close()
    let file = "Photos.photolib/thumbnails.sqlite"
    switch kind {
    case 0: _ = try library.folder.file([UInt8](repeating: 0x41, count: 9_000), name: file)
    case 1: _ = try library.folder.file([], name: file)
    case 2: try library.tamper("PRAGMA user_version = 7", file: "thumbnails.sqlite")
    default: cut(try library.folder.path(file), to: 5_000)
    }
    let store = try library.reopen()
    let cache = store.thumbnails
    #expect(cache.find(key(1)) == nil)
    cache.store([(key(1), picture(1))])
    // A file that was cut may show only when it is written to; then the second try finds a new one.
    if cache.find(key(1)) == nil { cache.store([(key(1), picture(1))]) }
    let isFound = cache.find(key(1))?.data == picture(1).data
    #expect(isFound)
  }

  @Test("a store for reading keeps thumbnails too; a library that cannot be written only misses")
  func readOnly() throws {
    let library = try TestLibrary()
    library.store.thumbnails.store([(key(1), picture(1))])
    let reader = try library.reopen(.readOnly)
    #expect(reader.thumbnails.find(key(1)) != nil)
    reader.thumbnails.store([(key(2), picture(2))])
    #expect(library.store.thumbnails.find(key(2)) != nil)
    library.store.close()
    let media = try Store.open(
      at: library.path, mode: .readOnly, environment: .system, isWritable: false)
    #expect(media.thumbnails.find(key(1)) == nil)
  }

  /// Keys and pictures of numbers, 5,000 bytes each.
  private func entries(_ numbers: Range<UInt8>) -> [(ThumbnailKey, Thumbnail)] {
    numbers.map { (key($0), picture($0)) }
  }

  /// The numbers that the cache has, without using them.
  private func numbers(in library: TestLibrary) throws -> [UInt8] {
    let keys = try Connection(
      path: library.path + "/thumbnails.sqlite", purpose: .cacheReader,
      busyTimeoutMilliseconds: 5_000
    ).all(SQL("SELECT key FROM entries")) { $0.blob(0) }
    return try (UInt8(0)..<255).filter { keys.contains(try key($0).digest()) }
  }

  @Test("the cache stays within its limit, and those go first that were not used for longest")
  func eviction() throws {
    let library = try TestLibrary()
    let cache = library.store.thumbnails
    let day: Int64 = 86_400_000_000_000
    let limit: Int64 = 1 << 20
    try cache.setLimit(limit)
    let start = library.clock.now.nanoseconds
    cache.store(entries(0..<40))
    library.clock.set(start + 2 * day)
    // Ten of them are used again, two days later.
    #expect(cache.find((0..<10).map { key($0) }).allSatisfy { $0 != nil })
    cache.store(entries(40..<80))
    library.clock.set(start + 3 * day)
    for first in stride(from: UInt8(80), to: 240, by: 8) {
      cache.store(entries(first..<first + 8))
      let statistics = cache.statistics()
      #expect(statistics.bytes <= limit)
      // Freed pages are used again: beside the log the file grows no further.
      #expect(fileSize(library.path + "/thumbnails.sqlite") <= limit + 100_000)
      let kept = try numbers(in: library)
      #expect(kept.count == statistics.count)
      #expect(kept.suffix(8).elementsEqual(first..<first + 8))
      if kept.contains(where: { (10..<40).contains($0) }) {
        #expect(kept.filter { $0 < 10 }.count == 10, "\(kept)")
      }
    }
    // A picture of 5,000 bytes takes a page of 8,192: more than 64 and at most 128 have room.
    let count = cache.statistics().count
    #expect((64...128).contains(count))
    #expect(try !numbers(in: library).contains { $0 < 40 })
    let whole = try Connection(
      path: library.path + "/thumbnails.sqlite", purpose: .cacheReader,
      busyTimeoutMilliseconds: 5_000)
    #expect(try CheckSQL.problems(whole) == [])
    #expect(
      try whole.integer("SELECT count(*) FROM pictures")
        == whole.integer("SELECT count(*) FROM entries"))
  }

  @Test("a hit writes nothing; that it was used is noted once a day, with what is written next")
  func uses() throws {
    let library = try TestLibrary()
    let cache = library.store.thumbnails
    cache.store(entries(0..<2))
    let log = library.path + "/thumbnails.sqlite-wal"
    let used = {
      try Connection(
        path: library.path + "/thumbnails.sqlite", purpose: .cacheReader,
        busyTimeoutMilliseconds: 5_000
      ).all(SQL("SELECT used FROM entries ORDER BY picture")) { $0.int64(0) }
    }
    let start = library.clock.now.nanoseconds / 1_000_000_000
    let before = fileSize(log)
    library.clock.set((start + 86_000) * 1_000_000_000)
    #expect(cache.find(key(1)) != nil)
    cache.store([])
    #expect(try used() == [start, start])
    library.clock.set((start + 90_000) * 1_000_000_000)
    for _ in 0..<10 { #expect(cache.find(key(1)) != nil) }
    #expect(fileSize(log) == before)
    cache.store([])
    #expect(try used() == [start, start + 90_000])
    // At the end at the latest.
    library.clock.set((start + 200_000) * 1_000_000_000)
    #expect(cache.find(key(0)) != nil)
    library.store.close()
    #expect(try used() == [start + 200_000, start + 90_000])
  }

  @Test("clearing gives the space back and keeps the limit, also under another process's hands")
  func clearing() throws {
    let library = try TestLibrary()
    let cache = library.store.thumbnails
    #expect(try cache.clear() == 0)
    #expect(!exists(library.path + "/thumbnails.sqlite"))
    try cache.setLimit(50 << 20)
    cache.store(entries(0..<200))
    let other = try library.reopen(.readOnly)
    #expect(other.thumbnails.find(key(3)) != nil)
    #expect(cache.statistics().fileBytes > 1_000_000)
    #expect(try cache.clear() == 200)
    #expect(cache.statistics().fileBytes < 200_000)
    #expect(other.thumbnails.find(key(3)) == nil)
    other.thumbnails.store(entries(3..<4))
    #expect(cache.find(key(3)) != nil)
    #expect(other.thumbnails.statistics().limit == 50 << 20)
  }

  @Test("a lower limit takes effect at once; with none at all nothing is kept")
  func limits() throws {
    let library = try TestLibrary()
    let cache = library.store.thumbnails
    #expect(cache.statistics().limit == ThumbnailCache.defaultLimit)
    cache.store(entries(0..<200))
    try cache.setLimit(500_000)
    #expect(cache.statistics().bytes <= 500_000)
    #expect(cache.statistics().fileBytes < 700_000)
    #expect(try numbers(in: library).last == 199)
    try cache.setLimit(0)
    cache.store(entries(0..<5))
    #expect(cache.statistics().count == 0)
    #expect(try numbers(in: library) == [])
  }

  @Test("where no file can be made there are only misses, and the owner is told why")
  func blocked() throws {
    let library = try TestLibrary()
    try FileManager.default.createDirectory(
      atPath: library.path + "/thumbnails.sqlite", withIntermediateDirectories: false)
    let cache = library.store.thumbnails
    cache.store(entries(0..<2))
    #expect(cache.find(key(1)) == nil)
    #expect(throws: StoreError.self) { try cache.setLimit(1 << 30) }
    library.store.close()
  }

  @Test("the owner can clear and limit a damaged cache: it is made anew")
  func managingDamaged() throws {
    let library = try TestLibrary()
    library.store.close()
    _ = try library.folder.file(
      [UInt8](repeating: 0x41, count: 9_000), name: "Photos.photolib/thumbnails.sqlite")
    let store = try library.reopen()
    try store.thumbnails.setLimit(3 << 20)
    #expect(store.thumbnails.statistics().limit == 3 << 20)
  }

  @Test("the state of the library changes with each commit of any store, and only then")
  func commitState() throws {
    let library = try TestLibrary()
    let id = try library.add("a")
    let reader = try library.reopen(.readOnly)
    for (store, selected) in [(library.store, [id]), (reader, [])] {
      let state = try store.commitState()
      _ = try library.ids(in: store)
      store.thumbnails.store(entries(0..<1))
      #expect(try store.commitState() == state)
      try library.select(try client("org.example.a"), selected)
      let after = try store.commitState()
      #expect(after != state)
      #expect(try store.commitState() == after)
    }
    let other = try library.reopen()
    let state = try library.store.commitState()
    let name = try client("org.example.a")
    _ = try other.write { (transaction) throws(StoreError) in
      try transaction.replaceSelection(of: name, with: [id])
    }
    #expect(try library.store.commitState() != state)
  }

  @Test("many threads find and keep at once")
  func threads() async throws {
    let library = try TestLibrary()
    let cache = library.store.thumbnails
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for index in 0..<10 {
            let byte = UInt8(worker * 10 + index)
            cache.store([(self.key(byte), self.picture(byte))])
            if cache.find(self.key(byte))?.data != self.picture(byte).data {
              Issue.record("lost \(byte)")
            }
          }
        }
      }
    }
    #expect(cache.statistics().count == 80)
  }
}

private func fileSize(_ path: String) -> Int {
  var status = stat()
  return unsafe lstat(path, &status) == 0 ? status.st_size : 0
}
