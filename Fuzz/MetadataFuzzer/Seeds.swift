import FoundationEssentials
import ImageContainer
import PhotoModel

/// Takes from real files what each target can start from.
enum Seeds {
  /// Longer ones make each try slow, and few of their bytes matter.
  private static let maximumLength = 32 << 10

  /// Writes `FOLDER/TARGET/HASH` for what is found in the files; prints how many.
  static func write(to folder: String, from files: [String]) {
    var counts: [FuzzTarget: Int] = [:]
    for path in files {
      let url = URL(filePath: path)
      guard let data = try? Data(contentsOf: url) else { continue }
      for (target, seed) in seeds(of: Array(data), name: url.lastPathComponent)
      where !seed.isEmpty && seed.count <= maximumLength {
        let place = URL(filePath: folder).appending(path: target.rawValue)
        do {
          try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
          try Data(seed).write(to: place.appending(path: String(hash(seed), radix: 16)))
        } catch {
          print("MetadataFuzzer: \(place.path): \(error)")
          continue
        }
        counts[target, default: 0] += 1
      }
    }
    let text = FuzzTarget.allCases.map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: ", ")
    print("seeds from \(files.count) files: \(text)")
  }

  private static func seeds(of bytes: [UInt8], name: String) -> [(FuzzTarget, [UInt8])] {
    var found = [(FuzzTarget.name, Array(name.utf8))]
    guard let structure = try? ImageStructure.scanHeaders(MemoryByteSource(bytes)) else {
      return found
    }
    // What follows the picture matters too.
    found.append((.redaction, bytes))
    let segments = structure.segments
    switch structure.format {
    case .jpeg:
      // Up to the first scan; what follows is no metadata.
      let end = segments.map { $0.offset + $0.length }.max() ?? 0
      let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 5, 0xFF, 0xD9]
      found.append((.jpeg, bytes.prefix(end) + scan))
    case .png:
      // All chunks but the image data.
      let chunks = segments.flatMap { chunk in
        let end = min(bytes.count, chunk.offset + chunk.length + 4)
        return bytes[max(0, chunk.offset - 8)..<end]
      }
      found.append((.png, bytes.prefix(8) + chunks))
    }
    for segment in segments {
      let payload = bytes[segment.offset..<(segment.offset + segment.length)]
      if segment.chunkType == "eXIf" { found.append((.exif, Array(payload))) }
      for target in [FuzzTarget.exif, .xmp, .iptc] where payload.starts(with: target.signature) {
        found.append((target, Array(payload.dropFirst(target.signature.count))))
      }
    }
    return found
  }

  /// FNV-1a: the name of a seed, so that equal ones are one file.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
