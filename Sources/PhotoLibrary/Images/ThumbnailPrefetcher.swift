public import PhotoModel
import Synchronization

/// Makes thumbnails before they are asked for, as PhotoKit's caching image manager does: those that a
/// view will show when it is scrolled on.
///
/// They are made when nothing else is to be done, and put into the library's cache, where ``LibraryClient``
/// finds them. A request of the same asset and recipe that comes meanwhile shares the work, and hurries
/// it. Assets that the client does not see are passed over in silence, and where the library's folder cannot
/// be written nothing is done. Safe from any thread. Work ends with the last reference.
public final class ThumbnailPrefetcher: Sendable {
  private struct Entry {
    let recipe: ThumbnailRecipe
    let task: Task<Void, Never>
  }

  private let service: any LibraryService
  /// What was started and not stopped, whether or not it is done.
  private let entries = Mutex<[AssetID: Entry]>([:])

  /// Makes thumbnails for one client.
  public init(for client: LibraryClient) { service = client.service }

  deinit { stopCachingThumbnailsForAllAssets() }

  /// Begins to make thumbnails of these assets, in this order, and returns at once.
  ///
  /// Where an asset's thumbnail was started already, with whatever recipe, that stands until it is
  /// stopped.
  ///
  /// - Parameters:
  ///   - ids: the assets.
  ///   - recipe: exactly as in the requests to come; with another recipe a request is answered as if
  ///     nothing had been started. A recipe that requests are refused for starts nothing.
  public func startCachingThumbnails(
    for ids: [AssetID], recipe: ThumbnailRecipe = ThumbnailRecipe()
  ) {
    guard recipe.problem == nil else { return }
    entries.withLock { entries in
      for id in ids where entries[id] == nil {
        let request = ThumbnailRequest(
          asset: id, recipe: recipe, usesCache: true, priority: .prefetch)
        entries[id] = Entry(
          recipe: recipe, task: Task { [service] in await service.prefetch(request) })
      }
    }
  }

  /// Stops the work on these assets, if it was started with this recipe: what has not begun, and what
  /// runs, unless others wait for it too.
  ///
  /// What is in the library's cache stays there, within the limit of that.
  public func stopCachingThumbnails(
    for ids: [AssetID], recipe: ThumbnailRecipe = ThumbnailRecipe()
  ) {
    let tasks = entries.withLock { entries in
      ids.compactMap { id in
        entries[id]?.recipe == recipe ? entries.removeValue(forKey: id)?.task : nil
      }
    }
    for task in tasks { task.cancel() }
  }

  /// Stops all work.
  public func stopCachingThumbnailsForAllAssets() {
    let stopped = entries.withLock { entries in
      defer { entries = [:] }
      return entries
    }
    for entry in stopped.values { entry.task.cancel() }
  }

  /// Returns when all that was started and not stopped is in the cache, or cannot be made.
  public func finish() async {
    for entry in entries.withLock({ Array($0.values) }) { await entry.task.value }
    await service.finishCaching()
  }
}
