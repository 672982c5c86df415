public import PhotoModel
import PhotoStore

/// What clients ask, and what their owner answers.
extension Library {
  /// What waits for the owner's answer, the oldest first.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func pendingRequests() throws(LibraryError) -> [AccessRequest] {
    try read { (transaction) throws(StoreError) in try transaction.pendingRequests() }
  }

  /// Answers a request; holds from the commit on, and whoever waits for it is told.
  ///
  /// For a level of access only that level is set, so that the other one stays undecided; who may read may add
  /// all the same. A request for more photos is answered by selecting them, and can be denied here.
  ///
  /// - Parameters:
  ///   - id: a request that waits.
  ///   - answer: full, limited (reading only) or denied; for a deletion full or denied.
  /// - Throws: ``LibraryError``: `identifierNotFound` where no such request waits, `invalidArgument` for an answer
  ///   that does not fit it, or what writing the library threw.
  public func answer(_ id: RequestID, _ answer: RequestAnswer) throws(LibraryError) {
    try write { (transaction) throws(StoreError) in try transaction.answer(id, answer) }
  }
}
