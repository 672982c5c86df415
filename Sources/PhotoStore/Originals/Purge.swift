import PhotoModel

/// What a purge took away for good.
package struct PurgeOutcome: Hashable, Sendable {
  /// Assets that are no more.
  package var assets = 0
  /// Original files that no other asset is made from, and their bytes.
  package var originals = 0
  package var bytes: Int64 = 0
}

extension Store {
  /// Forgets what has lain in the trash for so long, and removes the originals that nothing else
  /// is made from.
  ///
  /// The rows go first, in one transaction for each thousand; the files after it. Their names are on the list of a
  /// staging folder before the commit, so what a purge that dies leaves behind is swept. Waits for imports that are
  /// about to commit.
  ///
  /// - Parameters:
  ///   - age: seconds that an asset has lain in the trash at least; not negative.
  ///   - isCancelled: asked before each thousand.
  /// - Returns: what went.
  /// - Throws: `busy` where another process has the library locked for longer than the timeout; `readOnly`, `io`.
  package func purge(
    olderThan age: Int64, isCancelled: () -> Bool
  ) throws(StoreError) -> PurgeOutcome {
    guard isForWriting else { throw Self.notForWriting }
    let lock = try folder.openLock()
    try FileLock.wait(.exclusive, on: lock, milliseconds: environment.busyTimeoutMilliseconds)
    defer { FileLock.release(lock) }
    var outcome = PurgeOutcome()
    let (nanoseconds, isHuge) = age.multipliedReportingOverflow(by: 1_000_000_000)
    let (moment, isBeforeAll) = environment.now().nanoseconds.subtractingReportingOverflow(
      nanoseconds)
    guard !isHuge, !isBeforeAll else { return outcome }
    while !isCancelled(), try purgeBatch(Instant(nanoseconds: moment), &outcome) {}
    return outcome
  }

  private func purgeBatch(
    _ moment: Instant, _ outcome: inout PurgeOutcome
  ) throws(StoreError) -> Bool {
    let staging = try StagingFolder(in: folder)
    defer { FileLock.release(staging.folder.descriptor) }
    let old = try write { (transaction) throws(StoreError) in
      let old = try transaction.connection.all(SQL(TrashSQL.old, .int(moment.nanoseconds))) {
        (row) throws(StoreError) in
        guard let format = ImageFormat(rawValue: row.int(2)), row.blob(1).count == 32 else {
          throw StoreError(code: .damaged, message: "a record in the trash is damaged")
        }
        return (
          row: row.int64(0), name: OriginalName(sha256: row.blob(1), format: format),
          byteSize: row.int64(3)
        )
      }
      // Durable before the rows are gone.
      if !old.isEmpty { try staging.writeList(Array(Set(old.map(\.name)))) }
      try transaction.forget(old.map(\.row))
      return old
    }
    guard !old.isEmpty else {
      try staging.remove()
      return false
    }
    outcome.assets += old.count
    let sizes = Dictionary(old.map { ($0.name, $0.byteSize) }) { first, _ in first }
    var unknown: [OriginalName] = []
    for name in sizes.keys {
      let isKnown = try read { (transaction) throws(StoreError) in
        try transaction.isOriginalKnown(sha256: name.sha256)
      }
      if !isKnown { unknown.append(name) }
    }
    thumbnails.remove(madeFrom: unknown.map(\.sha256))
    let sweep = Sweep(library: folder, buffers: buffers) { (sha256) throws(StoreError) in
      try self.read { (transaction) throws(StoreError) in
        try transaction.isOriginalKnown(sha256: sha256)
      }
    }
    try sweep.removeUnknownOriginals(named: unknown)
    try staging.remove()
    outcome.originals += unknown.count
    outcome.bytes += unknown.reduce(0) { $0 + (sizes[$1] ?? 0) }
    return true
  }
}
