package import PhotoModel
package import PhotoStore

/// What changed for the client, and when to look.
package protocol HistoryService: Sendable {
  func historyPosition() throws(LibraryError) -> HistoryPosition

  /// What this client saw change since a position.
  func changes(
    since position: HistoryPosition
  ) throws(LibraryError) -> (changes: ChangeSet, position: HistoryPosition)

  /// Calls back after commits of any process, until the watch is released.
  func watchCommits(_ wake: @escaping @Sendable () -> Void) throws(LibraryError) -> CommitWatch

  /// The state of what the owner decided and of all else in the library: another one after any commit
  /// of any process.
  ///
  /// What was visible in a read that began behind this still is while this gives the same.
  func commitState() throws(LibraryError) -> CommitState
}
