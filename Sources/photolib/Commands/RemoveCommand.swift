import PhotoLibrary

/// Puts photos into the trash.
enum RemoveCommand: Command {
  static let name = "remove"
  static let summary = "put photos into the trash"
  static let forms = ["IDS"]
  static let actor = ActorRule.manages
  static let endsAtOnce = false
  static let options = Option.choosing
  static let details = """
    Removes all of the photos that are named, or none. Nothing is lost: until `photolib purge` the
    owner can bring them back with `photolib restore`, with their places in selections. A client
    removes only what it added itself.

    examples:
      photolib remove 3F2A 91C0
      photolib remove --to 1999
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let arguments = try AssetArguments(invocation.arguments)
    if arguments.isEmpty {
      throw .usage(
        "remove", "no photo is named", hint: "photolib fetch lists them with their identifiers")
    }
    let library = try invocation.openLibrary(.readWrite)
    let client = invocation.view(of: invocation.globals.client, in: library)
    let status = try invocation.readStatus(of: client)
    guard status.permitsReading else { throw invocation.notPermitted(client, status) }

    let resolution = try arguments.resolve(in: client.view)
    resolution.reportMissing(on: invocation.terminal)
    guard resolution.missing.isEmpty else { return .noInput }
    let ids: [AssetID]
    do {
      let found = try client.view.fetchAssets(arguments.query(for: resolution.ids)).ids
      try await client.view.performChanges { $0.delete(found) }
      ids = found
    } catch {
      throw Failure(error, about: "remove")
    }
    let terminal = invocation.terminal
    if terminal.style.json {
      try terminal.writeLine(JSON.object([("removed", .integer(ids.count))]).text)
    } else if !terminal.style.quiet {
      try terminal.writeLine("\(ids.count) removed")
    }
    if !ids.isEmpty, client.id == nil {
      terminal.hint(
        "they are in the trash; to bring them back: " + invocation.commandLine("restore IDS"))
    }
    return .success
  }
}
