import Dispatch
import PhotoLibrary
import PhotoLibraryTesting
import Synchronization

/// Sees decodes begin, and holds them until it is told to let them go on.
final class HeldDecodes: Sendable {
  private let state = Mutex((begun: [AssetID](), isHeld: true))
  private let gate = DispatchGroup()

  /// Holds from the start.
  init() { gate.enter() }

  deinit { release() }

  /// The assets whose decodes have begun, in that order.
  var begun: [AssetID] { state.withLock { $0.begun } }

  /// Lets go of those that are held, and holds no more.
  func release() {
    let wasHeld = state.withLock { state in
      defer { state.isHeld = false }
      return state.isHeld
    }
    if wasHeld { gate.leave() }
  }

  /// Defaults, but for how many are decoded at a time.
  func configuration(jobs: Int, memoryMegabytes: Int = 320) -> LibraryConfiguration {
    var configuration = LibraryConfiguration()
    configuration.decodeJobs = jobs
    configuration.memoryMegabytes = memoryMegabytes
    configuration.decodeWillBegin = { id in
      self.state.withLock { $0.begun.append(id) }
      self.gate.wait()
    }
    return configuration
  }
}

/// Waits until something is so; the test's time limit ends it if it never is.
func until(_ condition: () -> Bool) async {
  while !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(2)) }
}

extension TemporaryLibrary {
  /// Small pictures of different bytes.
  func addPictures(_ count: Int, size: PixelSize = PixelSize(width: 64, height: 48)) async throws
    -> [AssetID]
  {
    try await add(
      (0..<count).map { number in
        var picture = TestPicture(date: "2024-01-01 12:00:00Z", size: size)
        picture.number = number
        return picture
      })
  }
}

extension LibraryClient {
  /// Asks for a thumbnail in a task of its own.
  func request(
    _ id: AssetID, _ priority: ThumbnailRequest.Priority = .interactive,
    recipe: ThumbnailRecipe = ThumbnailRecipe(), usesCache: Bool = true,
    allowsPreview: Bool = false
  ) -> Task<Result<Thumbnail, LibraryError>, Never> {
    let service = service
    let request = ThumbnailRequest(
      asset: id, recipe: recipe, usesCache: usesCache, priority: priority,
      allowsPreview: allowsPreview)
    return Task {
      do throws(LibraryError) {
        return .success(try await service.thumbnail(request))
      } catch {
        return .failure(error)
      }
    }
  }
}

extension Result where Failure == LibraryError {
  /// Why it failed, or nil.
  var code: LibraryError.Code? {
    if case .failure(let error) = self { error.code } else { nil }
  }
}
