/// Where the makers of cameras write places in their own part of EXIF.
///
/// Signatures, layouts and tags are those that ExifTool's tag tables document.
struct MakerNote {
  private let range: Range<Int>
  private let make: String
  private let isBigEndian: Bool

  /// - Parameters:
  ///   - range: of the note in its TIFF block.
  ///   - make: EXIF's Make, in lower case.
  ///   - isBigEndian: the block's byte order.
  init(_ range: Range<Int>, make: String, isBigEndian: Bool) {
    self.range = range
    self.make = make
    self.isBigEndian = isBigEndian
  }

  /// The bytes of the TIFF block that tell a place.
  func places(in block: [UInt8]) -> [Range<Int>] {
    let note = block[range]
    func begins(_ text: String) -> Bool { note.starts(with: text.utf8) }
    if begins("Panasonic\0") || begins("LEICA\0\0\0") {
      // Location, country, state, city, landmark, second city.
      let start = begins("LEICA") ? 8 : 12
      return values(
        of: [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80], directory: range.lowerBound + start,
        bases: [0], in: block)
    }
    if begins("QVC\0") || begins("DCI\0") {
      // Casio, home town.
      return values(of: [0x3006], directory: range.lowerBound + 6, bases: [0], in: block)
    }
    if make.hasPrefix("samsung"), !begins("STMN") {
      // Local and plain name of the location; offsets count from the note or from the block.
      return values(
        of: [0x30, 0x31], directory: range.lowerBound, bases: [0, range.lowerBound], in: block)
    }
    if begins("Nikon\0\u{02}") { return nikon(block) }
    return []
  }

  /// LocationInfo (0x0039) behind a TIFF header of its own: version (4), encoding (1), country code (3), level
  /// (1), text.
  private func nikon(_ block: [UInt8]) -> [Range<Int>] {
    let base = range.lowerBound + 10
    guard base < range.upperBound, let inner = TIFFBlock(Array(block[base..<range.upperBound]))
    else { return [] }
    let note = MakerNote(range, make: make, isBigEndian: inner.isBigEndian)
    return note.values(
      of: [0x39], directory: base + inner.firstDirectory, bases: [base], in: block
    ).filter { $0.count > 9 }.flatMap {
      [($0.lowerBound + 5)..<($0.lowerBound + 8), ($0.lowerBound + 9)..<$0.upperBound]
    }
  }

  /// The values of these tags in a directory.
  ///
  /// Those that lie outside of an entry must lie inside the note, counted from one of the bases, or from
  /// where the first value would follow the directory: programs that move notes leave the offsets as
  /// they were. Of several places those count that hold text.
  private func values(
    of tags: Set<Int>, directory: Int, bases: [Int], in block: [UInt8]
  ) -> [Range<Int>] {
    // The order may differ from the block's: that of a count that makes sense.
    let orders = [isBigEndian, !isBigEndian]
    guard
      let order = orders.first(where: {
        let count = block.number(at: directory, 2, isBigEndian: $0) ?? 0
        return (1...512).contains(count)
          && directory + 2 + 12 * count <= range.upperBound
      }), let count = block.number(at: directory, 2, isBigEndian: order)
    else { return [] }
    var entries: [(tag: Int, length: Int, field: Int, value: Int)] = []
    for index in 0..<count {
      let entry = directory + 2 + 12 * index
      guard let tag = block.number(at: entry, 2, isBigEndian: order),
        let type = block.number(at: entry + 2, 2, isBigEndian: order),
        let size = TIFFType(rawValue: type)?.size,
        let number = block.number(at: entry + 4, 4, isBigEndian: order), number > 0,
        let value = block.number(at: entry + 8, 4, isBigEndian: order)
      else { continue }
      entries.append((tag, number * size, entry + 8, value))
    }
    let end = directory + 2 + 12 * count + 4
    let first = entries.filter { $0.length > 4 }.map(\.value).min() ?? 0
    var found: [Range<Int>] = []
    for entry in entries where tags.contains(entry.tag) {
      if entry.length <= 4 {
        found.append(entry.field..<(entry.field + entry.length))
        continue
      }
      let places = Set(bases + [end - first]).map { $0 + entry.value }.filter {
        $0 >= range.lowerBound && entry.length <= range.count
          && $0 <= range.upperBound - entry.length
      }.map { $0..<($0 + entry.length) }
      let texts = places.filter { Self.isText(block[$0]) }
      found += texts.isEmpty ? places.filter { bases.contains($0.lowerBound - entry.value) } : texts
    }
    return found
  }

  /// Printable up to the first NUL, and nothing but NULs behind.
  private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = bytes.prefix { $0 != 0 }
    return !text.isEmpty && text.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && bytes[text.endIndex...].allSatisfy { $0 == 0 }
  }
}
