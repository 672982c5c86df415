public import PhotoModel
import PhotoStore
import Synchronization

/// The assets that a fetch found: a snapshot whose count and identifiers never change.
///
/// Cheap to copy and safe from any thread. It holds 16 bytes an asset; records are read in batches
/// when they are asked for, each time through what the client may see *then*: an asset that was taken
/// from it since reads as nil, and is left out when iterating.
public struct FetchResult: Sequence, Sendable {
  let service: any LibraryService
  let identifiers: PackedIDs
  /// What was asked for, and up to where the history is in the result: from there its changes are told.
  let query: FetchQuery
  let position: HistoryPosition
  private let batch = Batch()

  /// How many records are read at a time.
  static let batchSize = 128

  init(
    service: any LibraryService, identifiers: PackedIDs, query: FetchQuery,
    position: HistoryPosition
  ) {
    self.service = service
    self.identifiers = identifiers
    self.query = query
    self.position = position
  }

  /// The number of assets found.
  public var count: Int { identifiers.count }

  /// Whether nothing was found.
  public var isEmpty: Bool { identifiers.count == 0 }

  /// The identifier at an index, 0 to `count` - 1.
  public func id(at index: Int) -> AssetID {
    precondition((0..<count).contains(index), "index out of range")
    return identifiers[index]
  }

  /// All identifiers in order.
  public var ids: [AssetID] { (0..<count).map { identifiers[$0] } }

  /// The record at an index, 0 to `count` - 1, or nil where the client no longer sees the asset.
  public subscript(index: Int) -> Asset? {
    precondition((0..<count).contains(index), "index out of range")
    return batch.record(at: index, of: identifiers, from: service)
  }

  /// The first asset of the result, nil where there is none or it is no longer visible.
  public var first: Asset? { isEmpty ? nil : self[0] }

  /// The last asset of the result, nil where there is none or it is no longer visible.
  public var last: Asset? { isEmpty ? nil : self[count - 1] }

  /// Zero: every asset of the result may be gone by the time it is read.
  public var underestimatedCount: Int { 0 }

  /// Iterates over the assets that are still visible, in order.
  public func makeIterator() -> AnyIterator<Asset> {
    var start = 0
    var page: ArraySlice<Asset?> = []
    return AnyIterator {
      while true {
        while let record = page.popFirst() {
          if let record { return record }
        }
        guard start < count else { return nil }
        let end = Swift.min(count, start + Self.batchSize)
        // A library that went away in the middle ends the iteration; a fetch would say why.
        page = ((try? service.records(ids(in: start..<end), dateCandidates: false)) ?? [])[...]
        start = end
      }
    }
  }

  private func ids(in range: Range<Int>) -> [AssetID] { range.map { identifiers[$0] } }

  /// The records read last.
  ///
  /// Shared by copies, replaced as a whole; kept for a moment only, so that a loop over indexes
  /// reads in batches while what was taken from the client is soon gone here too.
  private final class Batch: Sendable {
    private struct Page {
      var start = 0
      var records: [Asset?] = []
      var readAt: ContinuousClock.Instant?
    }
    private let page = Mutex(Page())
    private static let lifetime: Duration = .milliseconds(20)

    func record(
      at index: Int, of identifiers: PackedIDs, from service: any LibraryService
    ) -> Asset? {
      let now = ContinuousClock.now
      let kept = page.withLock { page -> Asset?? in
        guard let readAt = page.readAt, now - readAt < Self.lifetime,
          (page.start..<page.start + page.records.count).contains(index)
        else { return nil }
        return .some(page.records[index - page.start])
      }
      if let kept { return kept }
      let start = index / FetchResult.batchSize * FetchResult.batchSize
      let end = Swift.min(identifiers.count, start + FetchResult.batchSize)
      let ids = (start..<end).map { identifiers[$0] }
      guard let records = try? service.records(ids, dateCandidates: false) else { return nil }
      page.withLock { $0 = Page(start: start, records: records, readAt: now) }
      return records[index - start]
    }
  }
}
