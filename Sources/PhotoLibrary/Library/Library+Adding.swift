public import PhotoModel

extension Library {
  /// Adds files and folders.
  ///
  /// Pictures are recognised by content. Folders are walked; in them hidden files are passed over,
  /// links are not followed, and files that are neither JPEG nor PNG are counted by type. What is
  /// reported as added is durable. A file that cannot be added is reported and the rest goes on.
  /// Cancelling the task ends the work soon, with everything reported so far kept.
  ///
  /// - Parameters:
  ///   - paths: files and folders.
  ///   - options: what to do about damaged pictures; a dry run.
  ///   - onEvent: called on a Dispatch queue, in order, as the work goes on.
  /// - Returns: What became of each file.
  /// - Throws: ``LibraryError`` for what ended the work as a whole.
  public func add(
    _ paths: [FilePath], options: AddOptions = AddOptions(),
    onEvent: @escaping @Sendable (AddEvent) -> Void = { _ in }
  ) async throws(LibraryError) -> AddReport {
    try await owner.add(paths, options: options, onEvent: onEvent)
  }
}
