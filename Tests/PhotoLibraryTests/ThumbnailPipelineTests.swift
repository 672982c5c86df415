import PhotoLibrary
import PhotoLibraryTesting
import Testing

@Suite("The thumbnail pipeline", .timeLimit(.minutes(5)))
struct ThumbnailPipelineTests {
  private func isWaiting(_ count: Int, in library: Library) -> Bool {
    library.waitingThumbnails.lookUps == 0 && library.waitingThumbnails.decodes == count
  }

  // MARK: Equal requests

  @Test("Equal requests under way share one decode, whoever asks")
  func coalesced() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 2))
    let library = temporary.library
    let ids = try await temporary.addPictures(2)
    let readers = [
      library.owner, try temporary.client(.authorized, id: "org.example.full"),
      try temporary.client(.limited, id: "org.example.limited", selecting: ids),
    ]
    var tasks = [readers[0].request(ids[0], usesCache: false)]
    for number in 0..<60 {
      tasks.append(readers[number % 3].request(ids[0], number % 2 == 0 ? .batch : .interactive))
    }
    let other = readers[1].request(
      ids[0], recipe: ThumbnailRecipe(size: PixelSize(width: 20, height: 20)))
    await until { isWaiting(62, in: library) }
    await until { decodes.begun.count == 2 }
    decodes.release()
    let first = try await tasks[0].value.get()
    for task in tasks { #expect(try await task.value.get() == first) }
    #expect(try await other.value.get().size == PixelSize(width: 20, height: 15))
    #expect(decodes.begun.count == 2)
    // Somebody wanted it kept, so it is found, whether or not it is written yet.
    #expect(try await readers[1].thumbnail(for: ids[0]).source == .cache)
    #expect(decodes.begun.count == 2)
  }

  @Test("What nobody wants kept is not kept, and the next request makes it anew")
  func unkept() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let id = try await temporary.addPictures(1)[0]
    decodes.release()
    let owner = temporary.library.owner
    _ = try await owner.thumbnail(for: id, usesCache: false)
    #expect(try await owner.thumbnail(for: id).source == .decoded)
    #expect(decodes.begun.count == 2)
  }

  // MARK: Order

  @Test(
    "A person's request overtakes a batch, a batch overtakes prefetching, and each keeps its order")
  func priorities() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let library = temporary.library
    let ids = try await temporary.addPictures(8)
    var tasks = [library.owner.request(ids[0], .prefetch)]
    await until { decodes.begun.count == 1 }
    let requests: [(Int, ThumbnailRequest.Priority)] = [
      (1, .prefetch), (2, .batch), (3, .prefetch), (4, .interactive), (5, .batch), (6, .prefetch),
      (7, .interactive),
      // Equal to one that waits: it moves up, behind those that a person waits for already.
      (6, .interactive),
    ]
    for (index, (asset, priority)) in requests.enumerated() {
      tasks.append(library.owner.request(ids[asset], priority))
      await until { isWaiting(index + 2, in: library) }
    }
    decodes.release()
    for task in tasks { _ = try await task.value.get() }
    #expect(decodes.begun == [0, 4, 7, 6, 2, 5, 1, 3].map { ids[$0] })
  }

  @Test("A decode is as urgent as those who still wait for it")
  func leavingLowersPriority() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let library = temporary.library
    let ids = try await temporary.addPictures(4)
    var tasks = [library.owner.request(ids[0])]
    await until { decodes.begun.count == 1 }
    for asset in [1, 2, 3] {
      tasks.append(library.owner.request(ids[asset], .batch))
      await until { isWaiting(asset + 1, in: library) }
    }
    let hurried = library.owner.request(ids[2], .interactive)
    await until { isWaiting(5, in: library) }
    hurried.cancel()
    #expect(await hurried.value.code == .cancelled)
    decodes.release()
    for task in tasks { _ = try await task.value.get() }
    #expect(decodes.begun == ids)
  }

  // MARK: Cancelling

  @Test("Row 122: Cancelling one of several requests ends it at once and leaves the others")
  func cancelOne() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let library = temporary.library
    let id = try await temporary.addPictures(1)[0]
    let first = library.owner.request(id)
    let second = library.owner.request(id)
    await until { isWaiting(2, in: library) }
    await until { decodes.begun.count == 1 }
    first.cancel()
    // The decode is still held.
    #expect(await first.value.code == .cancelled)
    decodes.release()
    _ = try await second.value.get()
    #expect(decodes.begun.count == 1)
  }

  @Test("Row 122: A decode that nobody waits for any longer does not begin, or does not end")
  func cancelAll() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let library = temporary.library
    let ids = try await temporary.addPictures(3)
    let running = [library.owner.request(ids[0]), library.owner.request(ids[0])]
    await until { decodes.begun.count == 1 }
    let waiting = [library.owner.request(ids[1]), library.owner.request(ids[1])]
    let wanted = library.owner.request(ids[2])
    await until { isWaiting(5, in: library) }
    for task in running + waiting { task.cancel() }
    for task in running + waiting { #expect(await task.value.code == .cancelled) }
    #expect(isWaiting(1, in: library))
    // A new request has nothing to do with the cancelled decode, which is still held.
    let anew = library.owner.request(ids[0])
    await until { isWaiting(2, in: library) }
    decodes.release()
    _ = try await wanted.value.get()
    #expect(try await anew.value.get().source == .decoded)
    #expect(decodes.begun == [ids[0], ids[2], ids[0]])
  }

  @Test("Rows 122 and 128: Ten thousand requests are cancelled without a decode")
  func cancelMany() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let library = temporary.library
    let ids = try await temporary.addPictures(2)
    let held = library.owner.request(ids[0])
    await until { decodes.begun.count == 1 }
    let tasks = (0..<10_000).map { number in
      library.owner.request(
        ids[1], .batch,
        recipe: ThumbnailRecipe(size: PixelSize(width: 1 + number % 5_000, height: 10)))
    }
    await until { isWaiting(10_001, in: library) }
    for task in tasks { task.cancel() }
    for task in tasks { #expect(await task.value.code == .cancelled) }
    #expect(isWaiting(1, in: library))
    decodes.release()
    _ = try await held.value.get()
    #expect(decodes.begun == [ids[0]])
  }

  // MARK: What a client may see

  @Test(
    "A request for a forbidden asset never meets a decode of it, and is answered like an unknown one"
  )
  func forbidden() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let library = temporary.library
    let ids = try await temporary.addPictures(2)
    let client = try temporary.client(.limited, selecting: [ids[1]])
    let stranger = library.client(try #require(ClientID("org.example.stranger")))
    let owner = library.owner.request(ids[0])
    await until { decodes.begun.count == 1 }
    // All are answered though the only decode is held.
    let forbidden = await client.request(ids[0]).value
    let unknown = await client.request(AssetID()).value
    #expect(forbidden == unknown)
    #expect(forbidden.code == .identifierNotFound)
    #expect(await stranger.request(ids[0]).value == stranger.request(AssetID()).value)
    #expect(await stranger.request(ids[0]).value.code == .notPermitted)
    #expect(isWaiting(1, in: library))
    let prefetcher = ThumbnailPrefetcher(for: client)
    prefetcher.startCachingThumbnails(for: [ids[0], AssetID()])
    await prefetcher.finish()
    decodes.release()
    _ = try await owner.value.get()
    #expect(decodes.begun == [ids[0]])
  }

  @Test("Row 43: What is taken from a client while a shared decode runs goes to the others only")
  func revokedWhileDecoding() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary(configuration: decodes.configuration(jobs: 1))
    let library = temporary.library
    let ids = try await temporary.addPictures(2)
    let one = try temporary.client(.limited, id: "org.example.one", selecting: ids)
    let two = try temporary.client(.limited, id: "org.example.two", selecting: ids)
    let three = try temporary.client(.limited, id: "org.example.three", selecting: ids)
    let requests = [one, two, three, library.owner].map { $0.request(ids[0]) }
    await until { isWaiting(4, in: library) }
    await until { decodes.begun.count == 1 }
    try library.select(.replace([ids[1]]), for: try #require(one.id))
    // As another process would.
    try temporary.reopened().setAccess(of: try #require(three.id), .deny)
    decodes.release()
    #expect(await requests[0].value.code == .identifierNotFound)
    #expect(try await requests[1].value.get().size == PixelSize(width: 64, height: 48))
    #expect(await requests[2].value.code == .notPermitted)
    #expect(try await requests[3].value.get().size == PixelSize(width: 64, height: 48))
    #expect(decodes.begun.count == 1)
  }

  @Test(
    "Rows 43 and 123: Of what was taken from a client not even is told that it cannot be decoded")
  func revokedFault() async throws {
    let decodes = HeldDecodes()
    let temporary = try TemporaryLibrary()
    let ids = try await temporary.addPictures(1)
    let client = try temporary.client(.limited, selecting: ids)
    // So little memory that no picture can be decoded.
    let library = try Library.open(
      at: temporary.library.path,
      configuration: decodes.configuration(jobs: 1, memoryMegabytes: 1))
    let revoked = library.client(try #require(client.id)).request(ids[0])
    let owner = library.owner.request(ids[0])
    await until { isWaiting(2, in: library) }
    await until { decodes.begun.count == 1 }
    try temporary.library.select(.none, for: try #require(client.id))
    decodes.release()
    #expect(await revoked.value.code == .identifierNotFound)
    #expect(await owner.value.code == .overLimit)
  }
}
