import PhotoLibrary

/// Tells all that is known of single assets.
enum ShowCommand: Command {
  static let name = "show"
  static let summary = "tell all that is known of photos"
  static let forms = ["IDS"]
  static let actor = ActorRule.reads
  static let endsAtOnce = true
  static let options = Option.choosing
  static let details = """
    IDS: identifiers or the first digits of one (4 or more), files (matched by content), or `-` for
    identifiers on standard input; or --from, --to, --type, --all. The dates found in the file are
    listed, most trusted first.

    examples:
      photolib show 3F2A
      photolib show --json ./IMG_0042.jpg
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let arguments = try AssetArguments(invocation.arguments)
    if arguments.isEmpty {
      throw .usage(
        "show", "no photo is named", hint: "photolib fetch lists them with their identifiers")
    }
    let terminal = invocation.terminal
    let id = try invocation.readingClient()
    let library = try invocation.openLibrary(.readOnly)
    let client = invocation.view(of: id, in: library)
    let status = try invocation.readStatus(of: client)
    guard status.permitsReading else { throw invocation.notPermitted(client, status) }

    let resolution = try arguments.resolve(in: client.view)
    resolution.reportMissing(on: terminal)
    if resolution.isWholeMiss { return .noInput }
    let chosen = try translating(about: "show") { () throws(LibraryError) in
      try client.view.fetchAssets(arguments.query(for: resolution.ids)).ids
    }
    // In the order in which they were named, else oldest first.
    let passed = Set(chosen)
    let ids = arguments.namesAssets ? resolution.ids.filter(passed.contains) : chosen

    var listing = AssetListing(on: terminal)
    var isFirst = true
    try client.view.forEachAsset(in: ids, dateCandidates: true) { (asset) throws(Failure) in
      if terminal.style.json {
        try listing.add(asset, dateCandidates: true)
      } else {
        try terminal.write((isFirst ? "" : "\n") + description(of: asset))
        isFirst = false
      }
    }
    if terminal.style.json { try listing.end() }
    return resolution.missing.isEmpty ? .success : .partial
  }

  private static func ratingText(_ rating: Int) -> String {
    switch rating {
    case -1: "rejected"
    case 0: "no stars"
    case 1: "1 star"
    default: "\(rating) stars"
    }
  }

  /// A line for each thing known.
  private static func description(of asset: Asset) -> String {
    var rows: [(String, String)] = [
      ("name", printable(asset.originalFilename.bytes)),
      ("type", asset.format.contentType),
      ("size", "\(asset.pixelSize) pixels, orientation \(asset.orientation.rawValue)"),
      ("created", "\(asset.creationDate.rfc3339) (\(asset.creationDate.source.name))"),
      ("modified", asset.modificationDate.rfc3339()),
      ("added", asset.addedDate.rfc3339()),
    ]
    if let original = asset.original {
      rows += [("bytes", "\(original.byteSize)"), ("sha256", original.sha256Hex)]
    }
    if asset.isFavorite { rows.append(("favorite", "yes")) }
    if asset.isHidden { rows.append(("hidden", "yes")) }
    if let rating = asset.rating { rows.append(("rating", ratingText(rating))) }
    if let place = asset.location {
      let altitude = place.altitude.map { ", \($0.rounded(decimals: 2)) m" } ?? ""
      let latitude = place.latitude.rounded(decimals: 7)
      let longitude = place.longitude.rounded(decimals: 7)
      rows.append(("location", "\(latitude), \(longitude)\(altitude)"))
    }
    if asset.isLocationRedacted { rows.append(("location", "not for this client")) }
    if let camera = asset.camera {
      // Many models begin with the name of their maker.
      let isNamedTwice = camera.make.flatMap { camera.model?.hasPrefix($0) } ?? false
      let words = [isNamedTwice ? nil : camera.make, camera.model].compactMap { $0 }
      rows.append(("camera", words.map(printable).joined(separator: " ")))
    }
    if let damage = asset.damage { rows.append(("damaged", printableMessage(damage))) }
    if let reason = asset.undecodable { rows.append(("undecodable", printableMessage(reason))) }
    for candidate in asset.dateCandidates {
      rows.append(("date", "\(candidate.text) (\(candidate.source.name))"))
    }
    let lines = rows.map { "  \(pad($0.0, toColumns: 12)) \($0.1)\n" }
    return "\(asset.localIdentifier)\n\(lines.joined())"
  }
}
