public import PhotoModel

/// What to do while adding.
public struct AddOptions: Hashable, Sendable {
  /// Adds pictures that are not whole too, marked as damaged.
  public var keepsDamaged = false
  /// Looks at everything and writes nothing.
  public var dryRun = false

  /// Damaged pictures fail, the others are added.
  public init() {}
}

/// What happened while adding, as it happens.
public enum AddEvent: Sendable {
  /// How much there is to do, counted before the work begins.
  case found(files: Int, bytes: Int64)
  /// A picture was added and is durable. No identifier in a dry run.
  case added(AssetID?, path: FilePath, creationDate: CreationDate)
  /// The same bytes were there already.
  case duplicate(AssetID?, path: FilePath, creationDate: CreationDate)
  /// Something is to be said of a picture that was added.
  case warning(path: FilePath, String)
  /// Nothing to add. `named` where people should be told of this very file: a link, a special file, a
  /// photo library.
  case skipped(path: FilePath, type: String, named: Bool)
  /// A picture could not be added, or a folder could not be read.
  case failed(path: FilePath, reason: String)
}

/// What became of everything that was to be added.
public struct AddReport: Sendable {
  /// A picture that is in the library now.
  public struct Entry: Hashable, Sendable {
    /// The asset; nil in a dry run for one that would be added.
    public let id: AssetID?
    /// The file as the caller named it, or as it was found under a folder so named.
    public let path: FilePath
    /// When it was taken.
    public let creationDate: CreationDate
    /// Whether the same bytes were there already.
    public let isDuplicate: Bool
    /// Why it cannot be shown, or nil.
    public let undecodable: String?
  }

  /// A file or folder that could not be added.
  public struct Failure: Hashable, Sendable {
    /// The file as the caller named it, or as it was found under a folder so named.
    public let path: FilePath
    /// Why, in words.
    public let reason: String
  }

  /// The pictures that are in the library now.
  public var entries: [Entry] = []
  /// What could not be added.
  public var failures: [Failure] = []
  /// How many files of which kind were passed over.
  public var skippedTypes: [String: Int] = [:]

  /// The number of assets added.
  public var added: Int { entries.count { !$0.isDuplicate } }
  /// The number of files whose bytes were there already.
  public var duplicates: Int { entries.count { $0.isDuplicate } }
  /// The number of files passed over.
  public var skipped: Int { skippedTypes.values.reduce(0, +) }

  init() {}
}
