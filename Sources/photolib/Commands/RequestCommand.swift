import PhotoLibrary

/// Asks the owner for access, as a client.
enum RequestCommand: Command {
  static let name = "request"
  static let summary = "ask the owner for access, and wait for the answer"
  static let forms = ["[--level read-write|add-only] --purpose TEXT [--no-wait]"]
  static let actor = ActorRule.asks
  // The request is withdrawn first.
  static let endsAtOnce = false
  static let options = [
    Option(.level, value: "LEVEL", help: "read-write (unless said otherwise) or add-only"),
    Option(.purpose, value: "TEXT", help: "why, as the owner will read it: 1 to 500 bytes"),
    Option(.noWait, help: "do not wait for the answer; the request stays"),
  ]
  static let details = """
    The client is the one of --client, else $PHOTOLIB_CLIENT, else local.default. It prints the
    status that the client has then, and exits with 0 where it is authorized or limited, else 77.
    What the owner decided before is the answer, and nobody is asked again; who asks while a
    request waits joins it. Interrupted it withdraws the request.

    The owner answers with `photolib access pending` and `photolib access answer`.

    examples:
      photolib request -c org.example.frame --purpose "show a picture a day"
      photolib request -c org.example.scanner --level add-only --purpose "add scans" --no-wait
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    try invocation.takesNoOperands()
    let level = try invocation.arguments.choice(.level, as: LevelName.self)?.level ?? .readWrite
    guard let purpose = try invocation.arguments.text(.purpose) else {
      throw .usage("--purpose", "say what the access is for")
    }
    guard (1...500).contains(purpose.utf8.count) else {
      throw .usage("--purpose", "has 1 to 500 bytes of text")
    }
    let id = try invocation.askingClient()
    let client = try invocation.openLibrary(.readWrite).client(id)

    let request = try translating(about: "\(id)") { () throws(LibraryError) in
      try client.service.requestAccess(level, purpose: purpose)
    }
    if let request { hintOfAnswer(request, level, invocation) }
    let status: AuthorizationStatus
    if invocation.arguments.has(.noWait) {
      status = try translating(about: "\(id)") { () throws(LibraryError) in
        try client.authorizationStatus(for: level)
      }
    } else {
      do throws(LibraryError) {
        status = try await client.requestAuthorization(for: level, purpose: purpose)
      } catch {
        throw Failure(error, about: "\(id)")
      }
    }
    try report(
      id, level, status, waiting: invocation.arguments.has(.noWait) ? request : nil, invocation)
    return status.permitsReading ? .success : .notPermitted
  }

  private static func hintOfAnswer(
    _ request: RequestID, _ level: AccessLevel, _ invocation: Invocation
  ) {
    let answers = level == .readWrite ? "--full|--limited|--deny" : "--full|--deny"
    invocation.terminal.hint(
      "the owner is asked, and answers with: "
        + invocation.commandLine("access answer \(request) \(answers)"))
  }

  private static func report(
    _ id: ClientID, _ level: AccessLevel, _ status: AuthorizationStatus, waiting: RequestID?,
    _ invocation: Invocation
  ) throws(Failure) {
    let terminal = invocation.terminal
    if terminal.style.json {
      let object = JSON.object([
        ("client", .string(id.rawValue)), ("level", .string(LevelName(level).rawValue)),
        ("status", .string(status.name)), ("request", .optional(waiting?.description)),
      ])
      try terminal.writeLine(object.text)
    } else {
      try terminal.writeLine(status.name)
    }
    try terminal.flush()
    switch status {
    case .denied, .restricted:
      let grant = level == .readWrite ? "--full" : "--add-only"
      terminal.hint(
        "only the owner can change that: "
          + invocation.commandLine("access grant \(grant)", client: id))
    case .notDetermined, .authorized, .limited: break
    }
  }
}

/// The levels of access, as the command line writes them.
enum LevelName: String, CaseIterable {
  case readWrite = "read-write"
  case addOnly = "add-only"

  init(_ level: AccessLevel) {
    self =
      switch level {
      case .readWrite: .readWrite
      case .addOnly: .addOnly
      }
  }

  var level: AccessLevel {
    switch self {
    case .readWrite: .readWrite
    case .addOnly: .addOnly
    }
  }
}
