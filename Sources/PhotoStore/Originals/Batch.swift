/// The assets of one commit and what has become of each so far.
struct Batch {
  private let assets: [NewAsset]
  private var settled: [AddOutcome?]

  init(_ assets: [NewAsset]) {
    self.assets = assets
    settled = Array(repeating: nil, count: assets.count)
  }

  static func name(of asset: NewAsset) -> OriginalName {
    OriginalName(sha256: asset.original.sha256, format: asset.format)
  }

  /// The assets that nothing has happened to yet, with their places.
  var pending: [(Int, NewAsset)] {
    zip(assets.indices, assets).filter { settled[$0.0] == nil }.map { ($0.0, $0.1) }
  }

  /// The originals of these, each once.
  var names: [OriginalName] { Array(Set(pending.map { Self.name(of: $0.1) })) }

  /// Does a step for each pending asset; one that throws has failed, the others go on.
  mutating func each(_ step: (NewAsset) throws(StoreError) -> Void) {
    for (index, asset) in pending {
      do {
        try step(asset)
      } catch {
        settled[index] = .failed(error)
      }
    }
  }

  /// Lets the pending assets that are meant fail.
  mutating func fail(_ error: StoreError, _ isMeant: (NewAsset) -> Bool) {
    for (index, asset) in pending where isMeant(asset) { settled[index] = .failed(error) }
  }

  mutating func settle(_ outcomes: [Int: AddOutcome]) {
    for (index, outcome) in outcomes { settled[index] = outcome }
  }

  /// One outcome for each asset; one without an outcome of its own has this one.
  func outcomes(allFailedWith error: StoreError) -> [AddOutcome] {
    settled.map { $0 ?? .failed(error) }
  }

  var outcomes: [AddOutcome] {
    outcomes(allFailedWith: StoreError(code: .io, message: "it was not added"))
  }
}
