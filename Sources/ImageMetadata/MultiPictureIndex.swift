/// The index of a multi-picture file (CIPA DC-007 5.2): which pictures follow, and where they lie.
struct MultiPictureIndex {
  struct Entry: Hashable {
    /// The MP type code, the low 24 bits of the attribute (CIPA DC-007 5.2.3.3.1).
    let type: Int
    /// Where the picture's bytes lie in the file; the first picture begins at 0.
    let range: Range<Int>

    /// Large thumbnails have 1 in the upper byte.
    ///
    /// All else (views, panorama frames, gain maps, undefined ones) shows something other than the picture.
    var isThumbnail: Bool { type >> 16 == 1 }
  }

  /// Entries beyond this number are not looked at.
  static let maximumEntries = 64

  /// Those that lie inside the file, in the order of the index, the first picture included.
  private(set) var entries: [Entry] = []

  /// Reads the TIFF structure behind "MPF" and a NUL, which begins at `base` of a file of
  /// `fileLength` bytes; nil where it is none.
  init?(_ bytes: [UInt8], base: Int, fileLength: Int) {
    guard let block = TIFFBlock(bytes), let count = block.uint16(at: block.firstDirectory) else {
      return nil
    }
    for index in 0..<min(count, Self.maximumEntries) {
      // MPEntry: 16 bytes a picture.
      let position = block.firstDirectory + 2 + 12 * index
      guard let entry = TIFFEntry(at: position, in: block), entry.tag == 0xB002 else { continue }
      read(block, at: entry.offset, count: entry.count * entry.type.size / 16, base, fileLength)
      return
    }
  }

  private mutating func read(
    _ block: TIFFBlock, at start: Int, count: Int, _ base: Int, _ fileLength: Int
  ) {
    for index in 0..<min(count, Self.maximumEntries) {
      let position = start + 16 * index
      guard let attribute = block.uint32(at: position), let size = block.uint32(at: position + 4),
        let offset = block.uint32(at: position + 8)
      else { return }
      // Offsets count from the TIFF header, but for the first picture, whose is 0.
      let first = offset == 0 ? 0 : base + offset
      // Format 0 is JPEG; others are not defined.
      guard attribute >> 24 & 7 == 0, size > 0, first <= fileLength, size <= fileLength - first
      else { continue }
      entries.append(Entry(type: attribute & 0xFF_FFFF, range: first..<(first + size)))
    }
  }
}
