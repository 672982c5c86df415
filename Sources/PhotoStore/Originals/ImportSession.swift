import Glibc
package import PhotoModel
import Synchronization

/// An importer of one process, with a staging folder of its own.
///
/// The life of a file: `stage` copies and hashes it; `commit` makes it durable, writes its name to
/// the staging folder's list, renames it into place, makes the name durable, and only then adds the
/// asset, in one transaction for the batch. Whatever an importer that dies leaves behind is in its
/// staging folder or on its list, which the next writer's open sweeps. Safe from any thread;
/// commits wait for each other.
package final class ImportSession: Sendable {
  private let store: Store
  private let staging: StagingFolder
  private let originals: OriginalsFolder
  /// Held shared from before the renames to the end of the transaction, so that no sweep runs
  /// meanwhile.
  private let lock: Descriptor
  private let nextNumber = Atomic(0)
  private let state = Mutex(State())

  private struct State {
    var isEnded = false
    /// Originals that were put in place and got no row: they stay on the list for a sweep.
    var unresolved: Set<OriginalName> = []
  }

  init(_ store: Store) throws(StoreError) {
    self.store = store
    lock = try store.folder.openLock()
    originals = try OriginalsFolder(store.folder, store.buffers)
    staging = try StagingFolder(in: store.folder)
  }

  deinit { end() }

  // MARK: Staging

  /// Copies a regular file into staging in one pass: each block is read, hashed and written.
  ///
  /// - Parameters:
  ///   - descriptor: read from its start; its position is neither used nor moved.
  ///   - isCancelled: asked between blocks; if true, nothing is staged and `cancelled` is thrown.
  /// - Returns: the staged bytes, removed with the object unless they are committed.
  /// - Throws: `io` also where size, modification time or inode differ afterwards; `noSpace`.
  package func stage(
    _ descriptor: Int32, isCancelled: @Sendable () -> Bool
  ) throws(StoreError) -> StagedOriginal {
    let copy = dup(descriptor)
    guard copy >= 0 else {
      throw StoreError.reading(errorNumber: errno, "it could not be read")
    }
    let source = Descriptor(copy)
    let before = try source.status()
    try requireSpace(for: before.size)
    return try stage { (write) throws(StoreError) in
      try store.buffers.withBuffer { (buffer) throws(StoreError) in
        var offset: Int64 = 0
        while true {
          if isCancelled() { throw .cancelled }
          let count = try source.read(into: &buffer, at: offset)
          try write(buffer.span.extracting(0..<count), offset)
          offset += Int64(count)
          // A file that grows as fast as it is read would otherwise have no end.
          if count < buffer.count || offset > before.size { break }
        }
        guard before.isUnchanged(try source.status()), before.size == offset else {
          throw StoreError(code: .io, message: "it changed while it was read")
        }
        return offset
      }
    }
  }

  /// Stages bytes from memory (a client's).
  package func stage(_ bytes: [UInt8]) throws(StoreError) -> StagedOriginal {
    try requireSpace(for: Int64(bytes.count))
    return try stage { (write) throws(StoreError) in
      try write(bytes.span, 0)
      return Int64(bytes.count)
    }
  }

  private func stage(
    _ copy: (_ write: (Span<UInt8>, Int64) throws(StoreError) -> Void) throws(StoreError) -> Int64
  ) throws(StoreError) -> StagedOriginal {
    guard !state.withLock({ $0.isEnded }) else { throw Self.ended }
    let name = String(nextNumber.wrappingAdd(1, ordering: .relaxed).newValue)
    let output = try staging.folder.createFile(name)
    do throws(StoreError) {
      let hash = try ContentHash()
      let byteSize = try copy { (bytes, offset) throws(StoreError) in
        try hash.update(bytes)
        try output.write(bytes, at: offset, "the copy could not be written")
      }
      guard fchmod(output.raw, 0o400) == 0 else {
        throw StoreError(errorNumber: errno, "the copy could not be made read-only")
      }
      guard let file = try staging.folder.openForReading(name) else {
        throw StoreError(code: .io, message: "the copy vanished")
      }
      return StagedOriginal(
        sha256: try hash.finish(), byteSize: byteSize, folder: staging.folder, name: name,
        file: file)
    } catch {
      try? staging.folder.remove(name)
      throw error
    }
  }

  /// What is left free for the list, the index and its log, so that what was staged before the disk was
  /// full can still be committed: a batch of 64 assets takes a third of it.
  private static let reserve: Int64 = 1 << 20

  private func requireSpace(for byteSize: Int64) throws(StoreError) {
    guard let free = staging.folder.freeSpace, free - byteSize < Self.reserve else { return }
    throw StoreError(
      code: .noSpace,
      message: "no space is left for it: \(byteSize) bytes, and \(max(0, free - Self.reserve)) free"
    )
  }

  private static let ended = StoreError(code: .io, message: "the import has ended")

  // MARK: Committing

  /// Adds assets; durable when it returns.
  ///
  /// - Parameters:
  ///   - assets: what was staged here.
  ///   - adder: as whom, by what is decided in a transaction. It is asked before anything is put in place,
  ///     and again as part of the transaction that adds: where it throws, none of the assets is added.
  /// - Returns: one outcome for each asset, in order. Where the transaction fails every outcome is
  ///   that failure.
  /// - Throws: only where the import has ended.
  package func commit(
    _ assets: [NewAsset], by adder: (ReadTransaction) throws(StoreError) -> Adder
  ) throws(StoreError) -> [AddOutcome] {
    try state.withLock { (state) throws(StoreError) in
      guard !state.isEnded else { throw Self.ended }
      var batch = Batch(assets)
      batch.each { (asset) throws(StoreError) in
        try asset.original.file.synchronize("the copy could not be made durable")
      }
      do throws(StoreError) {
        try FileLock.wait(
          .shared, on: lock, milliseconds: store.environment.busyTimeoutMilliseconds)
      } catch {
        return batch.outcomes(allFailedWith: error)
      }
      defer { FileLock.release(lock) }
      return commit(&batch, adder, &state)
    }
  }

  private func commit(
    _ batch: inout Batch, _ adder: (ReadTransaction) throws(StoreError) -> Adder,
    _ state: inout State
  ) -> [AddOutcome] {
    let hidesExistence: Bool
    do {
      hidesExistence = try !store.read(adder).mayKnowDuplicates
      try staging.writeList(Array(state.unresolved) + batch.names)
    } catch {
      return batch.outcomes(allFailedWith: error)
    }
    // From here on every name may be in place without a row, until the transaction says otherwise.
    state.unresolved.formUnion(batch.names)
    batch.each { (asset) throws(StoreError) in
      try originals.place(
        asset.original, as: Batch.name(of: asset), hidesExistence: hidesExistence)
    }
    for shard in Set(batch.names.map(\.shard)) {
      do {
        try originals.synchronize(shard: shard)
      } catch {
        batch.fail(error) { Batch.name(of: $0).shard == shard }
      }
    }
    guard !batch.names.isEmpty else { return batch.outcomes }
    do {
      let added = try store.write { (transaction) throws(StoreError) in
        let adder = try adder(transaction.reading)
        var outcomes: [Int: AddOutcome] = [:]
        for (index, asset) in batch.pending {
          outcomes[index] = try transaction.add(asset, by: adder)
        }
        return outcomes
      }
      state.unresolved.subtract(batch.names)
      batch.settle(added)
      return batch.outcomes
    } catch {
      return batch.outcomes(allFailedWith: error)
    }
  }

  /// The asset that the owner has of these bytes already, so that expensive work can be left out;
  /// nil also where its original is missing or cut, so that adding it again mends that.
  package func existingAsset(sha256: [UInt8]) throws(StoreError) -> AssetID? {
    let found = try store.read {
      (transaction) throws(StoreError) -> (AssetID, OriginalReference?)? in
      guard let id = try transaction.existingAsset(sha256: sha256) else { return nil }
      return (id, try transaction.original(id, .owner))
    }
    guard let (id, reference) = found, let reference,
      (try? store.openOriginal(reference)) != nil
    else { return nil }
    return id
  }

  // MARK: Ending

  /// Removes the staging folder, staged files and all.
  ///
  /// Also done when the last reference goes.
  package func end() {
    state.withLock { state in
      guard !state.isEnded else { return }
      state.isEnded = true
      if state.unresolved.isEmpty {
        try? staging.remove()
        FileLock.release(staging.folder.descriptor)
      } else {
        // Some originals may have no row: what is on the list is a sweep's to remove, now or later.
        FileLock.release(staging.folder.descriptor)
        store.sweep()
      }
    }
  }
}
