public import PhotoModel

extension LibraryClient {
  /// What the owner decided for this client; never asks anybody.
  ///
  /// - Parameter level: reading and writing, or adding only; each has a decision of its own.
  /// - Returns: The status; `authorized` for the owner.
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func authorizationStatus(
    for level: AccessLevel
  ) throws(LibraryError) -> AuthorizationStatus {
    try service.authorizationStatus(for: level)
  }

  /// What the owner decided about reading and writing, in the words of before there was limited access: a
  /// limited client is told that it is authorized.
  ///
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func authorizationStatus() throws(LibraryError) -> AuthorizationStatus {
    try authorizationStatus(for: .readWrite).withoutLevel
  }

  /// Asks the owner for a level of access, and waits for the answer; no thread is held meanwhile.
  ///
  /// Where the level is decided, the decision comes back and nobody is asked. However many ask at a time, in
  /// whichever processes, the owner is asked once. Cancelling the task withdraws the request.
  ///
  /// - Parameters:
  ///   - level: reading and writing, or adding only.
  ///   - purpose: what the owner is told: 1 to 500 bytes of UTF-8.
  /// - Returns: The status as it is after the answer.
  /// - Throws: ``LibraryError``: `invalidArgument` for a purpose of another length, `busy` where too many requests
  ///   wait, `cancelled`, `readOnly`, or what reading or writing the library threw.
  public func requestAuthorization(
    for level: AccessLevel, purpose: String
  ) async throws(LibraryError) -> AuthorizationStatus {
    try Self.requirePurpose(purpose)
    let service = service
    while true {
      let request = try await BlockingWork.run { () throws(LibraryError) in
        try service.requestAccess(level, purpose: purpose)
      }
      guard let request else { break }
      // Withdrawn by another who waited for the same one: it has to be asked anew.
      guard try await RequestWaiter.answer(to: request, of: self) == .withdrawn else { break }
    }
    return try await BlockingWork.run { () throws(LibraryError) in
      try service.authorizationStatus(for: level)
    }
  }

  /// Asks the owner for reading and writing, as ``requestAuthorization(for:purpose:)`` does; a limited client is
  /// told that it is authorized.
  public func requestAuthorization(
    purpose: String
  ) async throws(LibraryError) -> AuthorizationStatus {
    try await requestAuthorization(for: .readWrite, purpose: purpose).withoutLevel
  }

  /// Asks the owner for a level of access, as the `async` form does.
  ///
  /// - Parameters:
  ///   - level: reading and writing, or adding only.
  ///   - purpose: what the owner is told: 1 to 500 bytes of UTF-8.
  ///   - handler: called exactly once, on any thread.
  public func requestAuthorization(
    for level: AccessLevel, purpose: String,
    handler: @escaping @Sendable (Result<AuthorizationStatus, LibraryError>) -> Void
  ) {
    Task {
      do throws(LibraryError) {
        handler(.success(try await requestAuthorization(for: level, purpose: purpose)))
      } catch {
        handler(.failure(error))
      }
    }
  }

  /// Asks the owner to select more photos for this client, and waits for the answer.
  ///
  /// Returns at once, with nothing, unless access is limited. Cancelling the task withdraws the request.
  ///
  /// - Parameter purpose: what the owner is told: 1 to 500 bytes of UTF-8.
  /// - Returns: Only what the owner selected in answer, in date order; nothing where it took some away or refused.
  /// - Throws: ``LibraryError``, as ``requestAuthorization(for:purpose:)`` does.
  public func requestMoreAssets(purpose: String) async throws(LibraryError) -> [AssetID] {
    try Self.requirePurpose(purpose)
    let service = service
    while true {
      let request = try await BlockingWork.run { () throws(LibraryError) in
        try service.requestMoreAssets(purpose: purpose)
      }
      guard let request else { return [] }
      guard try await RequestWaiter.answer(to: request, of: self) != .withdrawn else { continue }
      return try await BlockingWork.run { () throws(LibraryError) in
        try service.assetsSelected(for: request)
      }
    }
  }

  /// What to tell a person whose program was refused: who can change that, and how.
  ///
  /// - Parameter level: reading and writing, or adding only.
  /// - Returns: One or two sentences in English; nil unless the level is denied or restricted.
  /// - Throws: ``LibraryError`` if the library cannot be read.
  public func guidance(for level: AccessLevel) throws(LibraryError) -> String? {
    guard let client = service.client else { return nil }
    let wish = level == .readWrite ? "see photos of" : "add photos to"
    switch try authorizationStatus(for: level) {
    case .notDetermined, .authorized, .limited: return nil
    case .denied:
      let grant = level == .readWrite ? "--full" : "--add-only"
      return
        "The owner of this library does not let \(client) \(wish) it. The owner can change that: "
        + "photolib access grant \(grant) --client \(client)"
    case .restricted:
      return
        "\(client) is restricted and may not \(wish) this library. Only the library's owner can lift that: "
        + "photolib access reset --client \(client)"
    }
  }

  private static func requirePurpose(_ purpose: String) throws(LibraryError) {
    guard (1...500).contains(purpose.utf8.count) else {
      throw LibraryError(
        code: .invalidArgument, message: "a purpose has 1 to 500 bytes of text")
    }
  }
}
