import PhotoLibrary

/// What a command is about to change, and as whom.
struct AssetsToChange {
  let client: ActingClient
  let ids: [AssetID]

  /// Opens the library, and looks up what the command line chose.
  ///
  /// - Parameters:
  ///   - command: its name, for messages.
  ///   - invocation: who acts, and what was named.
  /// - Returns: nil where one of the assets that were named is not there, which then was said: nothing is to be
  ///   changed.
  /// - Throws: what is wrong with the command line, the library or the client's permission.
  static func choose(
    for command: String, _ invocation: Invocation
  ) throws(Failure) -> AssetsToChange? {
    let arguments = try AssetArguments(invocation.arguments)
    if arguments.isEmpty {
      throw .usage(
        command, "no photo is named", hint: "photolib fetch lists them with their identifiers")
    }
    let library = try invocation.openLibrary(.readWrite)
    let client = invocation.view(of: invocation.globals.client, in: library)
    let status = try invocation.readStatus(of: client)
    guard status.permitsReading else { throw invocation.notPermitted(client, status) }

    let resolution = try arguments.resolve(in: client.view)
    resolution.reportMissing(on: invocation.terminal)
    guard resolution.missing.isEmpty else { return nil }
    let ids = try translating(about: command) { () throws(LibraryError) in
      try client.view.fetchAssets(arguments.query(for: resolution.ids)).ids
    }
    return AssetsToChange(client: client, ids: ids)
  }

  /// Changes them in one commit, and tells how many they were.
  func change(
    _ done: String, _ command: String, _ terminal: Terminal,
    _ block: (inout ChangeBlock) throws(LibraryError) -> Void
  ) async throws(Failure) {
    do {
      try await client.view.performChanges(block)
    } catch {
      throw Failure(error, about: command)
    }
    if terminal.style.json {
      try terminal.writeLine(JSON.object([(done, .integer(ids.count))]).text)
    } else if !terminal.style.quiet {
      try terminal.writeLine("\(ids.count) \(done)")
    }
  }
}
