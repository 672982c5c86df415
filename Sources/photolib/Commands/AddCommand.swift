import PhotoLibrary
import Synchronization

/// Adds files and folders.
enum AddCommand: Command {
  static let name = "add"
  static let summary = "add pictures: files, and folders with all that is in them"
  static let forms = ["PATH... [--dry-run] [--keep-damaged]"]
  static let actor = ActorRule.manages
  static let endsAtOnce = false
  static let options = [
    Option(.dryRun, help: "only say what would be added"),
    Option(.keepDamaged, help: "add incomplete pictures too, and mark them"),
  ]
  static let details = """
    Makes the library if there is none. JPEG and PNG are recognised by their content. The same bytes
    again are a duplicate and not added. In folders, hidden files and other types are skipped; links
    are not followed. What cannot be added is named on standard error, and the rest goes on. Adding
    again after an interruption completes what is missing.

    examples:
      photolib add ~/Pictures/holiday
      photolib add --json --keep-damaged card/DCIM rescued.jpg
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let paths = invocation.arguments.operands.map { FilePath(bytes: $0) }
    if paths.isEmpty {
      throw .usage(
        "add", "no PATH is given", hint: "name files or folders: photolib add ~/Pictures/holiday")
    }
    if paths.contains(where: \.bytes.isEmpty) { throw .usage("PATH", "is empty") }
    var options = AddOptions()
    options.dryRun = invocation.arguments.has(.dryRun)
    options.keepsDamaged = invocation.arguments.has(.keepDamaged)

    // A library is made for pictures; none is left behind where there is nothing to look at.
    let isTrial = options.dryRun || !paths.contains(where: exists)
    let place = try LibraryToAddTo(invocation, isTrial: isTrial)
    let report = try await add(paths, options, to: place.library, invocation)
    let terminal = invocation.terminal
    if terminal.style.json {
      try terminal.writeLine(report.json.text)
    } else if !terminal.style.quiet {
      try terminal.writeLine(report.summary(isTrial: options.dryRun))
    }
    return report.failures.isEmpty ? .success : .partial
  }

  /// Adds, and tells of each picture that needs a word as it comes.
  private static func add(
    _ paths: [FilePath], _ options: AddOptions, to library: Library, _ invocation: Invocation
  ) async throws(Failure) -> AddReport {
    let terminal = invocation.terminal
    let progress = Progress(options.dryRun ? "looking" : "adding", on: terminal)
    let added = Mutex(0)
    let onEvent: @Sendable (AddEvent) -> Void = { event in
      switch event {
      case .found(let files, _): progress.setTotal(files)
      case .added:
        added.withLock { $0 += 1 }
        progress.advance()
      case .duplicate: progress.advance()
      case .warning(let path, let text):
        terminal.warn(printable(path.bytes), "warning: \(printableMessage(text))")
      case .skipped(let path, let type, let isNamed):
        // Those that are named were no files to look into, and are not counted as such.
        if isNamed {
          terminal.warn(printable(path.bytes), "skipped (\(printable(type)))")
        } else {
          progress.advance()
        }
      case .failed(let path, let reason):
        progress.advance()
        terminal.reportFailed(printable(path.bytes), printableMessage(reason))
      }
    }
    defer { progress.finish() }
    do throws(LibraryError) {
      guard let id = invocation.globals.client else {
        return try await library.add(paths, options: options, onEvent: onEvent)
      }
      return try await library.client(id).add(paths, options: options, onEvent: onEvent)
    } catch  where error.code == .cancelled {
      terminal.note("interrupted: \(added.withLock { $0 }) added; add again to complete")
      throw .interrupted
    } catch
      where [.notPermitted, .accessDenied, .accessRestricted].contains(error.code)
    {
      let client = invocation.concernedClient
      throw Failure(
        .notPermitted, "\(client)", "has no permission to add to this library",
        hint: "the owner decides: "
          + invocation.commandLine("access grant --add-only", client: client))
    } catch {
      throw Failure(error, about: printable(library.path.bytes))
    }
  }
}

/// The library that pictures are added to: the one that is there, or a new one.
///
/// A trial (`--dry-run`) where there is none looks at an empty library in a temporary folder, so that
/// nothing is made where the real one would be.
private struct LibraryToAddTo: ~Copyable {
  let library: Library
  private let temporary: FilePath?

  init(_ invocation: Invocation, isTrial: Bool) throws(Failure) {
    let path = invocation.globals.library
    let configuration = invocation.globals.configuration
    // A client cannot make a library.
    if invocation.globals.client != nil {
      library = try invocation.openLibrary(.readWrite)
      temporary = nil
    } else if let existing = try invocation.libraryIfAny(at: path, .readWrite) {
      library = existing
      temporary = nil
    } else if isTrial {
      let folder = try makeTemporaryFolder()
      do {
        library = try Library.create(
          at: folder.appending("Photos.photolib"), configuration: configuration)
      } catch {
        removeTree(folder)
        throw Failure(error, about: "temporary library")
      }
      temporary = folder
    } else {
      library = try Self.make(at: path, invocation)
      temporary = nil
    }
  }

  private static func make(at path: FilePath, _ invocation: Invocation) throws(Failure) -> Library {
    let subject = printable(path.bytes)
    do {
      let library = try Library.create(at: path, configuration: invocation.globals.configuration)
      invocation.terminal.note("made the library \(subject)")
      return library
    } catch {
      // Another process may have made it at the same time.
      let isMade = error.code == .cannotCreate && Library.exists(at: path)
      if isMade, let library = try invocation.libraryIfAny(at: path, .readWrite) { return library }
      throw Failure(error, about: subject)
    }
  }

  deinit {
    if let temporary { removeTree(temporary) }
  }
}

extension AddReport {
  /// The object that `add --json` prints.
  fileprivate var json: JSON {
    .object([
      ("added", .integer(added)), ("duplicates", .integer(duplicates)),
      ("skipped", .integer(skipped)), ("failed", .integer(failures.count)),
      ("skippedTypes", .object(sortedTypes.map { ($0.key, .integer($0.value)) })),
      ("assets", .array(entries.map(\.json))),
      (
        "failures",
        .array(
          failures.map {
            .object([("path", .string($0.path.string)), ("reason", .string($0.reason))])
          })
      ),
    ])
  }

  fileprivate func summary(isTrial: Bool) -> String {
    let types = sortedTypes.map { "\($0.value) \(printable($0.key))" }.joined(separator: ", ")
    return "\(added) \(isTrial ? "to be added" : "added"), \(duplicates) duplicates, "
      + "\(skipped) skipped\(types.isEmpty ? "" : " (\(types))"), \(failures.count) failed"
  }

  private var sortedTypes: [(key: String, value: Int)] {
    skippedTypes.sorted { $0.key < $1.key }
  }
}

extension AddReport.Entry {
  fileprivate var json: JSON {
    var members: [(String, JSON)] = [
      ("path", .string(path.string)), ("creationDate", .string(creationDate.rfc3339)),
      ("status", .string(isDuplicate ? "duplicate" : "added")),
    ]
    // What a dry run would add has no identifier yet.
    if let id { members.insert(("localIdentifier", .string(id.localIdentifier)), at: 0) }
    if let undecodable { members.append(("undecodable", .string(undecodable))) }
    return .object(members)
  }
}
