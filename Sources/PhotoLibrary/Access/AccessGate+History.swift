package import PhotoModel
package import PhotoStore

extension AccessGate {
  package func historyPosition() throws(LibraryError) -> HistoryPosition {
    try read { (transaction, visibility) throws(StoreError) in
      try transaction.historyPosition(client: client, visibility)
    }
  }

  package func changes(
    since position: HistoryPosition
  ) throws(LibraryError) -> (changes: ChangeSet, position: HistoryPosition) {
    try read { (transaction, visibility) throws(StoreError) in
      try transaction.changes(since: position, client: client, visibility)
    }
  }

  package func watchCommits(
    _ wake: @escaping @Sendable () -> Void
  ) throws(LibraryError) -> CommitWatch {
    do {
      return try store.watchCommits(wake)
    } catch {
      throw LibraryError(error)
    }
  }

  package func commitState() throws(LibraryError) -> CommitState {
    do { return try store.commitState() } catch { throw LibraryError(error) }
  }
}
