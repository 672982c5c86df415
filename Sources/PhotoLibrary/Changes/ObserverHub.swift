import Dispatch
import PhotoModel
import PhotoStore
import Synchronization

/// The one watch of a library's commits, shared by all that observe it, and the serial queue on which
/// they read the history and are called.
///
/// It watches while anybody observes.
package final class ObserverHub: Sendable {
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  private let store: Store
  let queue = DispatchQueue(label: "photolib.changes")
  private let state = Mutex(State())

  private struct State {
    var watch: CommitWatch?
    var lastListener: UInt64 = 0
    var listeners: [UInt64: @Sendable () -> Void] = [:]
    var observers: [ObserverKey: Observation] = [:]
  }

  private struct ObserverKey: Hashable {
    let observer: ObjectIdentifier
    let client: ClientID?
  }

  init(_ store: Store) {
    self.store = store
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// Calls `wake` on the queue after commits of any process, as long as the result is kept.
  func listen(_ wake: @escaping @Sendable () -> Void) throws(LibraryError) -> CommitListener {
    let number = try state.withLock { (state) throws(LibraryError) in
      try watch(&state)
      state.lastListener += 1
      state.listeners[state.lastListener] = wake
      return state.lastListener
    }
    return CommitListener(hub: self, number: number)
  }

  fileprivate func removeListener(_ number: UInt64) {
    let ended = state.withLock { state in
      state.listeners[number] = nil
      return Self.unwatched(&state)
    }
    withExtendedLifetime(ended) {}
  }

  /// Runs `body` on the queue, for a task that must not block a thread of Swift's.
  func read<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body()) }
    }
  }

  /// Begins to tell an observer what changes from a position on; does nothing where it is told already.
  func register(
    _ observer: any PhotoLibraryChangeObserver, of service: any LibraryService,
    from position: HistoryPosition
  ) throws(LibraryError) {
    let key = ObserverKey(observer: ObjectIdentifier(observer), client: service.client)
    let observation = Observation(observer, service, position)
    let isNew = try state.withLock { (state) throws(LibraryError) in
      // An object that is gone may have left its address to this one.
      if state.observers[key]?.isAlive == true { return false }
      try watch(&state)
      state.observers[key] = observation
      return true
    }
    // Commits between the position and the beginning of the watch.
    if isNew { queue.async { observation.tell() } }
  }

  /// Ends it: no call begins after this, and none is under way, but for that from within which it is asked.
  func unregister(_ observer: any PhotoLibraryChangeObserver, of client: ClientID?) {
    let key = ObserverKey(observer: ObjectIdentifier(observer), client: client)
    let (observation, ended) = state.withLock { state in
      (state.observers.removeValue(forKey: key), Self.unwatched(&state))
    }
    withExtendedLifetime(ended) {}
    let isWithinCall = DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
    observation?.end(waiting: !isWithinCall)
  }

  private func watch(_ state: inout State) throws(LibraryError) {
    guard state.watch == nil else { return }
    do {
      state.watch = try store.watchCommits { [weak self] in
        guard let self else { return }
        queue.async { [weak self] in self?.wake() }
      }
    } catch {
      throw LibraryError(error)
    }
  }

  /// Takes the watch out where nobody observes, to be released behind the lock.
  private static func unwatched(_ state: inout State) -> CommitWatch? {
    guard state.listeners.isEmpty, state.observers.isEmpty else { return nil }
    defer { state.watch = nil }
    return state.watch
  }

  private func wake() {
    let (listeners, observers, ended) = state.withLock { state in
      state.observers = state.observers.filter { $0.value.isAlive }
      return (
        Array(state.listeners.values), Array(state.observers.values), Self.unwatched(&state)
      )
    }
    withExtendedLifetime(ended) {}
    for wake in listeners { wake() }
    for observer in observers { observer.tell() }
  }
}

/// Ends a listener's calls when it is released.
final class CommitListener: Sendable {
  private let hub: ObserverHub
  private let number: UInt64

  fileprivate init(hub: ObserverHub, number: UInt64) {
    self.hub = hub
    self.number = number
  }

  deinit { hub.removeListener(number) }
}

/// One observer, held weakly, and up to where it was told the history.
private final class Observation: Sendable {
  private struct Reference: Sendable {
    weak var observer: (any PhotoLibraryChangeObserver)?
  }

  private let reference: Mutex<Reference>
  private let service: any LibraryService
  private let position: Mutex<HistoryPosition>
  private let isEnded = Atomic(false)
  /// Held while the observer is called.
  private let call = Mutex(())

  init(
    _ observer: any PhotoLibraryChangeObserver, _ service: any LibraryService,
    _ position: HistoryPosition
  ) {
    reference = Mutex(Reference(observer: observer))
    self.service = service
    self.position = Mutex(position)
  }

  var isAlive: Bool { reference.withLock { $0.observer != nil } }

  /// Tells all that is new; on the hub's queue alone.
  func tell() {
    let since = position.withLock { $0 }
    guard let found = found(since: since) else { return }
    for step in found.steps {
      guard let observer = reference.withLock({ $0.observer }) else { return }
      let change = Change(
        changes: step.changes, isFolded: step.isFolded, position: step.position, service: service)
      call.withLock { _ in
        guard !isEnded.load(ordering: .acquiring) else { return }
        observer.photoLibraryDidChange(change)
      }
    }
    position.withLock { $0 = found.position }
  }

  private func found(
    since: HistoryPosition
  ) -> (steps: [HistoryStep], position: HistoryPosition)? {
    do throws(LibraryError) {
      return try service.steps(since: since)
    } catch  where error.code == .tokenExpired {
      // It slept for longer than the history is kept: it goes on from now.
      return (try? service.historyPosition()).map { ([], $0) }
    } catch {
      // The library cannot be read now; the next commit is another try.
      return nil
    }
  }

  func end(waiting: Bool) {
    isEnded.store(true, ordering: .releasing)
    if waiting { call.withLock { _ in } }
  }
}
