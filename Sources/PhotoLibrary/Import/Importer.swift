import ImageCodecs
import ImageContainer
import ImageMetadata
import PhotoModel
import PhotoStore

/// One import: walks, stages, examines and commits, in batches that are durable one after the other.
///
/// A file that cannot be added is reported with its reason and the rest goes on. What ends the work as a
/// whole (another writer, a library that cannot be written, an owner who permits it no longer, cancellation)
/// is thrown; what was reported as added before stays. Used by one thread, once.
final class Importer {
  // A batch is committed when it has so many files,
  static let batchFiles = 64
  // or so many bytes, so that a batch of large files is reported soon,
  static let batchBytes: Int64 = 256 << 20
  // or is so old.
  static let batchAge: Duration = .milliseconds(250)
  /// Originals of older versions whose redacted bytes are computed at the end.
  static let filledInRedactions = 64

  private let store: Store
  private let examiner: PictureExaminer
  private let adder: @Sendable (ReadTransaction) throws(StoreError) -> Adder
  private let isOwner: Bool
  private let options: AddOptions
  private let flag: CancellationFlag
  private let onEvent: @Sendable (AddEvent) -> Void
  private let isCancelled: @Sendable () -> Bool

  private var report = AddReport()
  private var batch: [Candidate] = []
  private var batchBegan = ContinuousClock.now
  private var batchSize: Int64 = 0
  /// Contents that a dry run has met, since it puts none into the library.
  private var seen: Set<[UInt8]> = []

  /// A picture that is ready to be committed.
  private struct Candidate {
    let path: FilePath
    let asset: NewAsset
    let warnings: [String]
  }

  init(
    store: Store, decoder: ThumbnailDecoder, policy: CreationDatePolicy,
    adder: @escaping @Sendable (ReadTransaction) throws(StoreError) -> Adder, isOwner: Bool,
    options: AddOptions, flag: CancellationFlag, onEvent: @escaping @Sendable (AddEvent) -> Void
  ) {
    self.store = store
    examiner = PictureExaminer(
      decoder: decoder, policy: policy, keepsDamaged: options.keepsDamaged)
    self.adder = adder
    self.isOwner = isOwner
    self.options = options
    self.flag = flag
    self.onEvent = onEvent
    isCancelled = { flag.isCancelled }
  }

  func run(_ paths: [FilePath]) throws(LibraryError) -> AddReport {
    let (files, bytes) = FolderWalk.count(paths, isCancelled: { flag.isCancelled })
    onEvent(.found(files: files, bytes: bytes))
    var session: ImportSession?
    if !options.dryRun {
      do { session = try store.beginImport() } catch { throw LibraryError(error) }
    }
    defer { session?.end() }
    for path in paths {
      try FolderWalk.walk(path) { (path, isNamed, found) throws(LibraryError) in
        try handle(found, at: path, isNamed: isNamed, session: session)
        return !flag.isCancelled
      }
      if flag.isCancelled { break }
    }
    try commit(session)
    if flag.isCancelled { throw .cancelled }
    // Not for clients: how long that takes would tell of assets that they may not see.
    if session != nil, isOwner {
      OriginalRedaction.fillIn(
        store, budget: examiner.decoder.budget, limit: Self.filledInRedactions,
        isCancelled: isCancelled)
    }
    return report
  }

  // MARK: - One file

  private func handle(
    _ found: FolderWalk.Found, at path: FilePath, isNamed: Bool, session: ImportSession?
  ) throws(LibraryError) {
    switch found {
    case .failed(let reason): fail(path, reason)
    case .skipped(let type): skip(path, type: type, isReported: true)
    case .file(let file): try handle(file, at: path, isNamed: isNamed, session: session)
    }
  }

  private func handle(
    _ file: SourceFile, at path: FilePath, isNamed: Bool, session: ImportSession?
  ) throws(LibraryError) {
    let type: FileType
    do {
      type = FileType.recognise(try file.prefix(64))
    } catch {
      return fail(path, error.message)
    }
    guard case .image(let format) = type else {
      if isNamed || path.lastComponent.claimsToBeAPicture {
        fail(path, type.failureReason)
      } else {
        skip(
          path, type: type.countingName(of: path.lastComponent), isReported: false)
      }
      return
    }
    guard let session else { return try preview(file, format, at: path) }

    let staged: StagedOriginal
    do {
      staged = try session.stage(file.descriptor, isCancelled: isCancelled)
    } catch {
      if error.code == .cancelled { return }
      try failOrStop(path, error)
      // What fitted is made durable now, while there is room for its records.
      if error.code == .noSpace { try commit(session) }
      return
    }
    do {
      let source = CancellableSource(
        file: try FileByteSource(descriptor: staged.descriptor), flag: flag)
      let examined = try examiner.examine(source, of: file, fileName: path.lastComponent)
      batch.append(
        Candidate(
          path: path,
          asset: examined.asset(
            staged, format, redacted(staged, source, structure: examined.structure)),
          warnings: examined.warnings))
      if batch.count == 1 { batchBegan = .now }
      batchSize = batchSize.addingReportingOverflow(staged.byteSize).partialValue
    } catch {
      // What is broken off is no failure of the file.
      if flag.isCancelled { return }
      fail(
        path, (error as? PictureExaminer.Rejection)?.reason ?? "it could not be read back: \(error)"
      )
    }
    if batch.count >= Self.batchFiles || batchSize >= Self.batchBytes
      || !batch.isEmpty && ContinuousClock.now - batchBegan >= Self.batchAge
    {
      try commit(session)
    }
  }

