import FoundationEssentials
import Glibc
import PhotoModel
import Synchronization
import Testing

@testable import PhotoStore

@Suite("Watching for commits", .serialized)
struct WatchTests {
  final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .acquiring) }
    func increment() { value.wrappingAdd(1, ordering: .acquiringAndReleasing) }
  }

  private func commit(_ store: Store) throws {
    let frame = try client("org.example.frame")
    // The other way round each time: writing what is there already is no commit.
    try store.write { (transaction) throws(StoreError) in
      let location = try transaction.reading.client(frame)?.location ?? false
      try transaction.setAccess(frame, readWrite: nil, addOnly: nil, location: !location)
    }
  }

  @Test(
    "commits of this store and of another wake; reads and the cache do not", .timeLimit(.minutes(1))
  )
  func wakes() throws {
    let library = try TestLibrary()
    let writer = try library.reopen()
    let counter = Counter()
    let watch = try library.store.watchCommits { counter.increment() }
    try commit(writer)
    #expect(eventually { counter.count == 1 })
    try commit(library.store)
    #expect(eventually { counter.count == 2 })
    _ = try library.ids()
    library.store.thumbnails.store([
      (
        ThumbnailKey(sha256: [1], orientation: .up, recipe: ThumbnailRecipe(), scope: nil),
        Thumbnail(data: [1], size: PixelSize(width: 1, height: 1), source: .decoded)
      )
    ])
    usleep(150_000)
    #expect(counter.count == 2)
    watch.stop()
    usleep(20_000)
    try commit(writer)
    usleep(100_000)
    #expect(counter.count == 2)
  }

  @Test("a commit whose writer never rang is not missed", .timeLimit(.minutes(1)))
  func noRing() throws {
    let library = try TestLibrary()
    let counter = Counter()
    let watch = try library.store.watchCommits { counter.increment() }
    for round in 1...5 {
      try library.tamper("UPDATE library SET last_added = last_added + 1")
      #expect(eventually { counter.count >= round })
    }
    watch.stop()
  }

  @Test("a wake comes within 50 ms", .timeLimit(.minutes(1)))
  func latency() throws {
    let library = try TestLibrary()
    let writer = try library.reopen()
    let counter = Counter()
    let watch = try library.store.watchCommits { counter.increment() }
    var times: [Duration] = []
    for round in 1...20 {
      try commit(writer)
      let start = ContinuousClock.now
      #expect(eventually { counter.count >= round })
      times.append(ContinuousClock.now - start)
    }
    // The median: a busy machine may hold any single one up.
    #expect(times.sorted()[10] < .milliseconds(50))
    watch.stop()
  }

  @Test("the end of the watch ends its thread", .timeLimit(.minutes(1)))
  func release() throws {
    let library = try TestLibrary()
    weak var held: Counter?
    do {
      let counter = Counter()
      held = counter
      let watch = try library.store.watchCommits { counter.increment() }
      withExtendedLifetime(watch) {}
    }
    #expect(eventually { held == nil })
  }
}
