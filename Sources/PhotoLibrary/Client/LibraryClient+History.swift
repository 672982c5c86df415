extension LibraryClient {
  /// Observes what changes for this client from now on, by commits of any process.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func changes() throws(LibraryError) -> ChangeSequence {
    try ChangeSequence(service: service, hub: hub)
  }

  /// Begins to tell an observer, which is held weakly, what changes for this client from now on.
  ///
  /// Goes on as long as the library, or a client of it, is kept.
  /// An observer that is registered already stays so, and is called once a change.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read or watched.
  public func register(
    _ observer: any PhotoLibraryChangeObserver
  ) throws(LibraryError) {
    try hub.register(observer, of: service, from: try service.historyPosition())
  }

  /// Begins to tell an observer what changed for this client since a token, and what changes from now on.
  ///
  /// - Throws: ``LibraryError`` `tokenExpired` for a token that is too old or none of this client's; as
  ///   `register(_:)` does.
  public func register(
    _ observer: any PhotoLibraryChangeObserver, since token: ChangeToken
  ) throws(LibraryError) {
    let position = try service.open(sealed: token.bytes)
    // It says now, and not on the queue, that the history does not reach back so far.
    _ = try service.steps(since: position)
    try hub.register(observer, of: service, from: position)
  }

  /// Ends it: when this returns, no call is under way and none will come.
  ///
  /// Within a call of an observer of the same library, that very call goes on.
  public func unregister(_ observer: any PhotoLibraryChangeObserver) {
    hub.unregister(observer, of: id)
  }

  /// The place in this client's history now, to ask later what changed since.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func currentChangeToken() throws(LibraryError) -> ChangeToken {
    ChangeToken(bytes: try service.seal(try service.historyPosition()))
  }

  /// What changed for this client since a token, commit by commit; the history is kept for 90 days.
  ///
  /// - Throws: ``LibraryError`` `tokenExpired` for a token that is too old, of another client or library, or
  ///   none at all: then fetch anew.
  public func changes(since token: ChangeToken) throws(LibraryError) -> PersistentChanges {
    try PersistentChanges(service: service, since: token)
  }
}
