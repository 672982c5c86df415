public import PhotoModel
import PhotoStore

/// What one commit changed for a client, found in the history.
public struct PersistentChange: Hashable, Sendable {
  /// The assets that came, differ and went.
  public let changes: ChangeSet
  /// The place in the history behind this change.
  public let token: ChangeToken
}

/// The changes since a token, in the order of their commits.
///
/// Where the client's access was switched since, or more than 1,000 commits were made, they are one change.
public struct PersistentChanges: Sequence, Sendable {
  private let changes: [PersistentChange]
  /// The place in the history behind all of them: from where to ask the next time.
  public let token: ChangeToken

  init(service: any LibraryService, since token: ChangeToken) throws(LibraryError) {
    let (steps, position) = try service.steps(since: try service.open(sealed: token.bytes))
    var changes: [PersistentChange] = []
    for step in steps {
      changes.append(
        PersistentChange(
          changes: step.changes, token: ChangeToken(bytes: try service.seal(step.position))))
    }
    self.changes = changes
    self.token = ChangeToken(bytes: try service.seal(position))
  }

  /// Iterates over the changes, the first commit's first.
  public func makeIterator() -> IndexingIterator<[PersistentChange]> { changes.makeIterator() }
}
