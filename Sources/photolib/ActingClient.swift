import PhotoLibrary

/// Who reads: a client, or the owner past every selection.
struct ActingClient {
  /// Nil for the owner.
  let id: ClientID?
  let view: LibraryClient

  /// The name in messages.
  var name: String { id?.rawValue ?? "the owner" }
}

extension Invocation {
  /// The client that reads: `--client`, else `$PHOTOLIB_CLIENT`, else `local.default`; nil for the owner.
  ///
  /// To be asked before the library is opened: a wrong name is wrong usage.
  func readingClient() throws(Failure) -> ClientID? {
    globals.isOwner ? nil : try askingClient()
  }

  /// The client that asks: `--client`, else `$PHOTOLIB_CLIENT`, else `local.default`.
  func askingClient() throws(Failure) -> ClientID {
    if let client = globals.client { return client }
    guard let bytes = environmentVariable("PHOTOLIB_CLIENT") else { return .localDefault }
    return try clientID(bytes, of: "$PHOTOLIB_CLIENT")
  }

  /// The client that a managing command is about.
  var concernedClient: ClientID { globals.client ?? .localDefault }

  /// The library as one client sees it, or as the owner does.
  func view(of id: ClientID?, in library: Library) -> ActingClient {
    ActingClient(id: id, view: id.map { library.client($0) } ?? library.owner)
  }

  /// What the owner decided about reading; the owner may always.
  func readStatus(of client: ActingClient) throws(Failure) -> AuthorizationStatus {
    guard client.id != nil else { return .authorized }
    return try translating(about: client.name) { () throws(LibraryError) in
      try client.view.authorizationStatus(for: .readWrite)
    }
  }

  /// Why a client that may not read gets nothing: one text, whatever it asked for.
  func notPermitted(_ client: ActingClient, _ status: AuthorizationStatus) -> Failure {
    let grant = commandLine("access grant --full", client: client.id)
    let select = commandLine("select --limited IDS", client: client.id)
    return Failure(
      .notPermitted, client.name, "has no permission to read this library (\(status.name))",
      hint: "the owner decides: \(grant), or only some photos: \(select)")
  }

  /// Says that a limited client does not see everything, and how it could.
  func hintOfLimit(_ id: ClientID, selected: Int) {
    let sees =
      switch selected {
      case 0: "sees nothing, since no photo is selected"
      case 1: "sees only 1 selected photo"
      default: "sees only \(selected) selected photos"
      }
    terminal.hint(
      "\(id) \(sees); to see all again: "
        + commandLine("select --full", client: id))
  }
}
