import ImageContainer

/// The index of a file with several pictures (CIPA DC-007, Multi-Picture Format).
enum MPFIndex {
  private static let signature = Array("MPF\0".utf8)
  private static let entries = 0xB002
  private static let maximumPictures = 256

  /// Where the pictures behind the first one lie: sorted, inside the file, none overlapping another,
  /// each beginning as a JPEG file does.
  static func pictures(
    in source: any ByteSource, structure: ImageStructure
  ) throws(RedactionError) -> [Range<Int>] {
    var found: [Range<Int>] = []
    for segment in structure.segments where segment.marker == 0xE2 {
      guard let bytes = try? source.read(at: segment.offset, count: segment.length),
        bytes.starts(with: signature), let block = TIFFBlock(Array(bytes.dropFirst(4)))
      else { continue }
      found += pictures(in: block, at: segment.offset + signature.count, count: source.count)
    }
    var end = 0
    return found.sorted { $0.lowerBound < $1.lowerBound }.filter { range in
      guard range.lowerBound >= end,
        let head = try? source.read(at: range.lowerBound, count: 3), head == [0xFF, 0xD8, 0xFF]
      else { return false }
      end = range.upperBound
      return true
    }
  }

  /// Entries of 16 bytes: attributes (4), size (4), offset from the block's start (4; 0 for the first), and
  /// two numbers of dependent ones.
  private static func pictures(
    in block: TIFFBlock, at base: Int, count total: Int
  ) -> [Range<Int>] {
    guard let count = block.uint16(at: block.firstDirectory) else { return [] }
    for index in 0..<min(count, 64) {
      guard let entry = TIFFEntry(at: block.firstDirectory + 2 + 12 * index, in: block),
        entry.tag == entries
      else { continue }
      let length = entry.count * entry.type.size
      return stride(from: 0, to: min(length - 15, 16 * maximumPictures), by: 16).compactMap {
        guard let size = block.uint32(at: entry.offset + $0 + 4),
          let offset = block.uint32(at: entry.offset + $0 + 8), offset > 0, size > 4,
          size <= total - base - offset
        else { return nil }
        return (base + offset)..<(base + offset + size)
      }
    }
    return []
  }
}
