import PhotoModel

extension Store {
  /// Compares index and files, both ways, and calls back for each finding.
  ///
  /// Changes nothing.
  ///
  /// - Parameters:
  ///   - readData: whether to read and hash every original too.
  ///   - progress: called with how many originals of how many were looked at.
  ///   - finding: called with each finding, in no particular order.
  /// - Throws: where the check itself cannot go on; an index that cannot be read is a finding.
  package func check(
    readData: Bool, progress: (_ done: Int, _ total: Int) -> Void,
    finding: (CheckFinding) -> Void
  ) throws(StoreError) {
    try withoutActuallyEscaping(finding) { (finding) throws(StoreError) in
      let check = Check(store: self, readData: readData, finding: finding)
      let isReadable = check.index()
      check.thumbnails()
      try check.permissions()
      if isReadable {
        try check.selections()
        try check.rows(progress)
      }
      try check.files(areRowsKnown: isReadable)
      try check.staging()
    }
  }
}

/// One run of `check`.
struct Check {
  let store: Store
  let readData: Bool
  let finding: (CheckFinding) -> Void

  func report(
    _ kind: String, _ detail: String, id: AssetID? = nil, repair: String
  ) {
    finding(CheckFinding(kind: kind, id: id, detail: detail, repair: repair))
  }

  /// What SQLite finds in the index.
  ///
  /// - Returns: whether it can be read at all.
  func index() -> Bool {
    let repair = "restore the index from a backup or a snapshot"
    do {
      let problems = try store.read { (transaction) throws(StoreError) in
        try CheckSQL.problems(transaction.connection)
      }
      for problem in problems { report("index", problem, repair: repair) }
      return true
    } catch {
      report("index", error.message, repair: repair)
      return false
    }
  }

  /// What SQLite finds in the thumbnail cache.
  func thumbnails() {
    let repair = "delete thumbnails.sqlite; it is made anew"
    do {
      for problem in try store.thumbnails.problems() {
        report("thumbnails", problem, repair: repair)
      }
    } catch {
      report("thumbnails", error.message, repair: repair)
    }
  }

  /// Grants of assets: a selection row is what the asset itself says.
  func selections() throws(StoreError) {
    let problems = try store.read { (transaction) throws(StoreError) in
      try CheckSQL.selections(transaction.connection)
    }
    for problem in problems {
      report(
        "selection", problem.detail, id: problem.id,
        repair: "select the photo anew for the client, or take it from the selection")
    }
  }

  /// Folders 0700, files 0600; originals are looked at one by one.
  func permissions() throws(StoreError) {
    let root = store.folder.root
    expect(0o700, try root.descriptor.status(), "the library's folder")
    for name in try root.names() {
      guard let status = root.status(name) else { continue }
      if LibraryFolder.folders.contains(name) {
        guard status.isFolder else {
          report(
            "permissions", "what should be the folder of \(name) is none",
            repair: "put the folder back")
          continue
        }
        expect(0o700, status, "the folder of \(name)")
      } else if name.hasPrefix(LibraryFolder.newIndex) {
        report(
          "leftover", "a creation of the library was broken off",
          repair: "the next command that writes removes it")
      } else if status.isRegularFile {
        expect(0o600, status, "the file '\(name)'")
      }
    }
  }

  func expect(_ permissions: UInt32, _ status: FileStatus, _ what: String, id: AssetID? = nil) {
    // Closed to the others is what counts: a copy that nobody can write is no damage.
    guard status.permissions & ~permissions != 0 else { return }
    let found = String(status.permissions, radix: 8)
    let wanted = String(permissions, radix: 8)
    report(
      "permissions", "\(what) has permissions \(found), more than \(wanted)", id: id,
      repair: "take them away with chmod")
  }

  /// Leftovers of importers that died.
  func staging() throws(StoreError) {
    for staging in try StagingFolder.all(in: store.folder) {
      // Looked at without holding it: a shared lock that is to be had at once means that nobody
      // lives.
      guard FileLock.take(.shared, on: staging.folder.descriptor) else { continue }
      FileLock.release(staging.folder.descriptor)
      guard staging.isThere else { continue }
      report(
        "staging", "an import was broken off and left its staging folder behind",
        repair: "the next command that writes sweeps it")
    }
  }
}
