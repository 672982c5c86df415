import Dispatch

/// Work that reads or writes the index for callers that are `async`: it has a Dispatch queue of its own, so
/// that none of Swift's cooperative threads waits for a disk or a lock.
enum BlockingWork {
  private static let queue = DispatchQueue(
    label: "photolib.blocking", qos: .userInitiated)

  /// Runs it there, and waits without a thread.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(LibraryError) -> Value
  ) async throws(LibraryError) -> Value {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        do throws(LibraryError) {
          continuation.resume(returning: Result<Value, LibraryError>.success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
