import ImageCodecs
import ImageContainer
import ImageMetadata
import PhotoModel
import PhotoStore

/// Size and hash of originals' bytes without places.
enum OriginalRedaction {
  /// Computes them, given size and hash of the original, which are those of the redacted bytes too
  /// where nothing is taken out.
  ///
  /// What cannot be redacted has no such bytes; nil where it could not be read. `structure` is of a
  /// whole scan.
  static func compute(
    _ source: some ByteSource, structure: ImageStructure, original: OriginalDescription
  ) -> RedactedOriginal? {
    var found: OriginalDescription?
    do {
      found = try content(source, structure: structure, original: original)
    } catch let error as RedactionError where !error.isUnreadable {
      found = nil
    } catch {
      return nil
    }
    return RedactedOriginal(version: LocationRedaction.version, content: found)
  }

  /// Computes them, and charges the memory to the budget, for which it may wait; nil where that may never
  /// have so much.
  static func compute(
    _ source: some ByteSource, structure: ImageStructure, original: OriginalDescription,
    budget: DecodeBudget, isCancelled: () -> Bool = { false }
  ) -> RedactedOriginal? {
    let need = RedactionPlan.requiredMemory(structure, fileSize: source.count)
    return try? budget.withReservation(of: need, isCancelled: isCancelled) {
      () throws(CodecError) in
      compute(source, structure: structure, original: original)
    }
  }

  /// Computes them of an original in the library, and charges the memory as above.
  static func compute(
    _ reference: OriginalReference, in store: Store, budget: DecodeBudget
  ) throws(StoreError) -> RedactedOriginal? {
    let file = try store.openOriginal(reference)
    defer { withExtendedLifetime(file) {} }
    let original = OriginalDescription(byteSize: reference.byteSize, sha256: reference.sha256)
    guard let source = try? FileByteSource(descriptor: file.descriptor),
      let structure = try? ImageStructure.scan(source)
    else { return nil }
    return compute(source, structure: structure, original: original, budget: budget)
  }

  private static func content(
    _ source: some ByteSource, structure: ImageStructure, original: OriginalDescription
  ) throws -> OriginalDescription {
    let plan = try RedactionPlan.make(source, structure: structure)
    if plan.isIdentity(forCount: source.count) { return original }
    let redacted = RedactedByteSource(source, plan: plan)
    var position = 0
    let hash = try Store.sha256 { () throws(ByteSourceError) in
      let piece = try redacted.read(at: position, count: 256 << 10)
      position += piece.count
      return piece
    }
    guard position == redacted.count else {
      throw RedactionError(message: "it cannot be read to its end", isUnreadable: true)
    }
    return OriginalDescription(byteSize: Int64(position), sha256: hash)
  }

  /// Computes what is missing of `limit` originals, and records it.
  ///
  /// For libraries of versions that did not, or did it another way. What cannot be done now, since its file
  /// is missing or cannot be read, is passed over and left for the next time: later ones are still
  /// done, however many there are of it.
  static func fillIn(
    _ store: Store, budget: DecodeBudget, limit: Int, isCancelled: () -> Bool
  ) {
    var found: [(sha256: [UInt8], redacted: RedactedOriginal)] = []
    var place = Int64.min
    while found.count < limit, !isCancelled() {
      let missing = try? store.read { (transaction) throws(StoreError) in
        try transaction.originalsWithoutRedaction(after: place, limit: limit)
      }
      guard let missing, !missing.isEmpty else { break }
      for entry in missing where found.count < limit && !isCancelled() {
        place = entry.place
        guard let redacted = try? compute(entry.original, in: store, budget: budget) else {
          continue
        }
        found.append((entry.original.sha256, redacted))
      }
    }
    guard !found.isEmpty else { return }
    try? store.write { (transaction) throws(StoreError) in
      for entry in found { try transaction.setRedaction(of: entry.sha256, entry.redacted) }
    }
  }
}
