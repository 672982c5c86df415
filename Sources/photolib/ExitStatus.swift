import PhotoLibrary

/// How a command ends; the numbers are those of `sysexits.h`, scripts rely on them.
enum ExitStatus: Int32, Sendable {
  case success = 0
  /// Done in part; each failed input was named on standard error.
  case partial = 1
  case usage = 64
  case damagedData = 65
  /// No such input or asset.
  case noInput = 66
  /// The library is not available.
  case unavailable = 69
  case cannotCreate = 73
  case io = 74
  case busy = 75
  case notPermitted = 77
  case interrupted = 130
  case terminated = 143
}

extension ExitStatus {
  /// The status for what went wrong in the library.
  init(_ code: LibraryError.Code) {
    switch code {
    case .libraryNotFound, .notALibrary, .libraryTooNew: self = .unavailable
    case .busy: self = .busy
    case .cannotCreate: self = .cannotCreate
    case .damagedLibrary, .damagedPicture, .unsupportedPicture, .overLimit, .invalidResource:
      self = .damagedData
    case .readOnly, .closedToUser, .notPermitted, .accessDenied, .accessRestricted, .userCancelled:
      self = .notPermitted
    case .noSpace, .io: self = .io
    case .identifierNotFound, .collectionNotFound, .missingResource: self = .noInput
    case .cancelled: self = .interrupted
    case .invalidArgument, .changeNotSupported, .nestedChanges, .tokenExpired,
      .changeDetailsUnavailable:
      self = .usage
    }
  }
}

/// Why a command ends early: the status, and the one line that says it.
struct Failure: Error {
  let status: ExitStatus
  /// The subject, printable; nil where nothing is to be said (interrupted, the reader has gone).
  let what: String?
  /// What is wrong with it, printable.
  let why: String
  /// What to run to mend it, printable.
  let hint: String?

  /// Says of `what` (an option, the caller's path, an identifier) `why` it is wrong; both printable.
  init(_ status: ExitStatus, _ what: String, _ why: String, hint: String? = nil) {
    self.status = status
    self.what = what
    self.why = why
    self.hint = hint
  }

  private init(quiet status: ExitStatus) {
    self.status = status
    what = nil
    why = ""
    hint = nil
  }

  /// A wrong command line.
  static func usage(_ what: String, _ why: String, hint: String? = nil) -> Failure {
    Failure(.usage, what, why, hint: hint)
  }

  /// The reader of standard output has gone, having all that it wanted.
  ///
  /// Ends quietly, and is no failure: `photolib fetch | head -1` has done what it was asked.
  static let outputClosed = Failure(quiet: .success)

  /// A signal said to stop; `Main` replaces the status by that of the signal.
  static let interrupted = Failure(quiet: .interrupted)

  /// Something that the library refused.
  init(_ error: LibraryError, about what: String, hint: String? = nil) {
    if error.code == .cancelled {
      self = .interrupted
      return
    }
    self.init(ExitStatus(error.code), what, printableMessage(error.message), hint: hint)
  }
}

/// Runs what may throw the library's errors, and says what it was about.
func translating<Value: ~Copyable>(
  about what: String, hint: String? = nil, _ body: () throws(LibraryError) -> Value
) throws(Failure) -> Value {
  do {
    return try body()
  } catch {
    throw Failure(error, about: what, hint: hint)
  }
}
