import Dispatch
import PhotoModel
import Synchronization

/// Waits until a request is answered, by whichever process; no thread waits meanwhile.
///
/// Where its task is cancelled the request is withdrawn.
final class RequestWaiter: Sendable {
  private typealias Outcome = Result<RequestAnswer, LibraryError>

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    var listener: CommitListener?
    var outcome: Outcome?
  }

  private let id: RequestID
  private let service: any LibraryService
  private let hub: ObserverHub
  private let state = Mutex(State())

  private init(_ id: RequestID, _ service: any LibraryService, _ hub: ObserverHub) {
    self.id = id
    self.service = service
    self.hub = hub
  }

  /// Waits for the answer.
  ///
  /// - Returns: what the owner answered, or `withdrawn` where somebody else who waited for the same request
  ///   withdrew it.
  /// - Throws: `cancelled` where the task was, or what reading the library threw.
  static func answer(
    to id: RequestID, of client: LibraryClient
  ) async throws(LibraryError) -> RequestAnswer {
    let waiter = RequestWaiter(id, client.service, client.hub)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter.begin($0) }
    } onCancel: {
      waiter.cancel()
    }
    return try outcome.get()
  }

  private func begin(_ continuation: CheckedContinuation<Outcome, Never>) {
    let known = state.withLock { state in
      if state.outcome == nil { state.continuation = continuation }
      return state.outcome
    }
    if let known { return continuation.resume(returning: known) }
    hub.queue.async { [self] in
      do throws(LibraryError) {
        // Listening begins before the first look, so no answer falls between the two.
        let listener = try hub.listen { [weak self] in self?.look() }
        state.withLock { if $0.outcome == nil { $0.listener = listener } }
      } catch {
        return finish(.failure(error))
      }
      look()
    }
  }

  /// Reads the index; on the hub's queue alone.
  private func look() {
    guard state.withLock({ $0.outcome == nil }) else { return }
    do throws(LibraryError) {
      if let answer = try service.answer(to: id) { finish(.success(answer)) }
    } catch {
      finish(.failure(error))
    }
  }

  private func cancel() {
    hub.queue.async { [self] in
      guard state.withLock({ $0.outcome == nil }) else { return }
      // Where it cannot be withdrawn, the owner's answer to it still is of use to the next who asks.
      try? service.withdraw(id)
      finish(.failure(.cancelled))
    }
  }

  private func finish(_ outcome: Outcome) {
    let ended = state.withLock { state in
      defer {
        if state.outcome == nil { state = State(outcome: outcome) }
      }
      return state
    }
    ended.continuation?.resume(returning: outcome)
  }
}
