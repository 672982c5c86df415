import ImageContainer

/// Takes the places out of an EXIF block, in place: GPS directories, and what other metadata, previews and
/// maker notes lie inside.
///
/// A GPS directory is left with no entries, its pointer stays: readers then find a directory that says
/// nothing. Offsets and sizes of everything else are as they were.
struct TIFFRedaction {
  private(set) var bytes: [UInt8]
  private let isBigEndian: Bool
  private let context: RedactionContext
  private let depth: Int

  /// Directories that were met, each with the bytes of its table.
  private var tables: [Int: Range<Int>] = [:]
  /// Where entries with a pointer to a GPS directory stand.
  private var gpsEntries: [Int] = []
  private var previews: [Range<Int>] = []
  private var parts: [(tag: Int, range: Range<Int>)] = []
  private var make = ""
  /// Whether there is more than any camera writes: then all of the block goes, so that what a file makes
  /// this do is in proportion to its size.
  private var isOverloaded = false

  // Real blocks have a handful of each.
  private static var maximumDirectories: Int { 64 }
  private static var maximumPointers: Int { 1024 }
  private static var maximumParts: Int { 8 }
  /// Pictures and blocks inside others; further in nobody looks, and what is there goes as a whole.
  static var maximumDepth: Int { 2 }
  private static var gpsTags: Range<Int> { 0..<32 }

  private enum Tag {
    static let make = 0x010F
    static let subDirectories = 0x014A
    static let previewOffset = 0x0201
    static let previewLength = 0x0202
    static let xmp = 0x02BC
    static let iptc = 0x83BB
    static let photoshop = 0x8649
    static let exif = 0x8769
    static let gps = 0x8825
    static let makerNote = 0x927C
    static let interoperability = 0xA005
  }

  /// Redacts the content of an EXIF segment or chunk: a TIFF block, with or without `Exif` before it.
  static func redact(exif bytes: inout [UInt8], context: RedactionContext, depth: Int) {
    let prefix = MetadataSignature.exifHeaderLength(bytes) ?? 0
    guard depth <= maximumDepth else { return bytes.fill(prefix..<bytes.count) }
    guard var redaction = TIFFRedaction(Array(bytes[prefix...]), context, depth) else {
      return
    }
    redaction.run()
    bytes.replaceSubrange(prefix..., with: redaction.bytes)
  }

  /// Redacts every EXIF block that stands, with its signature, somewhere in bytes of unknown structure.
  static func redactEmbedded(in bytes: inout [UInt8], context: RedactionContext, depth: Int) {
    let starts = bytes.offsets(of: "Exif\0\0")
    if starts.count > maximumParts { bytes.fill(starts[maximumParts]..<bytes.count) }
    for start in starts.prefix(maximumParts) {
      bytes.rewrite(start..<bytes.count) {
        redact(exif: &$0, context: context, depth: depth + 1)
      }
    }
  }

  private init?(_ bytes: [UInt8], _ context: RedactionContext, _ depth: Int) {
    guard let block = TIFFBlock(bytes) else { return nil }
    self.bytes = bytes
    isBigEndian = block.isBigEndian
    self.context = context
    self.depth = depth
    walk(from: block.firstDirectory)
  }

  // MARK: - Finding

  private mutating func walk(from first: Int) {
    // Only from the first directory on is there a chain; elsewhere writers leave anything there.
    var chain: Int? = first
    var waiting: [Int] = []
    while !isOverloaded {
      let isChained = waiting.isEmpty
      guard let offset = waiting.popLast() ?? chain else { return }
      if isChained { chain = nil }
      guard tables[offset] == nil, let table = table(at: offset) else { continue }
      tables[offset] = table
      if isChained, let next = number(at: table.upperBound, 4), next > 0 { chain = next }
      isOverloaded = tables.count > Self.maximumDirectories
      var previewStart: Int?
      var previewLength: Int?
      for entry in stride(from: offset + 2, to: table.upperBound - 11, by: 12) {
        guard let tag = number(at: entry, 2), waiting.count <= Self.maximumPointers else { break }
        switch tag {
        case Tag.exif, Tag.interoperability: waiting += pointers(at: entry)
        case Tag.subDirectories: waiting += pointers(at: entry)
        case Tag.gps: gpsEntries.append(entry)
        case Tag.previewOffset: previewStart = pointers(at: entry).first
        case Tag.previewLength: previewLength = pointers(at: entry).first
        case Tag.make:
          if let range = valueRange(at: entry) {
            make = String(decoding: bytes[range].prefix(32), as: UTF8.self).lowercased()
          }
        case Tag.xmp, Tag.iptc, Tag.photoshop, Tag.makerNote:
          if let range = clippedRange(at: entry) { parts.append((tag, range)) }
        default: break
        }
      }
      if let start = previewStart, let length = previewLength, start >= 8, length > 4,
        start < bytes.count
      {
        previews.append(start..<(start + min(length, bytes.count - start)))
      }
      let nested = previews + parts.map(\.range)
      if waiting.count > Self.maximumPointers || gpsEntries.count > Self.maximumDirectories
        || nested.count > 2 * Self.maximumParts
        || nested.reduce(0, { $0 + $1.count }) > 2 * bytes.count
      {
        isOverloaded = true
      }
    }
  }

  /// The bytes of a directory, as far as they lie in the block; without the pointer to the next one.
  private func table(at offset: Int) -> Range<Int>? {
    guard let count = number(at: offset, 2) else { return nil }
    return offset..<(offset + 2 + 12 * min(count, (bytes.count - offset - 2) / 12))
  }

