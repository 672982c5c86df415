public import PhotoModel

extension LibraryClient {
  /// Adds files and folders as this client; what a limited client adds joins its selection.
  ///
  /// - Parameters:
  ///   - paths: files, and folders that are walked; see ``Library/add(_:options:onEvent:)``.
  ///   - options: what to do about damaged pictures.
  ///   - onEvent: called on a Dispatch queue, in order, as the work goes on.
  /// - Returns: What became of each file.
  /// - Throws: ``LibraryError`` `accessDenied`, `accessRestricted` or, where nobody decided, `notPermitted`,
  ///   unless the client's addOnly level is authorized; or what ended the work as a whole.
  public func add(
    _ paths: [FilePath], options: AddOptions = AddOptions(),
    onEvent: @escaping @Sendable (AddEvent) -> Void = { _ in }
  ) async throws(LibraryError) -> AddReport {
    try await service.add(paths, options: options, onEvent: onEvent)
  }
}
