import Foundation
import PhotoLibrary
import PhotoModel

/// A library of many small photographs whose thumbnails are all in the cache.
///
/// The photographs are thumbnails of real ones, each with a comment of its own, since the same bytes
/// would be one original: what is measured is the cache, and it is filled in seconds.
struct MadeLibrary {
  let path: FilePath
  let ids: [AssetID]
  /// Bytes of all thumbnails.
  let thumbnailBytes: Int
  let limited: ClientID

  /// Makes it.
  ///
  /// - Parameters:
  ///   - count: how many assets.
  ///   - pictures: files and folders that are added to a library to make thumbnails of.
  ///   - folder: an empty folder for everything.
  /// - Returns: the library, with every thumbnail in its cache.
  /// - Throws: `BenchmarkError`, or what the library or the files threw.
  static func make(
    count: Int, of pictures: [String], in folder: String
  ) async throws -> MadeLibrary {
    let samples = try Library.create(at: FilePath(folder + "/samples.photolib"))
    _ = try await samples.add(pictures.map { FilePath($0) })
    let sources = try samples.owner.fetchAssets().ids
    var pieces: [[UInt8]] = []
    let recipe = ThumbnailRecipe(encoding: .jpeg(quality: 92))
    for await item in samples.owner.thumbnails(for: sources, recipe: recipe) {
      pieces.append(try item.result.get().data)
    }
    guard !pieces.isEmpty else { throw BenchmarkError(message: "no pictures were found") }

    let originals = folder + "/originals"
    try FileManager.default.createDirectory(
      atPath: originals, withIntermediateDirectories: false)
    for number in 0..<count {
      let data = commented(pieces[number % pieces.count], number)
      try Data(data).write(to: URL(filePath: "\(originals)/\(number).jpg"))
    }
    let path = FilePath(folder + "/made.photolib")
    let library = try Library.create(at: path)
    let report = try await library.add([FilePath(originals)])
    let ids = report.entries.compactMap(\.id)
    guard ids.count == count else {
      throw BenchmarkError(message: "only \(ids.count) of \(count) were added")
    }
    guard let limited = ClientID("org.example.benchmark") else {
      throw BenchmarkError(message: "no client")
    }
    _ = try library.select(.replace(ids), for: limited)
    var bytes = 0
    for await item in library.owner.thumbnails(for: ids) {
      bytes += try item.result.get().data.count
    }
    return MadeLibrary(path: path, ids: ids, thumbnailBytes: bytes, limited: limited)
  }

  /// A JPEG with a comment (ITU T.81, B.2.4.5) behind its first marker.
  private static func commented(_ jpeg: [UInt8], _ number: Int) -> [UInt8] {
    let comment = Array("number \(number)".utf8)
    let length = comment.count + 2
    let header = [0xff, 0xfe, UInt8(length >> 8), UInt8(length & 0xff)]
    return jpeg[..<2] + header + comment + jpeg[2...]
  }
}

/// Why nothing could be measured.
struct BenchmarkError: Error {
  let message: String
}
