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
    #expect(cache.size().count == 2)
  }

  @Test("every field of a key counts")
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
      "UPDATE thumbnails SET data = zeroblob(5000) WHERE row = 1", file: "thumbnails.sqlite")
    #expect(cache.find(key(1)) == nil)
    #expect(cache.size().count == 1)
    let stolen = try key(3, scope: "org.example.other").digest().hexadecimal
    try library.tamper("UPDATE thumbnails SET key = x'\(stolen)'", file: "thumbnails.sqlite")
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
    #expect(cache.size().count == 80)
  }
}
