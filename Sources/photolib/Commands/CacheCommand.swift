import PhotoLibrary

/// Manages the thumbnails that the library keeps.
enum CacheCommand: Command {
  static let name = "cache"
  static let summary = "manage the thumbnails that the library keeps"
  static let forms = [
    "[stats]", "warm [IDS] [--size N|WxH] [--mode fit|fill] [--format FORMAT] [-j JOBS]",
    "limit SIZE", "clear",
  ]
  static let actor = ActorRule.ownerOnly
  static let endsAtOnce = false
  static let options = ThumbnailOptions.recipeOptions + Option.choosing
  static let details = """
    Thumbnails that were made once are kept in the library, so that the next fetch --thumbs neither
    opens nor decodes a photo. They can always be made again. Where they would take more than the
    limit (1G unless set), those least recently used go.

    warm makes those that are not there yet, of all photos or of IDS: identifiers or the first digits
    of one (4 or more), files (matched by content), or `-` for identifiers on standard input; or of
    --from, --to, --type. The size and the other options must be those of the later fetch.
    limit takes bytes, or a number with K, M, G or T (units of 1024); with 0, or less than the file
    takes without any thumbnail (tens of K), nothing is kept.
    clear removes them all and gives the space back; the limit stays.

    examples:
      photolib cache
      photolib cache warm --size 512 --from 2024
      photolib cache limit 4G
    """

  private enum Verb: String, CaseIterable { case stats, warm, limit, clear }

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    var arguments = invocation.arguments
    let word = arguments.takeFirstOperand()
    guard
      let verb = word.map({ Verb(rawValue: String(decoding: $0, as: UTF8.self)) }) ?? .stats
    else {
      let words = Verb.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage(printable(word ?? []), "is none of \(words)")
    }
    if verb != .warm, let option = arguments.first(of: options.map(\.name)) {
      throw .usage(option.text, "belongs to cache warm")
    }
    let limit = try verb == .limit ? limit(&arguments) : nil
    if verb != .warm, let operand = arguments.operands.first {
      throw .usage(printable(operand), "is not expected here")
    }
    switch verb {
    case .stats: return try writeStatistics(invocation)
    case .warm: return try await warm(invocation, arguments)
    case .clear:
      let library = try invocation.openLibrary(.readOnly)
      let count = try translating(about: "cache") { () throws(LibraryError) in
        try library.clearThumbnailCache()
      }
      try write([("removed", .integer(count))], "\(thumbnails(count)) removed", invocation)
    case .limit:
      guard let limit else { return .usage }
      let library = try invocation.openLibrary(.readOnly)
      try translating(about: "cache") { () throws(LibraryError) in
        try library.setThumbnailCacheLimit(limit)
      }
      let status = try writeStatistics(invocation)
      hintOfSmallness(library, limit, invocation)
      return status
    }
    return .success
  }

  private static func limit(_ arguments: inout ParsedArguments) throws(Failure) -> Int64 {
    let hint = "photolib cache limit 2G"
    guard let bytes = arguments.takeFirstOperand() else {
      throw .usage("cache limit", "no size is named", hint: hint)
    }
    guard let limit = ByteCount.read(bytes) else {
      throw .usage(printable(bytes), "is no number of bytes: 500M, 2G", hint: hint)
    }
    return limit
  }

  private static func writeStatistics(_ invocation: Invocation) throws(Failure) -> ExitStatus {
    let statistics = try invocation.openLibrary(.readOnly).thumbnailCacheStatistics()
    let members: [(String, Int64)] = [
      ("thumbnails", statistics.thumbnails), ("bytes", statistics.bytes),
      ("fileBytes", statistics.fileBytes), ("limit", statistics.limit),
    ]
    let terminal = invocation.terminal
    if terminal.style.json {
      let object = JSON.object(members.map { ($0, .integer($1)) })
      try terminal.writeLine(object.text)
      return .success
    }
    for (name, value) in members {
      let text = name == "thumbnails" ? String(value) : ByteCount.text(value)
      try terminal.writeLine("\(pad(name, toColumns: 10)) \(text)")
    }
    return .success
  }

  /// Makes what the cache does not have.
  private static func warm(
    _ invocation: Invocation, _ arguments: ParsedArguments
  ) async throws(Failure) -> ExitStatus {
    let terminal = invocation.terminal
    let chosen = try AssetArguments(arguments)
    let recipe = try ThumbnailOptions.recipe(arguments)
    let library = try invocation.openLibrary(.readOnly)
    let resolution = try chosen.resolve(in: library.owner)
    resolution.reportMissing(on: terminal)
    if resolution.isWholeMiss { return .noInput }
    let query = chosen.query(for: resolution.ids)
    let ids = try translating(about: "cache") { () throws(LibraryError) in
      try library.requireThumbnailCache()
      return try library.owner.fetchAssets(query).ids
    }

    let progress = Progress("thumbnails", total: ids.count, on: terminal)
    defer { progress.finish() }
    var (made, present, notKept, failed) = (0, 0, 0, 0)
    for await item in library.owner.thumbnails(for: ids, recipe: recipe) {
      if Task.isCancelled { break }
      progress.advance()
      do {
        let thumbnail = try item.result.get()
        if let warning = thumbnail.warning {
          // Made anew each time, so that the warning is given each time.
          terminal.warn(item.id.uuidString, "not kept: \(printableMessage(warning))")
          notKept += 1
        } else if thumbnail.source == .cache {
          present += 1
        } else {
          made += 1
        }
      } catch  where error.code == .cancelled {
        break
      } catch {
        terminal.reportFailed(item.id.uuidString, printableMessage(error.message))
        failed += 1
      }
    }
    if Task.isCancelled { throw .interrupted }
    progress.finish()
    let members: [(String, JSON)] = [
      ("made", .integer(made)), ("present", .integer(present)), ("notKept", .integer(notKept)),
      ("failed", .integer(failed)),
    ]
    try write(members, "\(made) made, \(present) there already", invocation)
    hintOfFullness(library, asked: ids.count, invocation)
    return failed == 0 && resolution.missing.isEmpty ? .success : .partial
  }

  /// Says so where the cache cannot have held all that was asked for.
  private static func hintOfFullness(_ library: Library, asked: Int, _ invocation: Invocation) {
    let statistics = library.thumbnailCacheStatistics()
    guard statistics.thumbnails < asked,
      statistics.bytes > statistics.limit / 2 || statistics.limit == 0
    else { return }
    invocation.terminal.hint(
      "the cache has room for \(ByteCount.text(statistics.limit)), and not for all of these; to give "
        + "it more: " + invocation.commandLine("cache limit 4G"))
  }

  /// Says so where the file alone, which holds the limit too, takes more than the limit.
  private static func hintOfSmallness(
    _ library: Library, _ limit: Int64, _ invocation: Invocation
  ) {
    let statistics = library.thumbnailCacheStatistics()
    guard limit > 0, statistics.thumbnails == 0, statistics.bytes > limit else { return }
    invocation.terminal.hint(
      "the cache takes \(ByteCount.text(statistics.bytes)) without any thumbnail; with a limit below "
        + "that, as with 0, none is kept")
  }

  private static func write(
    _ members: [(String, JSON)], _ line: String, _ invocation: Invocation
  ) throws(Failure) {
    let terminal = invocation.terminal
    if terminal.style.json {
      try terminal.writeLine(JSON.object(members).text)
    } else if !terminal.style.quiet {
      try terminal.writeLine(line)
    }
  }

  private static func thumbnails(_ count: Int64) -> String {
    "\(count) thumbnail\(count == 1 ? "" : "s")"
  }
}
