public import PhotoModel

/// What is to become of assets, as a block of ``LibraryClient/performChanges(_:)`` writes it down.
///
/// Nothing happens while the block runs. Behind it all that it names is done in one commit, in its order, or
/// nothing is.
public struct ChangeBlock: ~Copyable {
  package enum Change: Hashable, Sendable {
    case creationDate(CreationDate)
    case originalCreationDate
    case favorite(Bool)
    case hidden(Bool)
    case location(Location?)
    case deletion
  }

  package struct Request: Hashable, Sendable {
    package let change: Change
    package let ids: [AssetID]
  }

  private let service: any LibraryService
  private(set) var requests: [Request] = []

  init(of service: any LibraryService) { self.service = service }

  /// Corrects when photographs were taken; see ``LibraryClient/setCreationDate(_:offset:of:)``.
  ///
  /// - Throws: ``LibraryError`` where the library's time zone cannot be read.
  public mutating func setCreationDate(
    _ wallClock: WallClock, offset: UTCOffset? = nil, of ids: [AssetID]
  ) throws(LibraryError) {
    let date = try service.creationDate(wallClock, offset: offset)
    requests.append(Request(change: .creationDate(date), ids: ids))
  }

  /// Gives photographs back the date that their files name; see ``LibraryClient/restoreCreationDate(of:)``.
  public mutating func restoreCreationDate(of ids: [AssetID]) {
    requests.append(Request(change: .originalCreationDate, ids: ids))
  }

  /// Marks photographs as favourites, or as none.
  public mutating func setFavorite(_ isFavorite: Bool, of ids: [AssetID]) {
    requests.append(Request(change: .favorite(isFavorite), ids: ids))
  }

  /// Hides photographs from fetches that do not ask for hidden ones, or shows them again.
  ///
  /// A hidden asset stays selected for the clients that have it selected.
  public mutating func setHidden(_ isHidden: Bool, of ids: [AssetID]) {
    requests.append(Request(change: .hidden(isHidden), ids: ids))
  }

  /// Corrects where photographs were taken, in their records alone: what stands in their files stays as it is.
  ///
  /// The block fails with `notPermitted` for a client without the permission for places: it would destroy what it
  /// does not see.
  ///
  /// - Parameters:
  ///   - location: degrees and metres, or nil for no place.
  ///   - ids: the assets.
  public mutating func setLocation(_ location: Location?, of ids: [AssetID]) {
    requests.append(Request(change: .location(location), ids: ids))
  }

  /// Puts photographs into the trash, where they are for the owner alone until they are restored or purged.
  ///
  /// The block fails with `notPermitted` where a client did not add one of them itself.
  public mutating func delete(_ ids: [AssetID]) {
    requests.append(Request(change: .deletion, ids: ids))
  }

  /// Whether a block is being written down by this task or thread.
  @TaskLocal private static var isRunning = false

  /// Runs a block, and gives what it wrote down.
  static func record<R>(
    of service: any LibraryService, _ body: (inout ChangeBlock) throws -> R
  ) throws(LibraryError) -> (result: R, requests: [Request]) {
    guard !isRunning else {
      throw LibraryError(
        code: .nestedChanges, message: "a block of changes was begun within another one")
    }
    var block = ChangeBlock(of: service)
    do {
      let result = try $isRunning.withValue(true) { try body(&block) }
      return (result, block.requests)
    } catch let error as LibraryError {
      throw error
    } catch {
      throw LibraryError(code: .cancelled, message: "the block of changes threw: \(error)")
    }
  }
}
