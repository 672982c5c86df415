import Glibc

/// Why a library could not do what was asked of it.
package struct StoreError: Error, Hashable, Sendable {
  /// The kinds of failure that a caller treats differently.
  package enum Code: Hashable, Sendable {
    /// There is no library at that path.
    case notFound
    /// A folder or file is there that is none.
    case notALibrary
    /// A newer version of this program made it.
    case newerVersion
    /// Another writer is at work, and still was after the busy timeout; or too many requests wait for
    /// the owner.
    case busy
    /// A library cannot be made there.
    case cannotCreate
    /// The index is unreadable, or originals are there without an index.
    case damaged
    /// The library belongs to another user, who alone may open it.
    case closedToUser
    /// The system refused; the message says why.
    case io
    /// The disk or the quota is full.
    case noSpace
    /// The media or the permissions allow no writing.
    case readOnly
    /// The owner does not permit it to the client that asks.
    case notPermitted
    /// The owner denied the client what it wants to change.
    case accessDenied
    /// The client is restricted.
    case accessRestricted
    /// No request of that identifier waits for an answer.
    case noSuchRequest
    /// What was asked for makes no sense or is too much.
    case invalidArgument
    /// An asset that was named does not exist, or lies in the trash.
    case noSuchAsset
    /// The history no longer reaches back so far.
    case historyTrimmed
    /// The caller wanted no more of it.
    case cancelled
  }

  /// What work throws that its caller broke off.
  static let cancelled = StoreError(code: .cancelled, message: "it was cancelled")

  package let code: Code
  /// A sentence, without any path inside the library.
  package let message: String

  package init(code: Code, message: String) {
    self.code = code
    self.message = message
  }
}

extension StoreError {
  /// An error of a system call that writes: a full disk and missing permission have codes of their
  /// own.
  ///
  /// - Parameters:
  ///   - errorNumber: the value of `errno`.
  ///   - action: what was tried, as in "the copy could not be written".
  init(errorNumber: Int32, _ action: String) {
    let code: Code =
      switch errorNumber {
      case ENOSPC, EDQUOT: .noSpace
      case EROFS, EACCES, EPERM: .readOnly
      default: .io
      }
    self.init(code: code, message: "\(action): \(Self.text(of: errorNumber))")
  }

  /// An error of a system call that reads.
  static func reading(errorNumber: Int32, _ action: String) -> StoreError {
    StoreError(code: .io, message: "\(action): \(text(of: errorNumber))")
  }

  /// The system's words for an error number.
  static func text(of errorNumber: Int32) -> String {
    // glibc's strerror is safe with threads: known texts are constant, others are thread-local.
    guard let text = unsafe strerror(errorNumber) else { return "error \(errorNumber)" }
    return unsafe String(cString: text)
  }
}
