import ImageContainer
import PhotoModel

/// Goes through a picture's blocks, has each redacted, and notes what differs.
struct RedactionPlanner {
  private let source: any ByteSource
  private let structure: ImageStructure
  /// Of the file, pictures inside it included.
  let context: RedactionContext
  private let depth: Int
  /// Segments that differ, by the offset of their content.
  private var changed: [Int: [UInt8]] = [:]
  private var edits: [RedactionPlan.Edit] = []
  private var inflate = Inflate()

  /// Longer blocks are not looked into but blanked as a whole: as libpng's limit for chunks.
  static var maximumBlock: Int { 8_000_000 }
  /// Of parts that belong together.
  static var maximumStitched: Int { 16 << 20 }

  private static var tooLarge: RedactionError {
    RedactionError(message: "its metadata is too large to look for places in it")
  }

  /// Bytes of the segments that are looked into, or chunks; those of too long ones are not read.
  static func metadataSize(_ structure: ImageStructure) -> Int {
    let types: Set = ["eXIf", "tEXt", "zTXt", "iTXt", "caBX"]
    return structure.segments.reduce(0) { size, segment in
      let isRead =
        structure.format == .jpeg
        ? isMetadata(marker: segment.marker)
        : types.contains(segment.chunkType) && segment.length <= maximumBlock
      return isRead ? size + segment.length : size
    }
  }

  /// APP0 to APP15 and comments.
  private static func isMetadata(marker: UInt8) -> Bool {
    (0xE0...0xEF).contains(marker) || marker == 0xFE
  }

  init(
    _ source: any ByteSource, structure: ImageStructure,
    context: RedactionContext = RedactionContext(),
    depth: Int = 0
  ) {
    self.source = source
    self.structure = structure
    self.context = context
    self.depth = depth
  }

  /// A segment, of whose content the first bytes are a header.
  private struct Part {
    let segment: ImageStructure.Segment
    let skip: Int
    var count: Int { max(0, segment.length - skip) }
  }

  mutating func plan() throws(RedactionError) -> RedactionPlan {
    guard structure.segments.count < ImageStructure.maximumSegments else {
      throw RedactionError(message: "it has too many segments to look for places in all of them")
    }
    switch structure.format {
    case .jpeg: try planJPEG()
    case .png: for segment in structure.segments { try planPNG(segment) }
    }
    for (offset, bytes) in changed {
      let old = try read(at: offset, count: bytes.count)
      edits += Self.differences(old, bytes, at: offset)
    }
    let length = try planTrail()
    return RedactionPlan(edits: edits, length: length)
  }

  // MARK: - JPEG

  private enum Signature {
    static let flir = Array("FLIR\0".utf8)
    static let rmeta = Array("RMETA\0".utf8)
    static let goPro = Array("GoPro\0".utf8)
    static let jumbf = Array("JP".utf8)
    /// Of segments that are not looked into: a colour profile, and an index of pictures, which is a TIFF block.
    static let harmless = [Array("ICC_PROFILE\0".utf8), MetadataSignature.multiPicture]
  }

