import ImageCodecs
import PhotoStore

/// What went wrong: a code to branch on and a sentence to show.
///
/// The sentence names the caller's own paths where that helps, and never a path inside the library
/// or anything of an asset that the caller may not see.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  ///
  /// More may come: switch over it with a default.
  public enum Code: Hashable, Sendable {
    /// There is no library at the path.
    case libraryNotFound
    /// What is at the path is no photo library.
    case notALibrary
    /// A newer version of photolib made the library.
    case libraryTooNew
    /// Another process is writing, or too many requests wait for the owner; try again.
    case busy
    /// The library cannot be made there.
    case cannotCreate
    /// The library's index or files are damaged.
    case damagedLibrary
    /// The library belongs to another user, who alone may open it.
    case closedToUser
    /// The library, or the medium it is on, cannot be written.
    case readOnly
    /// No space is left where the library is.
    case noSpace
    /// The system reported an error for a file.
    case io
    /// The client is not determined, denied or restricted. The same words for every identifier.
    case notPermitted
    /// No asset that this client sees, or no request that waits, has the identifier.
    case identifierNotFound
    /// The picture's bytes are damaged.
    case damagedPicture
    /// The picture is of a kind that cannot be decoded here.
    case unsupportedPicture
    /// Decoding would need more memory, pixels or time than the limits allow.
    case overLimit
    /// The request was cancelled.
    case cancelled
    /// An argument is out of range or makes no sense.
    case invalidArgument
    /// The client is denied what it wants to change.
    case accessDenied
    /// The client is restricted, and its user cannot change that.
    case accessRestricted
    /// The owner was asked and refused.
    case userCancelled
    /// The token is too old, of another client, or none at all: fetch anew.
    case tokenExpired
    /// What changed is no longer known in detail: fetch anew.
    case changeDetailsUnavailable
    /// What is to be added is no whole picture.
    case invalidResource
    /// There is no file to be added.
    case missingResource
    /// The thing cannot be changed in this way, for example a smart album.
    case changeNotSupported
    /// No collection that this client sees has the identifier.
    case collectionNotFound
    /// A block of changes was begun within another one.
    case nestedChanges
  }

  /// The kind of failure, to branch on.
  public let code: Code
  /// One sentence, without a full stop.
  public let message: String

  /// Makes an error of a code and a sentence.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The sentence.
  public var description: String { message }
}

extension LibraryError.Code {
  /// The number that PhotoKit has for it (`PHPhotosError.Code`); -1, an internal error, where it has none.
  public var phCode: Int {
    switch self {
    case .accessDenied, .notPermitted: 3311
    case .accessRestricted: 3310
    case .userCancelled, .cancelled: 3072
    case .tokenExpired: 3105
    case .changeDetailsUnavailable: 3210
    case .invalidResource, .damagedPicture, .unsupportedPicture: 3302
    case .missingResource: 3303
    case .noSpace: 3305
    case .changeNotSupported: 3300
    case .identifierNotFound, .collectionNotFound: 3201
    case .overLimit: 3307
    case .libraryNotFound, .notALibrary: 3114
    case .libraryTooNew, .busy, .cannotCreate, .damagedLibrary, .closedToUser, .readOnly, .io,
      .invalidArgument, .nestedChanges:
      -1
    }
  }
}

extension LibraryError {
  /// The one answer to every request of a client that may not read.
  static let notPermitted = LibraryError(
    code: .notPermitted, message: "this client is not permitted to read the library")

  /// The one answer for an asset that does not exist and for one that this client may not see.
  static let identifierNotFound = LibraryError(
    code: .identifierNotFound, message: "no such asset")

  /// The one answer for a collection that does not exist and for one that this client may not see.
  static let collectionNotFound = LibraryError(
    code: .collectionNotFound, message: "no such collection")

  /// The one answer to every token that cannot be used: too old, another client's, forged or no token.
  static let tokenExpired = LibraryError(
    code: .tokenExpired,
    message: "the change token is too old, or is none of this client: fetch anew")

  static let cancelled = LibraryError(code: .cancelled, message: "it was cancelled")

  init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .notFound: .libraryNotFound
      case .notALibrary: .notALibrary
      case .newerVersion: .libraryTooNew
      case .busy: .busy
      case .cannotCreate: .cannotCreate
      case .damaged: .damagedLibrary
      case .closedToUser: .closedToUser
      case .io: .io
      case .noSpace: .noSpace
      case .readOnly: .readOnly
      case .notPermitted: .notPermitted
      case .historyTrimmed: .tokenExpired
      case .accessDenied: .accessDenied
      case .accessRestricted: .accessRestricted
      case .noSuchAsset, .noSuchRequest: .identifierNotFound
      case .invalidArgument: .invalidArgument
      case .cancelled: .cancelled
      }
    self.init(code: code, message: error.message)
  }

  init(_ error: CodecError) {
    let code: Code =
      switch error {
      case .damaged: .damagedPicture
      case .unsupported: .unsupportedPicture
      case .overLimit: .overLimit
      case .cancelled: .cancelled
      case .encodingFailed: .io
      }
    self.init(code: code, message: error.message)
  }
}
