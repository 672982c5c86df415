import PhotoLibrary
import PhotoLibraryTesting
import Testing

@Suite("Prefetching thumbnails", .timeLimit(.minutes(5)))
struct ThumbnailPrefetcherTests {
  private let small = ThumbnailRecipe(size: PixelSize(width: 32, height: 32))

  @Test("Rows 129 and 130: What was prefetched comes from the cache, for equal recipes only")
  func hit() async throws {
    let decodes = HeldDecodes()
    decodes.release()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 2))
    let ids = try await temporary.addPictures(5)
    let owner = temporary.library.owner
    let prefetcher = ThumbnailPrefetcher(for: owner)
    prefetcher.startCachingThumbnails(for: ids, recipe: small)
    await prefetcher.finish()
    #expect(Set(decodes.begun) == Set(ids))
    for id in ids {
      #expect(try await owner.thumbnail(for: id, recipe: small).source == .cache)
    }
    #expect(decodes.begun.count == 5)
    let other = try await owner.thumbnail(for: ids[0])
    #expect(other.source == .decoded)
    #expect(other.size == PixelSize(width: 64, height: 48))
  }

  @Test("Row 129: A request shares the prefetching of its picture")
  func shared() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let ids = try await temporary.addPictures(2)
    let owner = temporary.library.owner
    let prefetcher = ThumbnailPrefetcher(for: owner)
    prefetcher.startCachingThumbnails(for: [ids[0]])
    await until { decodes.begun.count == 1 }
    let request = owner.request(ids[0])
    await until { temporary.library.waitingThumbnails.decodes == 2 }
    // And stopping it leaves the request.
    prefetcher.stopCachingThumbnails(for: ids)
    decodes.release()
    #expect(try await request.value.get().source == .decoded)
    #expect(decodes.begun == [ids[0]])
  }

  @Test("Row 131: The first recipe of an asset stands until it is stopped")
  func firstWins() async throws {
    let temporary = try TemporaryLibrary()
    let id = try await temporary.addPictures(1)[0]
    let owner = temporary.library.owner
    let prefetcher = ThumbnailPrefetcher(for: owner)
    prefetcher.startCachingThumbnails(for: [id], recipe: small)
    prefetcher.startCachingThumbnails(for: [id, id])
    // Not what was started.
    prefetcher.stopCachingThumbnails(for: [id])
    await prefetcher.finish()
    #expect(try await owner.thumbnail(for: id).source == .decoded)
    #expect(try await owner.thumbnail(for: id, recipe: small).source == .cache)
    let larger = ThumbnailRecipe(size: PixelSize(width: 40, height: 40))
    prefetcher.stopCachingThumbnails(for: [id], recipe: small)
    prefetcher.startCachingThumbnails(for: [id], recipe: larger)
    await prefetcher.finish()
    #expect(try await owner.thumbnail(for: id, recipe: larger).source == .cache)
  }

  @Test("Row 132: Stopping takes back what waits and what runs, and nothing else")
  func stop() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let library = temporary.library
    let ids = try await temporary.addPictures(5)
    let prefetcher = ThumbnailPrefetcher(for: library.owner)
    prefetcher.startCachingThumbnails(for: [ids[0]])
    await until { decodes.begun.count == 1 }
    for (index, id) in ids.dropFirst().enumerated() {
      prefetcher.startCachingThumbnails(for: [id])
      await until { library.waitingThumbnails.decodes == index + 2 }
    }
    prefetcher.stopCachingThumbnails(for: [ids[0], ids[2]])
    await until { library.waitingThumbnails.decodes == 3 }
    decodes.release()
    await prefetcher.finish()
    #expect(decodes.begun == [ids[0], ids[1], ids[3], ids[4]])
    for (id, source) in zip(ids, [.decoded, .cache, .decoded, .cache] as [Thumbnail.Source]) {
      #expect(try await library.owner.thumbnail(for: id).source == source)
    }
  }

  @Test(
    "Row 132: Stopping all, or letting go of the prefetcher, leaves nothing behind",
    arguments: [true, false])
  func stopAll(explicitly: Bool) async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let ids = try await temporary.addPictures(4)
    var prefetcher: ThumbnailPrefetcher? = ThumbnailPrefetcher(for: temporary.library.owner)
    prefetcher?.startCachingThumbnails(for: ids)
    await until { temporary.library.waitingThumbnails.decodes == 4 }
    if explicitly {
      prefetcher?.stopCachingThumbnailsForAllAssets()
    } else {
      prefetcher = nil
    }
    await until { temporary.library.waitingThumbnails.decodes == 0 }
    decodes.release()
    _ = try await temporary.library.owner.thumbnail(for: ids[3])
    #expect(decodes.begun.count <= 2)
    #expect(decodes.begun.last == ids[3])
    await prefetcher?.finish()
  }
}