  /// The bytes without places; nil where the work was broken off, which says nothing of them.
  private func redacted(
    _ staged: StagedOriginal, _ source: some ByteSource, structure: ImageStructure
  ) -> RedactedOriginal? {
    let original = OriginalDescription(byteSize: staged.byteSize, sha256: staged.sha256)
    let found = OriginalRedaction.compute(
      source, structure: structure, original: original, budget: examiner.decoder.budget,
      isCancelled: isCancelled)
    return flag.isCancelled ? nil : found
  }

  /// What a dry run says of a picture.
  private func preview(
    _ file: SourceFile, _ format: ImageFormat, at path: FilePath
  ) throws(LibraryError) {
    do {
      let source = CancellableSource(
        file: try FileByteSource(descriptor: file.descriptor), flag: flag)
      let examined = try examiner.examine(source, of: file, fileName: path.lastComponent)
      let hash = try Store.sha256(of: file.descriptor, isCancelled: isCancelled).sha256
      let known = try store.read { (transaction) throws(StoreError) in
        try transaction.duplicate(sha256: hash, for: try adder(transaction))
      }
      let isDuplicate = known != nil || !seen.insert(hash).inserted
      for warning in examined.warnings { onEvent(.warning(path: path, warning)) }
      succeed(
        path, id: known, creationDate: examined.creationDate, isDuplicate: isDuplicate,
        undecodable: examined.undecodable)
    } catch let error as PictureExaminer.Rejection {
      fail(path, error.reason)
    } catch let error as StoreError {
      try failOrStop(path, error)
    } catch let error as ByteSourceError {
      fail(path, error.message)
    } catch {
      fail(path, "\(error)")
    }
  }

  // MARK: - Committing

  private func commit(_ session: ImportSession?) throws(LibraryError) {
    guard let session, !batch.isEmpty else { return }
    let candidates = batch
    batch = []
    batchSize = 0
    let outcomes: [AddOutcome]
    do {
      outcomes = try session.commit(candidates.map(\.asset), by: adder)
    } catch {
      for candidate in candidates { fail(candidate.path, error.message) }
      throw LibraryError(error)
    }
    var obstacle: StoreError?
    for (candidate, outcome) in zip(candidates, outcomes) {
      switch outcome {
      case .added(let id):
        for warning in candidate.warnings { onEvent(.warning(path: candidate.path, warning)) }
        succeed(candidate, id: id, isDuplicate: false)
      case .duplicate(let id): succeed(candidate, id: id, isDuplicate: true)
      case .failed(let error):
        fail(candidate.path, error.message)
        if error.stopsImport { obstacle = error }
      }
    }
    if let obstacle { throw LibraryError(obstacle) }
  }

  /// Reports a failure of one file, or throws one that every other file would meet too.
  private func failOrStop(_ path: FilePath, _ error: StoreError) throws(LibraryError) {
    fail(path, error.message)
    if error.stopsImport { throw LibraryError(error) }
  }

  // MARK: - Reporting

  private func succeed(_ candidate: Candidate, id: AssetID, isDuplicate: Bool) {
    succeed(
      candidate.path, id: id, creationDate: candidate.asset.creationDate,
      isDuplicate: isDuplicate, undecodable: candidate.asset.undecodable)
  }

  private func succeed(
    _ path: FilePath, id: AssetID?, creationDate: CreationDate, isDuplicate: Bool,
    undecodable: String?
  ) {
    report.entries.append(
      AddReport.Entry(
        id: id, path: path, creationDate: creationDate, isDuplicate: isDuplicate,
        undecodable: undecodable))
    onEvent(
      isDuplicate
        ? .duplicate(id, path: path, creationDate: creationDate)
        : .added(id, path: path, creationDate: creationDate))
  }

  private func fail(_ path: FilePath, _ reason: String) {
    report.failures.append(AddReport.Failure(path: path, reason: reason))
    onEvent(.failed(path: path, reason: reason))
  }

  private func skip(_ path: FilePath, type: String, isReported: Bool) {
    report.skippedTypes[type, default: 0] += 1
    onEvent(.skipped(path: path, type: type, named: isReported))
  }
}

extension StoreError {
  /// Whether every other file would meet the same.
  fileprivate var stopsImport: Bool {
    switch code {
    case .busy, .readOnly, .damaged, .notFound, .notALibrary, .closedToUser, .notPermitted,
      .accessDenied, .accessRestricted:
      true
    default: false
    }
  }
}

extension FileName {
  /// Whether the name says JPEG or PNG, whatever the content.
  fileprivate var claimsToBeAPicture: Bool {
    let name = string.lowercased()
    return [".jpg", ".jpeg", ".png"].contains { name.hasSuffix($0) }
  }
}

extension FileType {
  /// Raw files that are TIFF inside, by the ending that their makers give them.
  private static let rawEndings: Set = [
    "3fr", "arw", "cr2", "dcr", "dng", "erf", "fff", "iiq", "k25", "kdc", "mef", "mos", "nef",
    "nrw",
    "orf", "pef", "rw2", "rwl", "sr2", "srf", "srw",
  ]

  fileprivate func countingName(of name: FileName) -> String {
    guard case .other(let type) = self else { return "image" }
    let ending = name.string.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return type == "tiff" && Self.rawEndings.contains(ending) ? ending : type
  }

  fileprivate var failureReason: String {
    guard case .other(let type) = self else { return "it is neither JPEG nor PNG" }
    return switch type {
    case "empty": "it is empty"
    case "unknown": "it is neither JPEG nor PNG"
    default: "it is neither JPEG nor PNG, but \(type)"
    }
  }
}
