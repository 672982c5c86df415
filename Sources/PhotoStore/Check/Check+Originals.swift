import PhotoModel

/// Rows against files, and files against rows.
extension Check {
  /// Every row's original: there, of its size and kind, read-only, and with `readData` of its hash.
  func rows(_ progress: (_ done: Int, _ total: Int) -> Void) throws(StoreError) {
    let total = try store.read { (transaction) throws(StoreError) in
      Int(try transaction.connection.integer(CheckSQL.count))
    }
    var done = 0
    var last: (sha256: [UInt8], row: Int64) = ([], 0)
    var previous: (name: OriginalName, problem: Problem?)?
    progress(0, total)
    while true {
      // In pages, so that neither memory nor the age of the state read grows with the library.
      let page = try store.read { (transaction) throws(StoreError) in
        try CheckSQL.originals(transaction.connection, after: last)
      }
      guard let end = page.last else { return }
      last = (end.name.sha256, end.row)
      for row in page {
        let problem: Problem?
        if let previous, previous.name == row.name {
          problem = previous.problem
        } else {
          problem = look(at: row)
        }
        previous = (row.name, problem)
        // An asset that was purged meanwhile has rightly lost its original.
        if let problem, try isStillThere(row.id) {
          report(problem.kind, problem.detail, id: row.id, repair: problem.repair)
        }
        done += 1
        progress(done, max(total, done))
      }
    }
  }

  struct Problem {
    let kind: String
    let detail: String
    let repair: String
  }

  private func isStillThere(_ id: AssetID) throws(StoreError) -> Bool {
    try store.read { (transaction) throws(StoreError) in
      try transaction.connection.integer(CheckSQL.exists, .blob(id.bytes)) != 0
    }
  }

  private func look(at row: CheckSQL.Row) -> Problem? {
    let name = "the original \(row.name.hexadecimal)"
    let again = "add the picture again from where it came"
    let aside = "set it aside; \(again)"
    do {
      guard let shard = try store.folder.folder(LibraryFolder.originals).folder(row.name.shard),
        let status = shard.status(row.name.fileName)
      else {
        return Problem(kind: "missing-original", detail: "\(name) is missing", repair: again)
      }
      guard status.isRegularFile, let file = try shard.openForReading(row.name.fileName) else {
        return Problem(kind: "type-mismatch", detail: "\(name) is no file", repair: aside)
      }
      guard status.size == row.byteSize else {
        return Problem(
          kind: "size-mismatch",
          detail: "\(name) has \(status.size) bytes instead of \(row.byteSize)", repair: aside)
      }
      var head = [UInt8](repeating: 0, count: 8)
      let count = try file.read(into: &head, at: 0)
      guard Self.hasSignature(head.prefix(count), row.name.format) else {
        return Problem(
          kind: "type-mismatch",
          detail: "\(name) does not begin like a \(row.name.format.contentType)", repair: aside)
      }
      if readData, try file.hash(store.buffers).sha256 != row.name.sha256 {
        return Problem(
          kind: "hash-mismatch", detail: "\(name) has other bytes than it had", repair: aside)
      }
      expect(0o400, status, name, id: row.id)
      return nil
    } catch {
      return Problem(
        kind: "unreadable-original", detail: "\(name): \(error.message)",
        repair: "look to the disk and the permissions")
    }
  }

  /// The first bytes of a JPEG (SOI and a marker) and of a PNG (its signature).
  private static func hasSignature(_ head: ArraySlice<UInt8>, _ format: ImageFormat) -> Bool {
    switch format {
    case .jpeg: head.starts(with: [0xff, 0xd8, 0xff])
    case .png: head.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    }
  }

  /// Every file among the originals has a row, or is on the list of an importer that lives.
  func files(areRowsKnown: Bool) throws(StoreError) {
    guard let originals = try store.folder.root.folder(LibraryFolder.originals) else {
      report("missing-original", "the folder of originals is missing", repair: "put it back")
      return
    }
    var unknown: [OriginalName] = []
    for shardName in try originals.names() {
      guard let status = originals.status(shardName) else { continue }
      do {
        guard status.isFolder, shardName.utf8.count == 2,
          let shard = try originals.folder(shardName)
        else {
          reportForeign("'\(shardName)' among the folders of originals")
          continue
        }
        expect(0o700, status, "the folder '\(shardName)' of originals")
        unknown += try strangers(in: shard, named: shardName, areRowsKnown: areRowsKnown)
      } catch {
        report(
          "unreadable-original", "the folder '\(shardName)' of originals: \(error.message)",
          repair: "look to the disk and the permissions")
      }
    }
    guard !unknown.isEmpty else { return }
    let lists = try lists()
    for name in unknown where !lists.living.contains(name) {
      // Its importer may have committed since, or the owner purged it.
      guard try !hasRow(name), try originals.folder(name.shard)?.status(name.fileName) != nil
      else { continue }
      report(
        "extra-original", "the original \(name.hexadecimal) belongs to no asset",
        repair: lists.dead.contains(name)
          ? "the next command that writes sweeps it" : "move it out of the library")
    }
  }

  /// The originals in a folder of them that have no row, as far as rows are known.
  private func strangers(
    in shard: Folder, named shardName: String, areRowsKnown: Bool
  ) throws(StoreError) -> [OriginalName] {
    var unknown: [OriginalName] = []
    for fileName in try shard.names() {
      guard let name = OriginalName(fileName), name.shard == shardName else {
        reportForeign("'\(fileName)' among the originals")
        continue
      }
      // What has a row has been looked at with it.
      guard areRowsKnown, try !hasRow(name) else { continue }
      if shard.status(fileName)?.isRegularFile == true {
        unknown.append(name)
      } else {
        reportForeign("'\(fileName)' among the originals")
      }
    }
    return unknown
  }

  private func reportForeign(_ what: String) {
    report(
      "extra-original", "\(what) is not the library's", repair: "move it out of the library")
  }

  private func hasRow(_ name: OriginalName) throws(StoreError) -> Bool {
    try store.read { (transaction) throws(StoreError) in
      try CheckSQL.hasRow(transaction.connection, name)
    }
  }

  /// The originals on the lists of importers that live, and of those that died.
  private func lists() throws(StoreError) -> (
    living: Set<OriginalName>, dead: Set<OriginalName>
  ) {
    var living: Set<OriginalName> = []
    var dead: Set<OriginalName> = []
    for staging in try StagingFolder.all(in: store.folder) {
      let names = try staging.readList(store.buffers)
      if FileLock.take(.shared, on: staging.folder.descriptor) {
        FileLock.release(staging.folder.descriptor)
        dead.formUnion(names)
      } else {
        living.formUnion(names)
      }
    }
    return (living, dead)
  }
}
