import ImageCodecs
import ImageContainer
import ImageMetadata
import PhotoModel
import PhotoStore

/// One import: walks, stages, examines and commits, in batches that are durable one after the other.
///
/// A file that cannot be added is reported with its reason and the rest goes on. What ends the work as a
/// whole (another writer, a library that cannot be written, cancellation) is thrown; what was reported
/// as added before stays. Used by one thread, once.
final class Importer {
  // A batch is committed when it has so many files,
  static let batchFiles = 64
  // or so many bytes, so that a batch of large files is reported soon,
  static let batchBytes: Int64 = 256 << 20
  // or is so old.
  static let batchAge: Duration = .milliseconds(250)

  private let store: Store
  private let decoder: ThumbnailDecoder
  private let policy: CreationDatePolicy
  private let adder: Adder
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
    store: Store, decoder: ThumbnailDecoder, policy: CreationDatePolicy, adder: Adder,
    options: AddOptions, flag: CancellationFlag, onEvent: @escaping @Sendable (AddEvent) -> Void
  ) {
    self.store = store
    self.decoder = decoder
    self.policy = policy
    self.adder = adder
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
    guard let session else { return preview(file, format, at: path) }

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
      let examined = try examine(source, of: file, fileName: path.lastComponent)
      batch.append(
        Candidate(path: path, asset: examined.asset(staged, format), warnings: examined.warnings))
      if batch.count == 1 { batchBegan = .now }
      batchSize = batchSize.addingReportingOverflow(staged.byteSize).partialValue
    } catch {
      // What is broken off is no failure of the file.
      if flag.isCancelled { return }
      fail(path, (error as? Rejection)?.reason ?? "it could not be read back: \(error)")
    }
    if batch.count >= Self.batchFiles || batchSize >= Self.batchBytes
      || !batch.isEmpty && ContinuousClock.now - batchBegan >= Self.batchAge
    {
      try commit(session)
    }
  }

  /// What a dry run says of a picture.
  private func preview(_ file: SourceFile, _ format: ImageFormat, at path: FilePath) {
    do {
      let source = CancellableSource(
        file: try FileByteSource(descriptor: file.descriptor), flag: flag)
      let examined = try examine(source, of: file, fileName: path.lastComponent)
      let hash = try Store.sha256(of: file.descriptor, isCancelled: isCancelled).sha256
      let known = try store.read { (transaction) throws(StoreError) in
        try transaction.duplicate(sha256: hash, for: adder)
      }
      let isDuplicate = known != nil || !seen.insert(hash).inserted
      for warning in examined.warnings { onEvent(.warning(path: path, warning)) }
      succeed(
        path, id: known, creationDate: examined.creationDate, isDuplicate: isDuplicate,
        undecodable: examined.undecodable)
    } catch let error as Rejection {
      fail(path, error.reason)
    } catch let error as StoreError {
      fail(path, error.message)
    } catch let error as ByteSourceError {
      fail(path, error.message)
    } catch {
      fail(path, "\(error)")
    }
  }

  // MARK: - Examination

  /// Why a picture is not added.
  private struct Rejection: Error {
    let reason: String
  }

  /// What the bytes of a picture say.
  private struct Examination {
    let fileName: FileName
    let pixelSize: PixelSize
    let metadata: PhotoMetadata
    let candidates: [DateCandidate]
    let creationDate: CreationDate
    let damage: String?
    let undecodable: String?
    let warnings: [String]

    func asset(_ staged: StagedOriginal, _ format: ImageFormat) -> NewAsset {
      NewAsset(
        original: staged, fileName: fileName, format: format, pixelSize: pixelSize,
        orientation: metadata.orientation, creationDate: creationDate,
        dateCandidates: candidates, location: metadata.location, camera: metadata.camera,
        damage: damage, undecodable: undecodable)
    }
  }

  private func examine(
    _ source: CancellableSource, of file: SourceFile, fileName: FileName
  ) throws -> Examination {
    let structure: ImageStructure
    do {
      structure = try ImageStructure.scan(source)
    } catch {
      throw Rejection(reason: error.message)
    }
    var warnings: [String] = []
    // The record says what no process can show; this one's own limits are a matter of the moment.
    let undecodable = undecodableReason(structure, source, Self.standardDecoder)
    let problem = undecodable ?? undecodableReason(structure, source, decoder)
    if let problem { warnings.append("it is kept, but cannot be shown: \(problem)") }
    let damage = try damage(of: source, structure, isDecodable: problem == nil)
    if let damage {
      guard options.keepsDamaged else { throw Rejection(reason: damage) }
      warnings.append("it is kept, but damaged: \(damage)")
    }
    let metadata = PhotoMetadata.read(
      source, structure: structure,
      sidecar: file.sidecar(limit: PhotoMetadata.maximumSidecar))
    warnings += metadata.warnings
    let candidates = policy.candidates(
      metadata: metadata, fileName: fileName, modificationTime: file.modificationTime)
    return Examination(
      fileName: fileName, pixelSize: metadata.orientation.displayedSize(of: structure.codedSize),
      metadata: metadata, candidates: candidates,
      creationDate: policy.choose(candidates, gpsDerivedOffset: metadata.gpsDerivedOffset),
      damage: damage, undecodable: undecodable, warnings: warnings)
  }

  /// A decoder with the limits that hold where nobody sets others.
  private static let standardDecoder = ThumbnailDecoder(budget: DecodeBudget())

  private func undecodableReason(
    _ structure: ImageStructure, _ source: CancellableSource, _ decoder: ThumbnailDecoder
  ) -> String? {
    if let reason = structure.unsupported { return reason }
    do {
      _ = try decoder.requiredMemory(
        structure, fileSize: source.count, recipe: ThumbnailRecipe())
      return nil
    } catch {
      return error.message
    }
  }

  /// Why the picture is not whole, or nil.
  ///
  /// Decodes only where its structure alone cannot tell.
  private func damage(
    of source: CancellableSource, _ structure: ImageStructure, isDecodable: Bool
  ) throws -> String? {
    switch structure.completeness {
    case .complete: return nil
    case .damaged(let reason): return reason
    case .uncertain(let reason):
      guard isDecodable else { return reason }
      do {
        return try decoder.missingRows(source, structure: structure)
      } catch {
        if case .cancelled = error { throw Rejection(reason: error.message) }
        return error.message
      }
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
    case .busy, .readOnly, .damaged, .notFound, .notALibrary, .closedToUser: true
    default: false
    }
  }
}

/// A file whose reading ends when the import is cancelled.
private struct CancellableSource: ByteSource {
  let file: FileByteSource
  let flag: CancellationFlag

  var count: Int { file.count }

  func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    if flag.isCancelled { throw ByteSourceError(message: LibraryError.cancelled.message) }
    return try file.read(at: offset, count: count)
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
