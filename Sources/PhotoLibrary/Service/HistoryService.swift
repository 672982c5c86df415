package import PhotoModel
package import PhotoStore

/// What changed for the client, and when to look.
package protocol HistoryService: Sendable {
  func historyPosition() throws(LibraryError) -> HistoryPosition

  /// What this client saw change since a position.
  func changes(
    since position: HistoryPosition
  ) throws(LibraryError) -> (changes: ChangeSet, position: HistoryPosition)

  /// What this client saw change since a position, commit by commit.
  func steps(
    since position: HistoryPosition
  ) throws(LibraryError) -> (steps: [HistoryStep], position: HistoryPosition)

  /// What a query finds now, and the assets touched since a position, in one state of the library; nil where
  /// this client saw nothing change.
  func fetch(
    _ query: FetchQuery, since position: HistoryPosition
  ) throws(LibraryError) -> (ids: PackedIDs, touched: Set<AssetID>, position: HistoryPosition)?

  /// The position as bytes that only this client can use, and nobody make or read.
  func seal(_ position: HistoryPosition) throws(LibraryError) -> [UInt8]

  /// The position of bytes that were sealed for this client, or `tokenExpired`.
  func open(sealed bytes: [UInt8]) throws(LibraryError) -> HistoryPosition

  /// The state of what the owner decided and of all else in the library: another one after any commit
  /// of any process.
  ///
  /// What was visible in a read that began behind this still is while this gives the same.
  func commitState() throws(LibraryError) -> CommitState
}