  /// The offsets in an entry: of SHORTs as such, else of four bytes each whatever the type says.
  private func pointers(at entry: Int) -> [Int] {
    let isShort = number(at: entry + 2, 2) == TIFFType.short.rawValue
    let size = isShort ? 2 : 4
    let count = min(number(at: entry + 4, 4) ?? 1, 64)
    guard count * size > 4 else { return [number(at: entry + 8, size)].compactMap(\.self) }
    guard let list = number(at: entry + 8, 4) else { return [] }
    return (0..<count).compactMap { number(at: list + $0 * size, size) }
  }

  /// Where an entry's value lies, if it is wholly inside the block.
  private func valueRange(at entry: Int) -> Range<Int>? {
    guard let type = number(at: entry + 2, 2), let count = number(at: entry + 4, 4), count > 0
    else { return nil }
    // Unknown types count as bytes, so that nothing is missed. At most 2^32 values of 8 bytes.
    let length = count * (TIFFType(rawValue: type)?.size ?? 1)
    guard let start = length <= 4 ? entry + 8 : number(at: entry + 8, 4),
      length <= bytes.count, start <= bytes.count - length
    else { return nil }
    return start..<(start + length)
  }

  /// As far as it lies inside, where the block was cut short.
  private func clippedRange(at entry: Int) -> Range<Int>? {
    if let range = valueRange(at: entry) { return range }
    guard let start = number(at: entry + 8, 4), start >= 8, start < bytes.count else { return nil }
    return start..<bytes.count
  }

  private func number(at offset: Int, _ length: Int) -> Int? {
    bytes.number(at: offset, length, isBigEndian: isBigEndian)
  }

  // MARK: - Overwriting

  private mutating func run() {
    guard !isOverloaded else { return bytes.fill(8..<bytes.count) }
    for (tag, range) in parts { redact(tag, range) }
    for range in previews { redact(preview: range) }
    for entry in gpsEntries {
      guard let offset = pointers(at: entry).first else { continue }
      if tables[offset] != nil || offset < 8 {
        // It is another directory's place too, which must stay: then the pointer goes.
        bytes.fill((entry + 8)..<(entry + 12))
      } else {
        clearDirectory(at: offset)
      }
    }
  }

  private mutating func redact(_ tag: Int, _ range: Range<Int>) {
    let (context, depth) = (context, depth)
    switch tag {
    case Tag.xmp:
      bytes.rewrite(range) { XMPRedaction.redact(&$0, context: context) }
    case Tag.iptc:
      bytes.rewrite(range) { IPTCRedaction.redact(records: &$0) }
    case Tag.photoshop:
      bytes.rewrite(range) {
        IPTCRedaction.redact(resources: &$0, context: context, depth: depth + 1)
      }
    default:
      let note = MakerNote(range, make: make, isBigEndian: isBigEndian)
      for place in note.places(in: bytes) { bytes.blank(place) }
      bytes.rewrite(range) {
        TIFFRedaction.redactEmbedded(in: &$0, context: context, depth: depth)
      }
    }
  }

  /// A preview is a JPEG file of its own, which may have EXIF of its own.
  private mutating func redact(preview range: Range<Int>) {
    guard depth < Self.maximumDepth else { return bytes.fill(range) }
    let (context, depth) = (context, depth)
    bytes.rewrite(range) { part in
      let source = MemoryByteSource(part)
      if let structure = try? ImageStructure.scan(source) {
        var planner = RedactionPlanner(
          source, structure: structure, context: context, depth: depth + 1)
        if let plan = try? planner.plan() {
          plan.apply(to: &part, at: 0)
          part.fill(plan.length..<max(plan.length, part.count))
          return
        }
      }
      TIFFRedaction.redactEmbedded(in: &part, context: context, depth: depth)
    }
  }

  /// Zeros a GPS directory and the values it points to.
  ///
  /// One with more entries than GPS has tags is no true one, and much else may lie there: of it only entries
  /// with a GPS tag go. Other directories' tables are kept whatever the offsets say.
  private mutating func clearDirectory(at offset: Int) {
    guard let table = table(at: offset), let count = number(at: offset, 2), count > 0 else {
      return
    }
    let isPlausible = count <= 2 * Self.gpsTags.count
    // Longer values than the block are there only where they overlap.
    var bytesLeft = bytes.count
    for entry in stride(from: offset + 2, to: table.upperBound - 11, by: 12) {
      guard let tag = number(at: entry, 2), let type = number(at: entry + 2, 2) else { break }
      let isGPS = Self.gpsTags.contains(tag) && TIFFType(rawValue: type) != nil
      guard isPlausible || isGPS else { continue }
      if let value = valueRange(at: entry), value.count <= bytesLeft {
        bytesLeft -= value.count
        zero(value)
      }
      if !isPlausible { zero(entry..<(entry + 12)) }
    }
    if isPlausible { zero(table) }
  }

  private mutating func zero(_ range: Range<Int>) {
    let kept = ([0..<8] + tables.values).map { $0.clamped(to: range) }.map { ($0, bytes[$0]) }
    bytes.fill(range)
    for (place, old) in kept { bytes.replaceSubrange(place, with: old) }
  }
}

extension [UInt8] {
  /// An unsigned number of up to four bytes, or nil where it does not lie inside.
  func number(at offset: Int, _ length: Int, isBigEndian: Bool) -> Int? {
    guard offset >= 0, offset <= count - length else { return nil }
    let part = self[offset..<(offset + length)]
    return isBigEndian
      ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
