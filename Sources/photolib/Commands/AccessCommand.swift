import PhotoLibrary

/// Lists clients, and decides what each may do.
enum AccessCommand: Command {
  static let name = "access"
  static let summary = "list clients, and decide what each may do"
  static let forms = [
    "[list]", "grant --full|--add-only|--limited [--location|--no-location]",
    "deny | restrict | reset", "pending", "answer REQUEST --full|--limited|--deny",
  ]
  static let actor = ActorRule.concernsClient
  static let endsAtOnce = false
  static let options = [
    Option(.full, help: "read the whole library, and add to it"),
    Option(.limited, help: "read the photos that are selected, and add"),
    Option(.addOnly, help: "add, whatever was decided about reading"),
    Option(.location, help: "with the places of photos; a new client gets none"),
    Option(.noLocation, help: "without the places of photos"),
    Option(.deny, help: "no, to what a client asks"),
  ]
  static let details = """
    The client is the one of --client, else local.default; `list` lists all of them, or the one of
    --client. deny and restrict keep its selection, reset empties it and decides nothing.

    pending lists what clients ask and nobody has answered. answer takes such a request, or the
    first digits of one (4 or more), and sets only the level that was asked for. A client that
    asks for more photos gets those that `select` gives it, and `answer --deny` gives it none. Any
    other decision about a level answers what was asked about it too.

    examples:
      photolib access
      photolib access grant --limited --no-location -c org.example.frame
      photolib access deny -c org.example.frame
      photolib access pending
      photolib access answer 3F2A --limited
    """

  private enum Verb: String, CaseIterable {
    case list, grant, deny, restrict, reset, pending, answer
  }

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let operands = invocation.arguments.operands
    let word = operands.first.map { String(decoding: $0, as: UTF8.self) }
    guard let verb = word.map({ Verb(rawValue: $0) }) ?? .list else {
      let words = Verb.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage(printable(operands[0]), "is none of \(words)")
    }
    let expected = verb == .answer ? 2 : 1
    if operands.count > expected {
      throw .usage(printable(operands[expected]), "is not expected here")
    }
    let grant = try grantOptions(invocation.arguments, verb)

    let id = invocation.concernedClient
    let decision: AccessDecision
    switch verb {
    case .list:
      let library = try invocation.openLibrary(.readOnly)
      let clients = try translating(about: "access") { () throws(LibraryError) in
        guard let id = invocation.globals.client else { return try library.clients() }
        return try library.access(of: id).map { [$0] } ?? []
      }
      try write(clients, on: invocation.terminal)
      return .success
    case .grant: decision = grant?.decision ?? .full
    case .deny: decision = .deny
    case .restrict: decision = .restrict
    case .reset: decision = .reset
    case .pending:
      try listPending(invocation)
      return .success
    case .answer:
      try answer(operands.dropFirst().first, invocation)
      return .success
    }
    let library = try invocation.openLibrary(.readWrite)
    let access = try translating(about: "\(id)") { () throws(LibraryError) in
      try library.setAccess(of: id, decision, location: grant?.location)
      return try library.access(of: id)
    }
    try write(access.map { [$0] } ?? [], on: invocation.terminal)
    return .success
  }

  /// What is granted; nil for the other verbs, which take no options.
  private static func grantOptions(
    _ arguments: ParsedArguments, _ verb: Verb
  ) throws(Failure) -> (decision: AccessDecision, location: Bool?)? {
    let levels = [OptionName.full, .limited, .addOnly].filter(arguments.has)
    let places = [OptionName.location, .noLocation].filter(arguments.has)
    for pair in [levels, places] where pair.count > 1 {
      throw .usage(pair[0].text, "cannot stand beside \(pair[1].text)")
    }
    if verb == .answer { return nil }
    guard verb == .grant else {
      if let option = levels.first ?? places.first {
        throw .usage(option.text, "belongs to access grant")
      }
      if arguments.has(.deny) { throw .usage("--deny", "belongs to access answer") }
      return nil
    }
    if arguments.has(.deny) { throw .usage("--deny", "belongs to access answer") }
    let decision: AccessDecision
    switch levels.first {
    case .full: decision = .full
    case .limited: decision = .limited
    case .addOnly: decision = .addOnly
    default: throw .usage("access grant", "say --full, --limited or --add-only")
    }
    return (decision, places.first.map { $0 == .location })
  }

  static func write(_ clients: [ClientAccess], on terminal: Terminal) throws(Failure) {
    if terminal.style.json {
      let object = JSON.object([("clients", .array(clients.map(\.json)))])
      return try terminal.writeLine(object.text)
    }
    if terminal.outputIsTerminal {
      let titles = ["READ", "ADD", "VISIBLE", "LOCATION", "CLIENT"]
      try terminal.writeLine(terminal.heading(row(titles, aligned: true)))
    }
    for access in clients {
      let fields = [
        access.readWrite.name, access.addOnly.name, String(access.visible),
        access.location ? "yes" : "no", access.client.rawValue,
      ]
      try terminal.writeLine(row(fields, aligned: terminal.outputIsTerminal))
    }
  }

  private static func row(_ fields: [String], aligned: Bool) -> String {
    guard aligned else { return fields.joined(separator: "\t") }
    let widths = [13, 13, 7, 8, 0]
    return zip(fields, widths).map { pad($0, toColumns: $1) }.joined(separator: "  ")
  }
}

extension ClientAccess {
  fileprivate var json: JSON {
    .object([
      ("client", .string(client.rawValue)), ("readWrite", .string(readWrite.name)),
      ("addOnly", .string(addOnly.name)), ("visible", .integer(visible)),
      ("location", .bool(location)), ("requestedAt", .optional(requestedAt?.rfc3339())),
      ("answeredAt", .optional(answeredAt?.rfc3339())),
      // Nothing but the owner's word keeps a program on this machine from the library's folder.
      ("enforced", .bool(false)),
    ])
  }
}