  private mutating func planJPEG() throws(RedactionError) {
    var exif: [[Part]] = []
    var photoshop: [Part] = []
    var flir: [Part] = []
    var jumbf: [Part] = []
    var packets: [Part] = []
    var extended: [Part] = []
    var foreign: [Part] = []
    let (context, depth) = (context, depth)
    for segment in structure.segments where Self.isMetadata(marker: segment.marker) {
      let head = try read(at: segment.offset, count: min(segment.length, 40))
      func part(behind signature: [UInt8], more: Int = 0) -> Part? {
        guard head.starts(with: signature) else { return nil }
        return Part(segment: segment, skip: signature.count + more)
      }
      let whole = Part(segment: segment, skip: 0)
      switch segment.marker {
      case 0xE1:
        if let length = MetadataSignature.exifHeaderLength(head) {
          // A block of more than a segment goes on in the next ones, which have no TIFF header.
          let isFirst = [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]].contains {
            head.dropFirst(length).starts(with: $0)
          }
          if isFirst || exif.isEmpty { exif.append([]) }
          exif[exif.count - 1].append(Part(segment: segment, skip: length))
        } else if let part = part(behind: MetadataSignature.xmp) {
          packets.append(part)
        } else if let part = part(behind: MetadataSignature.extendedXMP, more: 40) {
          extended.append(part)
        } else if let part = part(behind: Signature.flir, more: 3) {
          flir.append(part)
        } else {
          // Signatures of other writers, and damaged ones: readers look for the markup.
          foreign.append(whole)
        }
      case 0xE5 where head.starts(with: Signature.rmeta):
        try rewrite([Part(segment: segment, skip: Signature.rmeta.count)]) {
          VendorSegments.redact(rmeta: &$0)
        }
      case 0xE6 where head.starts(with: Signature.goPro):
        try rewrite([Part(segment: segment, skip: Signature.goPro.count)]) {
          VendorSegments.redact(gpmf: &$0)
        }
      case 0xEB where head.starts(with: Signature.jumbf):
        jumbf.append(Part(segment: segment, skip: Signature.jumbf.count + 6))
      case 0xED where IPTCRedaction.signatures.contains(where: head.starts):
        for signature in IPTCRedaction.signatures {
          if let part = part(behind: signature) { photoshop.append(part) }
        }
      default:
        if !Signature.harmless.contains(where: { head.starts(with: $0) }) { foreign.append(whole) }
      }
    }
    for part in foreign {
      try rewrite([part]) {
        ForeignRedaction.redact(&$0, context: context, depth: depth)
      }
    }
    for parts in exif {
      try rewrite(parts) {
        TIFFRedaction.redact(exif: &$0, context: context, depth: depth)
      }
    }
    // Readers differ on whether resources go on from segment to segment: both ways are looked at.
    for parts in [photoshop] + (photoshop.count > 1 ? photoshop.map { [$0] } : []) {
      try rewrite(parts) {
        IPTCRedaction.redact(resources: &$0, context: context, depth: depth)
      }
    }
    try rewrite(flir) { VendorSegments.redact(flir: &$0) }
    try rewrite(jumbf) { if VendorSegments.tellsPlace(jumbf: $0) { $0.fill(0..<$0.count) } }
    for packet in packets {
      try rewrite([packet]) { XMPRedaction.redact(&$0, context: context) }
    }
    try planExtendedXMP(extended, packets: packets)
  }

  /// Extended packets (XMP specification part 3, 1.1.3.1): behind the signature the MD5 of the whole (32
  /// digits), its length and the part's offset in it (4 bytes each).
  private mutating func planExtendedXMP(
    _ parts: [Part], packets: [Part]
  ) throws(RedactionError) {
    var packetsByName: [[UInt8]: [(part: Part, offset: Int, whole: Int)]] = [:]
    for part in parts {
      let header = try read(at: part.segment.offset + part.skip - 40, count: 40)
      guard let whole = header.number(at: 32, 4, isBigEndian: true),
        let offset = header.number(at: 36, 4, isBigEndian: true)
      else { continue }
      packetsByName[Array(header[..<32]), default: []].append((part, offset, whole))
    }
    let names = packetsByName.keys.sorted { $0.lexicographicallyPrecedes($1) }
    for (number, name) in names.enumerated() {
      let sorted = (packetsByName[name] ?? []).sorted { $0.offset < $1.offset }
      var end = 0
      let isWhole = sorted.allSatisfy { part in
        defer { end = part.offset + part.part.count }
        return part.offset == end
      }
      let isSound = isWhole && sorted.allSatisfy { $0.whole == end }
      let context = context
      let isChanged = try rewrite(sorted.map(\.part)) {
        // Parts that do not fit are put together in different ways by different readers.
        if isSound {
          XMPRedaction.redact(&$0, context: context)
        } else {
          $0.blank(0..<$0.count)
        }
      }
      guard isChanged else { continue }
      // The MD5 of the packet as it was would let a guess at the place be confirmed.
      let digits = Array(String(number).utf8)
      let new = [UInt8](repeating: 0x30, count: 32 - digits.count) + digits
      for part in sorted.map(\.part) {
        let header = Part(segment: part.segment, skip: MetadataSignature.extendedXMP.count)
        try rewrite([header]) { $0.replaceSubrange(0..<32, with: new) }
      }
      for packet in packets {
        try rewrite([packet]) { XMPRedaction.rename(name, to: new, in: &$0) }
      }
    }
  }

  // MARK: - PNG

  private mutating func planPNG(_ segment: ImageStructure.Segment) throws(RedactionError) {
    let (context, depth) = (context, depth)
    let part = Part(segment: segment, skip: 0)
    switch segment.chunkType {
    // A draft's form of EXIF, deflated; it cannot keep its length.
    case "zxIf": return try remove(segment)
    case "eXIf", "tEXt", "zTXt", "iTXt", "caBX": break
    default: return
    }
    guard segment.length <= Self.maximumBlock else { return try remove(segment) }
    switch segment.chunkType {
    case "eXIf":
      try rewrite([part]) {
        TIFFRedaction.redact(exif: &$0, context: context, depth: depth)
      }
    case "caBX":
      if VendorSegments.tellsPlace(jumbf: try read(at: segment.offset, count: segment.length)) {
        try remove(segment)
      }
    default:
      let data = try read(at: segment.offset, count: segment.length)
      let outcome = PNGTextRedaction.outcome(
        segment.chunkType, data, context: context, inflate: &inflate)
      switch outcome {
      case .keep: break
      case .rewrite(let bytes): try rewrite([part]) { $0 = bytes }
      case .remove: try remove(segment)
      }
    }
    // The CRC covers the type and the data (ISO/IEC 15948 5.5).
    if let bytes = changed[segment.offset] {
      var crc = CRC32()
      crc.update(Array(segment.chunkType.utf8))
      crc.update(bytes)
      write(crc.value, at: segment.offset + segment.length)
    }
  }

  /// Makes a chunk one of zeros that no reader knows: ancillary, private, safe to copy.
  private mutating func remove(_ segment: ImageStructure.Segment) throws(RedactionError) {
    let type = Array("prVt".utf8)
    edits.append(.init(range: (segment.offset - 4)..<segment.offset, content: .bytes(type)))
    let end = segment.offset + segment.length
    edits.append(.init(range: segment.offset..<end, content: .fill(0)))
    var crc = CRC32()
    crc.update(type)
    let block = [UInt8](repeating: 0, count: 1 << 16)
    var left = segment.length
    while left > 0 {
      crc.update(left < block.count ? Array(block.prefix(left)) : block)
      left -= min(left, block.count)
    }
    write(crc.value, at: end)
  }

  private mutating func write(_ crc: UInt32, at offset: Int) {
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
    edits.append(.init(range: offset..<(offset + 4), content: .bytes(bytes)))
  }

  // MARK: - Behind the picture

  /// Keeps the other pictures that an MPF index names, redacted, and returns the length that is left.
  ///
  /// Everything else behind the picture is overwritten or cut.
  private mutating func planTrail() throws(RedactionError) -> Int {
    var end = structure.endOffset
    guard end < source.count else { return source.count }
    for range in try otherPictures() where range.lowerBound >= end {
      let part = Self.part(range, of: source)
      guard depth < TIFFRedaction.maximumDepth, let found = try? ImageStructure.scan(part) else {
        continue
      }
      context.bytesBehind += Self.metadataSize(found)
      guard context.bytesBehind <= Self.maximumStitched else { throw Self.tooLarge }
      var planner = RedactionPlanner(
        part, structure: found, context: context, depth: depth + 1)
      let plan = try planner.plan()
      edits += plan.edits.map { edit in
        let (lower, upper) = (edit.range.lowerBound, edit.range.upperBound)
        return .init(
          range: (lower + range.lowerBound)..<(upper + range.lowerBound), content: edit.content)
      }
      try clear(end..<range.lowerBound)
      try clear((range.lowerBound + plan.length)..<range.upperBound)
      end = range.upperBound
    }
    // Padding says nothing.
    return try isZero(end..<source.count) ? source.count : end
  }

  private static func part(
    _ range: Range<Int>, of source: some ByteSource
  ) -> any ByteSource { PartByteSource(source, range) }

  /// What MPF indexes name behind the picture, by place.
  private func otherPictures() throws(RedactionError) -> [Range<Int>] {
    var found: [Range<Int>] = []
    let length = MetadataSignature.multiPicture.count
    for segment in structure.segments where segment.marker == 0xE2 && segment.length > length {
      let bytes = try read(at: segment.offset, count: segment.length)
      guard bytes.starts(with: MetadataSignature.multiPicture),
        let index = MultiPictureIndex(
          Array(bytes.dropFirst(length)), base: segment.offset + length, fileLength: source.count)
      else { continue }
      found += index.entries.map(\.range)
    }
    return found.sorted { $0.lowerBound < $1.lowerBound }.prefix(MultiPictureIndex.maximumEntries)
      .map(\.self)
  }

  private mutating func clear(_ range: Range<Int>) throws(RedactionError) {
    guard try !isZero(range) else { return }
    edits.append(.init(range: range, content: .fill(0)))
  }

  private func isZero(_ range: Range<Int>) throws(RedactionError) -> Bool {
    var position = range.lowerBound
    while position < range.upperBound {
      let bytes = try read(at: position, count: min(1 << 18, range.upperBound - position))
      if bytes.contains(where: { $0 != 0 }) { return false }
      position += bytes.count
    }
    return true
  }

  // MARK: - Bytes

  private func read(at offset: Int, count: Int) throws(RedactionError) -> [UInt8] {
    let bytes: [UInt8]
    do throws(ByteSourceError) {
      bytes = try source.read(at: offset, count: count)
    } catch {
      throw RedactionError(message: "it cannot be read: " + error.message, isUnreadable: true)
    }
    guard bytes.count == count else {
      throw RedactionError(message: "it cannot be read to its end", isUnreadable: true)
    }
    return bytes
  }

  /// Has the contents of segments, put together, changed; returns whether they were.
  @discardableResult
  private mutating func rewrite(
    _ parts: [Part], _ body: (inout [UInt8]) -> Void
  ) throws(RedactionError) -> Bool {
    guard parts.reduce(0, { $0 + $1.count }) <= Self.maximumStitched else {
      throw Self.tooLarge
    }
    var old: [UInt8] = []
    for part in parts {
      let bytes = try content(of: part.segment)
      old += bytes.dropFirst(part.skip)
    }
    guard !old.isEmpty else { return false }
    var new = old
    body(&new)
    guard new.count == old.count, new != old else { return false }
    var position = 0
    for part in parts {
      var bytes = try content(of: part.segment)
      bytes.replaceSubrange(part.skip..., with: new[position..<(position + part.count)])
      position += part.count
      changed[part.segment.offset] = bytes
    }
    return true
  }

  private func content(of segment: ImageStructure.Segment) throws(RedactionError) -> [UInt8] {
    if let bytes = changed[segment.offset] { return bytes }
    return try read(at: segment.offset, count: segment.length)
  }

  /// The runs that differ; runs with little between them become one.
  private static func differences(
    _ old: [UInt8], _ new: [UInt8], at offset: Int
  ) -> [RedactionPlan.Edit] {
    var edits: [RedactionPlan.Edit] = []
    var run: Range<Int>?
    func finish() {
      guard let run else { return }
      edits.append(
        .init(
          range: (offset + run.lowerBound)..<(offset + run.upperBound),
          content: .bytes(Array(new[run]))))
    }
    for index in new.indices where old[index] != new[index] {
      if let started = run, index - started.upperBound < 16 {
        run = started.lowerBound..<(index + 1)
      } else {
        finish()
        run = index..<(index + 1)
      }
    }
    finish()
    return edits
  }
}
