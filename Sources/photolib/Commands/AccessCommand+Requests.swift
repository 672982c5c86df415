import PhotoLibrary

/// What clients ask, and what their owner answers: `access pending` and `access answer`.
extension AccessCommand {
  static func listPending(_ invocation: Invocation) throws(Failure) {
    let library = try invocation.openLibrary(.readOnly)
    let requests = try pending(in: library, invocation)
    let terminal = invocation.terminal
    if terminal.style.json {
      let object = JSON.object([("requests", .array(requests.map(\.json)))])
      return try terminal.writeLine(object.text)
    }
    if terminal.outputIsTerminal {
      let titles = ["REQUEST", "ASKED", "FOR", "CLIENT", "PURPOSE"]
      try terminal.writeLine(terminal.heading(row(titles, aligned: true)))
    }
    for request in requests {
      let fields = [
        request.id.description, request.askedAt.rfc3339(), request.kind.summary,
        request.client.rawValue, printable(request.purpose),
      ]
      try terminal.writeLine(row(fields, aligned: terminal.outputIsTerminal))
    }
  }

  /// Answers, and prints what is decided for the client then.
  static func answer(_ operand: [UInt8]?, _ invocation: Invocation) throws(Failure) {
    guard let operand else {
      throw .usage(
        "access answer", "no request is named",
        hint: "list them: " + invocation.commandLine("access pending"))
    }
    let answer = try answer(of: invocation.arguments)
    let library = try invocation.openLibrary(.readWrite)
    let request = try request(operand, in: library, invocation)
    let hint: String? =
      switch request.kind {
      case .moreAssets:
        "select some: " + invocation.commandLine("select --add IDS", client: request.client)
      case .access, .deletion: nil
      }
    let access = try translating(about: "\(request.id)", hint: hint) { () throws(LibraryError) in
      try library.answer(request.id, answer)
      return try library.access(of: request.client)
    }
    try write(access.map { [$0] } ?? [], on: invocation.terminal)
    try invocation.terminal.flush()
    if case .access(.readWrite) = request.kind, answer == .limited {
      invocation.terminal.hint(
        "it sees what is selected for it: "
          + invocation.commandLine("select --limited IDS", client: request.client))
    }
  }

  private static func answer(of arguments: ParsedArguments) throws(Failure) -> RequestAnswer {
    let answers: [(OptionName, RequestAnswer)] = [
      (.full, .full), (.limited, .limited), (.deny, .denied),
    ]
    let given = answers.filter { arguments.has($0.0) }
    if given.count > 1 {
      throw .usage(given[0].0.text, "cannot stand beside \(given[1].0.text)")
    }
    for name in [OptionName.addOnly, .location, .noLocation] where arguments.has(name) {
      throw .usage(name.text, "belongs to access grant")
    }
    guard let answer = given.first?.1 else {
      throw .usage("access answer", "say --full, --limited or --deny")
    }
    return answer
  }

  /// The request of an identifier, or of the first digits of one (4 or more).
  private static func request(
    _ operand: [UInt8], in library: Library, _ invocation: Invocation
  ) throws(Failure) -> AccessRequest {
    let name = String(decoding: operand, as: UTF8.self).uppercased()
    let found =
      name.utf8.count < 4
      ? [] : try pending(in: library, invocation).filter { $0.id.description.hasPrefix(name) }
    if found.count > 1 {
      throw Failure(
        .noInput, printable(operand), "more than one request begins so; write more digits")
    }
    guard let request = found.first else {
      throw Failure(
        .noInput, printable(operand), "no such request waits for an answer",
        hint: "list them: " + invocation.commandLine("access pending"))
    }
    return request
  }

  /// What waits, of the client of `--client` alone if one is named.
  private static func pending(
    in library: Library, _ invocation: Invocation
  ) throws(Failure) -> [AccessRequest] {
    let requests = try translating(about: "access") { () throws(LibraryError) in
      try library.pendingRequests()
    }
    guard let client = invocation.globals.client else { return requests }
    return requests.filter { $0.client == client }
  }

  private static func row(_ fields: [String], aligned: Bool) -> String {
    guard aligned else { return fields.joined(separator: "\t") }
    let widths = [36, 24, 16, 20, 0]
    return zip(fields, widths).map { pad($0, toColumns: $1) }.joined(separator: "  ")
  }
}

extension AccessRequestKind {
  /// What is asked for, in a word or two.
  fileprivate var summary: String {
    switch self {
    case .access(let level): LevelName(level).rawValue
    case .deletion(let ids): "delete \(ids.count)"
    case .moreAssets: "more photos"
    }
  }

  fileprivate var name: String {
    switch self {
    case .access: "access"
    case .deletion: "deletion"
    case .moreAssets: "moreAssets"
    }
  }
}

extension AccessRequest {
  fileprivate var json: JSON {
    var members: [(String, JSON)] = [
      ("request", .string(id.description)), ("client", .string(client.rawValue)),
      ("kind", .string(kind.name)),
    ]
    switch kind {
    case .access(let level): members.append(("level", .string(LevelName(level).rawValue)))
    case .deletion(let ids):
      members.append(("assets", .array(ids.map { .string($0.localIdentifier) })))
    case .moreAssets: break
    }
    members.append(("purpose", .string(purpose)))
    members.append(("requestedAt", .string(askedAt.rfc3339())))
    return .object(members)
  }
}
