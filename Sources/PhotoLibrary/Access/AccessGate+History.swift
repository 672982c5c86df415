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

  package func steps(
    since position: HistoryPosition
  ) throws(LibraryError) -> (steps: [HistoryStep], position: HistoryPosition) {
    try read { (transaction, visibility) throws(StoreError) in
      try transaction.steps(since: position, client: client, visibility)
    }
  }

  package func fetch(
    _ query: FetchQuery, since position: HistoryPosition
  ) throws(LibraryError) -> (ids: PackedIDs, touched: Set<AssetID>, position: HistoryPosition)? {
    try read { (transaction, visibility) throws(StoreError) in
      let (changes, now) = try transaction.changes(
        since: position, client: client, visibility)
      if changes.isEmpty { return nil }
      let touched = changes.changed.union(changes.inserted).union(changes.removed)
      return (try transaction.identifiers(query, visibility), touched, now)
    }
  }

  package func seal(_ position: HistoryPosition) throws(LibraryError) -> [UInt8] {
    try read { (transaction, _) throws(StoreError) in
      try ChangeToken.seal(position, for: client, in: transaction)
    }
  }

  package func open(sealed bytes: [UInt8]) throws(LibraryError) -> HistoryPosition {
    let position = try read { (transaction, _) throws(StoreError) in
      try ChangeToken.open(bytes, for: client, in: transaction)
    }
    guard let position else { throw .tokenExpired }
    return position
  }

  package func commitState() throws(LibraryError) -> CommitState {
    do { return try store.commitState() } catch { throw LibraryError(error) }
  }
}
