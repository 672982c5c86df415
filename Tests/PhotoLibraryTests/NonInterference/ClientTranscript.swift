import PhotoLibrary
import PhotoModel
import PhotoStore

/// What a client is told, call by call, as lines of text.
final class ClientTranscript {
  let client: LibraryClient
  private var position: HistoryPosition
  private var token: ChangeToken
  private(set) var lines: [String] = []

  init(_ client: LibraryClient) throws {
    self.client = client
    position = try client.service.historyPosition()
    token = try client.currentChangeToken()
  }

  func clear() { lines.removeAll() }

  /// Asks for all there is to be asked.
  ///
  /// - Parameters:
  ///   - known: identifiers that the client may or may not know.
  ///   - chosen: of which of them more is asked.
  ///   - asksForPictures: whether bytes and thumbnails are asked for too.
  func observe(_ known: [AssetID], chosen: [AssetID], asksForPictures: Bool) async {
    note("status") {
      try [AccessLevel.readWrite, .addOnly].map { try client.authorizationStatus(for: $0).name }
    }
    for key in SortKey.allCases {
      for ascending in [true, false] {
        note("fetch \(key) \(ascending)") {
          try client.fetchAssets(
            FetchQuery(sort: [SortDescriptor(key, ascending: ascending)], includesHidden: ascending)
          ).ids
        }
      }
    }
    note("limit") { try client.fetchAssets(FetchQuery(limit: 2, offset: 1)).ids }
    note("count") { try client.countAssets() }
    note("count hidden") { try client.countAssets(FetchQuery(includesHidden: true)) }
    note("count of known") { try client.countAssets(FetchQuery(ids: known)) }
    note("records") { try client.assets(known, includingDateCandidates: true) }
    for id in chosen {
      note("record \(id)") { try client.asset(id) }
      note("prefix") { try client.identifiers(prefix: String(id.uuidString.prefix(4)), limit: 9) }
    }
    note("changes") {
      let (changes, next) = try client.service.changes(since: position)
      position = next
      return [
        "+\(changes.inserted.sorted())", "~\(changes.changed.sorted())",
        "-\(changes.removed.sorted())", "\(next)",
      ]
    }
    note("commits") {
      let changes = try client.changes(since: token)
      token = changes.token
      return changes.map { step in
        "+\(step.changes.inserted.sorted()) ~\(step.changes.changed.sorted()) "
          + "-\(step.changes.removed.sorted()) \(step.token.description)"
      }
    }
    note("token") { try client.currentChangeToken().description }
    guard asksForPictures else { return }
    for id in chosen {
      await note("bytes \(id)") {
        let data = try await client.imageData(for: id)
        return (data.data.count, data.data.hashValue, data.isLocationRedacted)
      }
      await note("thumbnail \(id)") {
        let recipe = ThumbnailRecipe(size: PixelSize(width: 8, height: 8))
        return try await client.thumbnail(for: id, recipe: recipe).data.hashValue
      }
    }
    // Else it would read the clock in the middle of the next step.
    await client.service.finishCaching()
  }

  /// Does something and notes what is said of it.
  func note(_ name: String, _ body: () throws -> Any) {
    do {
      lines.append("\(name): \(try body())")
    } catch let error as LibraryError {
      lines.append("\(name): \(error.code) \(error.message)")
    } catch {
      lines.append("\(name): \(error)")
    }
  }

  func note(_ name: String, _ body: () async throws -> Any) async {
    do {
      lines.append("\(name): \(try await body())")
    } catch let error as LibraryError {
      lines.append("\(name): \(error.code) \(error.message)")
    } catch {
      lines.append("\(name): \(error)")
    }
  }
}
