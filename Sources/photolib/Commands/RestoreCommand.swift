import PhotoLibrary

/// Lists the trash, and brings photos back from it.
enum RestoreCommand: Command {
  static let name = "restore"
  static let summary = "list the trash, and bring photos back from it"
  static let forms = ["", "IDS", "--all"]
  static let actor = ActorRule.ownerOnly
  static let endsAtOnce = false
  static let options = [Option(.all, help: "all that lies in the trash")]
  static let details = """
    Without IDS it lists what lies in the trash, that which was removed last first: identifier and
    time of removal. IDS are identifiers, or the first digits of one (4 or more). All of them come
    back, with their places in selections, or none.

    examples:
      photolib restore
      photolib restore 3F2A
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let arguments = invocation.arguments
    if arguments.has(.all), let operand = arguments.operands.first {
      throw .usage(printable(operand), "cannot stand beside --all")
    }
    let isList = arguments.operands.isEmpty && !arguments.has(.all)
    let library = try invocation.openLibrary(isList ? .readOnly : .readWrite)
    let trash = try translating(about: "trash") { () throws(LibraryError) in try library.trash() }
    let terminal = invocation.terminal
    if isList {
      try list(trash, on: terminal)
      return .success
    }
    var ids: [AssetID] = []
    var isComplete = true
    for operand in arguments.operands {
      switch named(operand, in: trash) {
      case .success(let id): if !ids.contains(id) { ids.append(id) }
      case .failure(let problem):
        terminal.reportFailed(printable(operand), problem.why)
        isComplete = false
      }
    }
    guard isComplete else { return .noInput }
    if arguments.has(.all) { ids = trash.map(\.id) }
    try translating(about: "restore") { () throws(LibraryError) in try library.restore(ids) }
    if terminal.style.json {
      try terminal.writeLine(JSON.object([("restored", .integer(ids.count))]).text)
    } else if !terminal.style.quiet {
      try terminal.writeLine("\(ids.count) restored")
    }
    return .success
  }

  private struct Problem: Error { let why: String }

  private static func named(
    _ operand: [UInt8], in trash: [TrashedAsset]
  ) -> Result<AssetID, Problem> {
    let text = String(decoding: operand, as: UTF8.self)
    if let id = AssetID(localIdentifier: text) {
      return trash.contains { $0.id == id }
        ? .success(id) : .failure(Problem(why: "no such asset in the trash"))
    }
    let digits = text.uppercased().filter { $0 != "-" }
    guard digits.utf8.count >= 4, digits.allSatisfy(\.isHexDigit) else {
      return .failure(Problem(why: "is no identifier"))
    }
    let found = trash.filter {
      $0.id.uuidString.filter { $0 != "-" }.hasPrefix(digits)
    }
    guard found.count <= 1 else {
      return .failure(Problem(why: "more than one asset begins so; write more digits"))
    }
    guard let id = found.first?.id else {
      return .failure(Problem(why: "no such asset in the trash"))
    }
    return .success(id)
  }

  private static func list(_ trash: [TrashedAsset], on terminal: Terminal) throws(Failure) {
    if terminal.style.json {
      let assets = trash.map { asset in
        JSON.object([
          ("localIdentifier", .string(asset.id.localIdentifier)),
          ("removedAt", .string(asset.removedAt.rfc3339())),
        ])
      }
      return try terminal.writeLine(JSON.object([("trash", .array(assets))]).text)
    }
    for asset in trash {
      try terminal.writeLine("\(asset.id.uuidString)\t\(asset.removedAt.rfc3339())")
    }
  }
}
