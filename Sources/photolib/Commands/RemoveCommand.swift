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
    guard let chosen = try AssetsToChange.choose(for: name, invocation) else { return .noInput }
    let terminal = invocation.terminal
    try await chosen.change("removed", name, terminal) { $0.delete(chosen.ids) }
    if !chosen.ids.isEmpty, chosen.client.id == nil {
      terminal.hint(
        "they are in the trash; to bring them back: " + invocation.commandLine("restore IDS"))
    }
    return .success
  }
}
