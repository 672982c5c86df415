import Dispatch
import ImageCodecs
import ImageContainer
import ImageMetadata
import PhotoModel
import PhotoStore

/// Reads originals for clients: check, read, take places out, check again.
///
/// The memory is charged to the budget of decoding while a file is read; how many are read at a time
/// follows from that. A client's right is asked before the original is opened, and again before the bytes
/// are handed over.
final class ImageDataReader: Sendable {
  private let store: Store
  private let budget: DecodeBudget
  private let queue = WorkQueue(width: 2)

  init(store: Store, budget: DecodeBudget) {
    self.store = store
    self.budget = budget
  }

  /// Computes what is known of an original's bytes without places, within the same budget; nil where it
  /// cannot be done.
  ///
  /// Blocks the thread, for the file and for memory.
  func redacted(_ reference: OriginalReference) throws(StoreError) -> RedactedOriginal? {
    try OriginalRedaction.compute(reference, in: store, budget: budget)
  }

  /// Finds an original and whether the client may know its place, or throws because the client may not
  /// see it.
  typealias Lookup =
    @Sendable () throws(LibraryError) -> (original: OriginalReference, includesLocation: Bool)

  func imageData(_ lookup: @escaping Lookup) async throws(LibraryError) -> ImageData {
    let result = await queue.perform(.interactive) { flag in
      Result { () throws(LibraryError) -> ImageData in try self.read(lookup, flag) }
    }
    return try result.get()
  }

  private func read(
    _ lookup: Lookup, _ flag: CancellationFlag
  ) throws(LibraryError) -> ImageData {
    var (reference, includesLocation) = try lookup()
    let need =
      Int(clamping: reference.byteSize) + (includesLocation ? 0 : planningMemory(reference))
    let outcome: Result<[UInt8], LibraryError>
    do {
      outcome = try budget.withReservation(of: need, isCancelled: { flag.isCancelled }) {
        () throws(CodecError) in
        Result { () throws(LibraryError) -> [UInt8] in
          var bytes = try bytes(of: reference)
          var isRedacted = false
          while true {
            if !includesLocation, !isRedacted {
              try Self.redact(&bytes)
              isRedacted = true
            }
            // Whoever lost the permission meanwhile gets what it may have now.
            includesLocation = try lookup().includesLocation
            if includesLocation || isRedacted { return bytes }
          }
        }
      }
    } catch {
      throw LibraryError(error)
    }
    return ImageData(
      data: try outcome.get(), contentType: reference.format.contentType,
      orientation: reference.orientation, isLocationRedacted: !includesLocation,
      fileName: reference.fileName)
  }

  /// What the planning of a redaction takes; 0 where the original cannot be read, which is found again.
  private func planningMemory(_ reference: OriginalReference) -> Int {
    guard let file = try? store.openOriginal(reference) else { return 0 }
    defer { withExtendedLifetime(file) {} }
    guard let source = try? FileByteSource(descriptor: file.descriptor),
      let structure = try? ImageStructure.scan(source)
    else { return 0 }
    return RedactionPlan.requiredMemory(structure, fileSize: source.count)
  }

  private func bytes(of reference: OriginalReference) throws(LibraryError) -> [UInt8] {
    let file: OriginalFile
    do { file = try store.openOriginal(reference) } catch { throw LibraryError(error) }
    defer { withExtendedLifetime(file) {} }
    do throws(ByteSourceError) {
      let source = try FileByteSource(descriptor: file.descriptor)
      let bytes = try source.read(at: 0, count: source.count)
      guard bytes.count == Int(clamping: reference.byteSize) else {
        throw ByteSourceError(message: "the original does not have its size")
      }
      return bytes
    } catch {
      throw LibraryError(code: .io, message: error.message)
    }
  }

  private static func redact(_ bytes: inout [UInt8]) throws(LibraryError) {
    let plan: RedactionPlan
    do {
      // The source is gone when the plan is there, so that changing the bytes does not copy them.
      plan = try Self.plan(MemoryByteSource(bytes))
    } catch {
      // Why not is about the file, and could tell of a place.
      throw LibraryError(
        code: .unsupportedPicture,
        message: "its bytes cannot be given to a client that may not know places")
    }
    plan.apply(to: &bytes, at: 0)
    bytes.removeLast(max(0, bytes.count - plan.length))
  }

  private static func plan(_ source: MemoryByteSource) throws -> RedactionPlan {
    try RedactionPlan.make(source, structure: try ImageStructure.scan(source))
  }
}
