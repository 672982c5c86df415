import PhotoStore

extension Library {
  /// Counts and bytes of the whole library.
  public func statistics() throws(LibraryError) -> LibraryStatistics {
    LibraryStatistics(
      try read { (transaction) throws(StoreError) in try transaction.statistics() })
  }

  /// Proves index and files against each other, both ways; changes nothing.
  ///
  /// - Parameters:
  ///   - readData: whether every original is read and hashed too.
  ///   - onProgress: originals looked at, and all of them.
  ///   - onFinding: called for each fault, as it is found.
  /// - Returns: The number of findings; 0 means that the library is whole.
  /// - Throws: ``LibraryError`` if the check itself could not go on.
  public func check(
    readData: Bool = false, onProgress: (Int, Int) -> Void = { _, _ in },
    onFinding: (CheckFinding) -> Void
  ) throws(LibraryError) -> Int {
    var findings = 0
    do {
      try store.check(readData: readData, progress: onProgress) { finding in
        findings += 1
        onFinding(CheckFinding(finding))
      }
    } catch {
      throw LibraryError(error)
    }
    return findings
  }
}
