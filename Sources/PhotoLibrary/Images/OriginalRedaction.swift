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
  /// For libraries of versions that did not, or did it another way. What cannot be done, since its file is
  /// missing or cannot be read, is remembered with the state of the file, and tried again when that
  /// differs: later ones are done, however many there are of it.
  static func fillIn(
    _ store: Store, budget: DecodeBudget, limit: Int, isCancelled: () -> Bool
  ) {
    var found: [(sha256: [UInt8], redacted: RedactedOriginal)] = []
    var failed: [(sha256: [UInt8], state: Int64?)] = []
    func compute(_ original: OriginalReference) {
      // From before, so that a file that is put back meanwhile is tried again.
      let state = store.fileState(of: original)
      do throws(StoreError) {
        if let redacted = try Self.compute(original, in: store, budget: budget) {
          found.append((original.sha256, redacted))
        } else {
          failed.append((original.sha256, state))
        }
      } catch {
        // Else it may have been for want of descriptors, say.
        if error.code == .damaged { failed.append((original.sha256, state)) }
      }
    }
    var place = Int64.min
    while found.count < limit, !isCancelled() {
      let missing = try? store.read { (transaction) throws(StoreError) in
        try transaction.originalsWithoutRedaction(after: place, limit: limit)
      }
      guard let missing, !missing.isEmpty else { break }
      for entry in missing where found.count < limit && !isCancelled() {
        place = entry.place
        compute(entry.original)
      }
    }
    let before = try? store.read { (transaction) throws(StoreError) in
      try transaction.originalsWithFailedRedaction(limit: limit)
    }
    for entry in before ?? [] where found.count < limit && !isCancelled() {
      if store.fileState(of: entry.original) != entry.state { compute(entry.original) }
    }
    guard !found.isEmpty || !failed.isEmpty else { return }
    try? store.write { (transaction) throws(StoreError) in
      for entry in found { try transaction.setRedaction(of: entry.sha256, entry.redacted) }
      for entry in failed {
        try transaction.setRedactionFailure(of: entry.sha256, state: entry.state)
      }
    }
  }
}
