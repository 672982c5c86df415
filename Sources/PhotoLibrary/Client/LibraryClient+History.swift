extension LibraryClient {
  /// Observes what changes for this client from now on, by commits of any process.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func changes() throws(LibraryError) -> ChangeSequence {
    try ChangeSequence(service: service)
  }
}
