import Foundation
import Glibc
import ImageContainer
import ImageMetadata
import PhotoModel
import Synchronization

/// What the importer does with a file's metadata: headers, all metadata, the date that counts.
enum MetadataReading {
  /// The regular files with a picture's suffix in these folders, in the order of their paths.
  static func pictures(in folders: [String]) -> [String] {
    let suffixes: Set = ["jpg", "jpeg", "png"]
    return folders.flatMap { folder -> [String] in
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
      return paths.filter { suffixes.contains(URL(filePath: $0).pathExtension.lowercased()) }
        .map { folder + "/" + $0 }
    }.sorted()
  }

  /// Reads each file and prints a line of what was found.
  static func printAll(_ paths: [String]) {
    guard let policy = try? CreationDatePolicy(timeZone: "Europe/Berlin") else { return }
    for path in paths {
      let line = withSource(path) { source in read(source, path, policy) } ?? "cannot be opened"
      print(path, line)
    }
  }

  /// The bytes that reading each file asks for.
  static func bytesAsked(_ paths: [String]) -> [Int] {
    guard let policy = try? CreationDatePolicy(timeZone: "Europe/Berlin") else { return [] }
    return paths.compactMap { path in
      withSource(path) { source in
        let counting = CountingSource(source)
        _ = read(counting, path, policy)
        return counting.bytesRead
      }
    }
  }

  private static func read(
    _ source: some ByteSource, _ path: String, _ policy: CreationDatePolicy
  ) -> String {
    guard let structure = try? ImageStructure.scanHeaders(source) else { return "no picture" }
    let metadata = PhotoMetadata.read(source, structure: structure)
    let candidates = policy.candidates(
      metadata: metadata, fileName: FileName(URL(filePath: path).lastPathComponent),
      modificationTime: Instant(nanoseconds: 0))
    let date = policy.choose(candidates, gpsDerivedOffset: metadata.gpsDerivedOffset)
    let place = metadata.location.map { "\($0.latitude) \($0.longitude)" } ?? "-"
    let camera = [metadata.camera?.make, metadata.camera?.model].compactMap { $0 }
    return "\(date.rfc3339) \(date.source.name) \(metadata.orientation.rawValue) "
      + "\(structure.codedSize) \(place) \(camera.joined(separator: " "))"
  }

  private static func withSource<Result>(
    _ path: String, _ body: (FileByteSource) -> Result
  ) -> Result? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return (try? FileByteSource(descriptor: descriptor)).map(body)
  }
}

/// Counts the bytes that are asked for, which is what pread is given: never more than the file has.
private final class CountingSource: ByteSource {
  private let file: FileByteSource
  private let total = Atomic(0)

  init(_ file: FileByteSource) { self.file = file }

  var count: Int { file.count }
  var bytesRead: Int { total.load(ordering: .relaxed) }

  func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    let bytes = try file.read(at: offset, count: count)
    total.add(bytes.count, ordering: .relaxed)
    return bytes
  }
}
