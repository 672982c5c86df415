import PhotoLibrary

/// Tells what changes, as it happens.
enum WatchCommand: Command {
  static let name = "watch"
  static let summary = "tell what changes, as it happens"
  static let forms = ["[--since TOKEN]"]
  static let actor = ActorRule.reads
  static let endsAtOnce = true
  static let options = [
    Option(.since, value: "TOKEN", help: "first what changed behind a line with this token")
  ]
  static let details = """
    A line each commit of any process, at once, until it is interrupted: `inserted UUID`,
    `changed UUID` and `removed UUID` for each photo, then `token TOKEN`. With --json one object:
    {"token","inserted","changed","removed"}.

    A client sees only changes of what it sees. A token is good for 90 days, and for its client
    alone.

    examples:
      photolib watch --json
      photolib watch -c org.example.frame --since 8d1f...
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    try invocation.takesNoOperands()
    var since: ChangeToken?
    if let text = try invocation.arguments.text(.since) {
      guard let token = ChangeToken(text) else {
        throw .usage("--since \(printable(text))", "is no token")
      }
      since = token
    }
    let id = try invocation.readingClient()
    let library = try invocation.openLibrary(.readOnly)
    let client = invocation.view(of: id, in: library)
    let (failures, continuation) = AsyncStream.makeStream(of: Failure.self)
    let printer = ChangePrinter(terminal: invocation.terminal, failures: continuation)
    let token = since
    try translating(about: token == nil ? client.name : "--since") { () throws(LibraryError) in
      if let token {
        try client.view.register(printer, since: token)
      } else {
        try client.view.register(printer)
      }
    }
    defer { client.view.unregister(printer) }
    for await failure in failures { throw failure }
    throw .interrupted
  }
}

/// Prints a change when it is told, while the reader of the output holds up nothing but this.
private final class ChangePrinter: PhotoLibraryChangeObserver {
  private let terminal: Terminal
  private let failures: AsyncStream<Failure>.Continuation

  init(terminal: Terminal, failures: AsyncStream<Failure>.Continuation) {
    self.terminal = terminal
    self.failures = failures
  }

  func photoLibraryDidChange(_ change: Change) {
    do throws(Failure) {
      let token = try translating(about: "watch") { () throws(LibraryError) in
        try change.token()
      }
      try print(change.changes, token)
      // A line is of use when it comes, not when a buffer is full.
      try terminal.flush()
    } catch {
      failures.yield(error)
    }
  }

  private func print(_ changes: ChangeSet, _ token: ChangeToken) throws(Failure) {
    let sets = [
      ("inserted", changes.inserted), ("changed", changes.changed), ("removed", changes.removed),
    ].map { ($0.0, $0.1.sorted()) }
    if terminal.style.json {
      let members = sets.map { name, ids in
        (name, JSON.array(ids.map { .string($0.localIdentifier) }))
      }
      let object = JSON.object([("token", .string(token.description))] + members)
      return try terminal.writeLine(object.text)
    }
    for (name, ids) in sets {
      for id in ids { try terminal.writeLine("\(name) \(id.uuidString)") }
    }
    try terminal.writeLine("token \(token)")
  }
}
