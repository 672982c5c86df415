import FoundationEssentials
import PhotoLibrary
import PhotoModel
import PhotoStore
import Testing

/// The strongest promise of limited access: all that a client is told is what a library would tell it that holds
/// nothing but its selection.
@Suite("Non-interference", .serialized)
struct NonInterferenceTests {
  /// `PHOTOLIB_SESSIONS=2000` and `PHOTOLIB_STEPS=25` make it a campaign.
  private static func number(_ name: String, else usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  @Test(
    "Whatever happens, a limited client is told what a library of its selection alone would tell")
  func sessions() async throws {
    let first = UInt64(Self.number("PHOTOLIB_SEED", else: 1))
    for seed in 0..<UInt64(Self.number("PHOTOLIB_SESSIONS", else: 12)) {
      let difference = try await RandomSession.run(
        seed: first + seed, steps: Self.number("PHOTOLIB_STEPS", else: 20))
      if let difference {
        Issue.record("\(difference)")
        return
      }
    }
  }

  @Test("The same sessions find a gate that leaks", arguments: Leak.allCases)
  func mutants(leak: Leak) async throws {
    for seed in 0..<50 as Range<UInt64> {
      let difference = try await RandomSession.run(seed: 1 + seed, steps: 20) { library, client in
        LibraryClient(
          service: LeakingService(
            leak: leak, wrapped: library.client(client).service, owner: library.owner.service),
          hub: library.owner.hub)
      }
      if difference != nil { return }
    }
    Issue.record("no session of 50 found it")
  }
}

/// A fault of a gate.
enum Leak: CaseIterable {
  /// Counts are of the whole library.
  case counts
  /// Changes are of the whole library.
  case events
}

/// A gate with a fault that is planted.
private struct LeakingService: WrappingService {
  let leak: Leak
  let wrapped: any LibraryService
  let owner: any LibraryService

  func count(_ query: FetchQuery) throws(LibraryError) -> Int {
    try leak == .counts ? owner.count(query) : wrapped.count(query)
  }

  func historyPosition() throws(LibraryError) -> HistoryPosition {
    try leak == .events ? owner.historyPosition() : wrapped.historyPosition()
  }

  func changes(
    since position: HistoryPosition
  ) throws(LibraryError) -> (changes: ChangeSet, position: HistoryPosition) {
    try leak == .events ? owner.changes(since: position) : wrapped.changes(since: position)
  }
}
