import ImageContainer
import PhotoModel

/// Finds the metadata among the segments of a picture and reads it, block by block.
struct MetadataBlocks<Source: ByteSource> {
  /// What is looked for.
  enum Scope {
    case everything
    /// Previews alone: nothing is read but EXIF and the multi-picture index.
    case previews
  }

  private let source: Source
  private let scope: Scope
  private(set) var exif = ExifFields()
  private(set) var previews: [EmbeddedPreview] = []
  private(set) var xmp = XMPProperties()
  /// Dates of every block, of each source the first one that is sane first.
  private(set) var dates: [DateCandidate] = []
  private(set) var warnings: [String] = []

  /// A block of EXIF that is being put together: it may go on in the segments directly behind.
  private var exifBlock: [ExifPiece] = []
  private var extendedXMP = ExtendedXMP()
  /// The payloads of APP13, without their signature.
  private var resources: [[UInt8]] = []
  /// Raw profiles of PNG count after the chunks that PNG itself has for their content.
  private var profiles: [RawProfile.Content] = []
  private var hasMultiPictureIndex = false
  private var packets = 0
  private(set) var xmpBudget = XMPBudget()

  private struct ExifPiece {
    let bytes: [UInt8]
    /// Where the bytes lie in the file, or nil where they are spelt out in some other form.
    let offset: Int?

    var isStart: Bool {
      bytes.starts(with: "II*\0".utf8) || bytes.starts(with: "MM\0*".utf8)
    }
  }

  /// Bytes of all blocks together; a JPEG segment has at most 65,533, a PNG chunk may have any number.
  private var bytesLeft = 16 << 20
  private var inflate = Inflate()
  /// No single block may be longer: as libpng's limit for chunks.
  private static var maximumBlock: Int { 8_000_000 }
  /// A packet is parsed at some hundred times the cost of its bytes.
  static var maximumPacket: Int { 1 << 20 }
  /// A file of thousands of packets would otherwise take minutes; pictures have one or two.
  private static var maximumPackets: Int { 8 }
  private static var maximumWarnings: Int { 20 }
  private static var maximumPreviews: Int { 8 }

  init(_ source: Source, structure: ImageStructure, scope: Scope = .everything) {
    self.source = source
    self.scope = scope
    for segment in structure.segments {
      switch structure.format {
      case .jpeg: readJPEG(segment)
      case .png: readPNG(segment)
      }
    }
    finishExif()
    finishXMP()
    finishResources()
    for profile in profiles { read(profile) }
    // EXIF's parts of a date may stand in several blocks.
    dates = exif.dateCandidates + dates
  }

  // MARK: - JPEG

  private mutating func readJPEG(_ segment: ImageStructure.Segment) {
    if segment.marker != 0xE1 { finishExif() }
    switch segment.marker {
    case 0xE1:
      guard let head = bytes(of: segment, first: 96) else { return }
      if let length = MetadataSignature.exifHeaderLength(head) {
        return readExifSegment(segment, headerLength: length)
      }
      finishExif()
      if scope == .previews { return }
      if head.starts(with: MetadataSignature.extendedXMP) {
        extendedXMP.add(head: head, at: segment.offset..<(segment.offset + segment.length))
      } else if let start = head.starts(with: MetadataSignature.xmp)
        ? MetadataSignature.xmp.count : MetadataSignature.packetStart(head)
      {
        guard let data = bytes(of: segment) else { return }
        readXMP(Array(data.dropFirst(start)))
      }
    case 0xE2:
      guard !hasMultiPictureIndex,
        bytes(of: segment, first: 4) == MetadataSignature.multiPicture,
        let data = bytes(of: segment)
      else { return }
      hasMultiPictureIndex = true
      readMultiPictureIndex(Array(data.dropFirst(4)), base: segment.offset + 4)
    case 0xED:
      let signature = MetadataSignature.photoshop
      guard scope == .everything, bytes(of: segment, first: signature.count) == signature,
        let data = bytes(of: segment)
      else { return }
      resources.append(Array(data.dropFirst(signature.count)))
    default:
      break
    }
  }

  /// A segment that does not begin with a TIFF header goes on with the one directly before it.
  private mutating func readExifSegment(_ segment: ImageStructure.Segment, headerLength: Int) {
    guard let data = bytes(of: segment) else { return }
    let piece = ExifPiece(
      bytes: Array(data.dropFirst(headerLength)), offset: segment.offset + headerLength)
    if piece.isStart || exifBlock.first?.isStart != true { finishExif() }
    exifBlock.append(piece)
  }

  private mutating func readMultiPictureIndex(_ data: [UInt8], base: Int) {
    guard let index = MultiPictureIndex(data, base: base, fileLength: source.count) else {
      warn("the index of a multi-picture file cannot be read")
      return
    }
    for entry in index.entries.filter(\.isThumbnail).prefix(Self.maximumPreviews) {
      guard let header = PreviewHeader(PartByteSource(source, entry.range)) else { continue }
      previews.append(
        EmbeddedPreview(
          source: .multiPicture, range: entry.range, pixelSize: header.pixelSize,
          orientation: header.orientation))
    }
  }

  // MARK: - PNG

  private mutating func readPNG(_ segment: ImageStructure.Segment) {
    // What is spelt out in text is no piece of the file, and no preview.
    if scope == .previews, segment.chunkType != "eXIf" { return }
    switch segment.chunkType {
    case "eXIf":
      guard let data = bytes(of: segment) else { return }
      // The chunk holds TIFF; some writers put JPEG's prefix before it.
      let length = MetadataSignature.exifHeaderLength(data) ?? 0
      exifBlock = [
        ExifPiece(bytes: Array(data.dropFirst(length)), offset: segment.offset + length)
      ]
      finishExif()
    case "tIME":
      if let data = bytes(of: segment, first: 8), let date = PNGText.time(data) { add([date]) }
    case "tEXt", "zTXt", "iTXt":
      guard let head = bytes(of: segment, first: PNGText.maximumHead),
        let keyword = PNGText.keyword(head)
      else { return }
      if keyword == MetadataSignature.xmpKeyword {
        if let text = text(of: segment) { readXMP(text) }
      } else if keyword == "Creation Time", segment.length < 1024 {
        if let date = text(of: segment).flatMap(PNGText.creationTime) { add([date]) }
      } else if RawProfile.isMetadata(keyword: keyword) {
        guard let text = text(of: segment) else { return }
        if let profile = RawProfile.bytes(text).flatMap(RawProfile.content) {
          profiles.append(profile)
        } else {
          warn("PNG: a raw profile cannot be read")
        }
      }
    default:
      break
    }
  }

  private mutating func text(of segment: ImageStructure.Segment) -> [UInt8]? {
    guard let data = bytes(of: segment) else { return nil }
    guard let chunk = PNGText.parse(segment.chunkType, data) else {
      warn("PNG: a text chunk is damaged")
      return nil
    }
    guard chunk.isCompressed else { return Array(data[chunk.start...]) }
    switch inflate.text(of: data[chunk.start...]) {
    case .text(let text):
      return text
    case .damaged:
      warn("PNG: a compressed text is damaged")
    case .tooLong:
      warn("PNG: a compressed text of more than \(Inflate.maximumText) bytes is not read")
    }
    return nil
  }

  private mutating func read(_ profile: RawProfile.Content) {
    switch profile {
    case .exif(let bytes):
      exifBlock = [ExifPiece(bytes: bytes, offset: nil)]
      finishExif()
    case .xmp(let packet):
      readXMP(packet)
    case .resources(let bytes):
      if let date = IPTC.dateCandidate(resources: bytes) { add([date]) }
    case .records(let bytes):
      if let date = IPTC.dateCandidate(records: bytes[...]) { add([date]) }
    }
  }

  // MARK: - Blocks

  /// Reads the block that was put together, if there is one.
  private mutating func finishExif() {
    guard let first = exifBlock.first else { return }
    let pieces = exifBlock
    exifBlock = []
    let block = pieces.count == 1 ? first.bytes : pieces.flatMap(\.bytes)
    guard let reader = ExifReader(block, previewOnly: scope == .previews) else {
      warn("EXIF: a block is no TIFF structure")
      return
    }
    for warning in reader.warnings { warn(warning) }
    if let range = reader.fields.preview { addPreview(range, of: block, pieces, reader.fields) }
    exif.fill(from: reader.fields)
    add(reader.fields.dateCandidates)
  }

  /// A thumbnail counts where its bytes lie in one piece of the file.
  private mutating func addPreview(
    _ range: Range<Int>, of block: [UInt8], _ pieces: [ExifPiece], _ fields: ExifFields
  ) {
    guard !previews.contains(where: { $0.source == .exifThumbnail }) else { return }
    var start = 0
    for piece in pieces {
      let end = start + piece.bytes.count
      if let offset = piece.offset, range.lowerBound >= start, range.upperBound <= end,
        let header = PreviewHeader(MemoryByteSource(Array(block[range])))
      {
        let first = offset + range.lowerBound - start
        previews.insert(
          EmbeddedPreview(
            source: .exifThumbnail, range: first..<(first + range.count),
            pixelSize: header.pixelSize,
            orientation: fields.previewOrientation.flatMap(Orientation.init(rawValue:))
              ?? header.orientation), at: 0)
        return
      }
      start = end
    }
  }

  private mutating func readXMP(_ packet: [UInt8]) {
    guard packet.count <= Self.maximumPacket else {
      warn("XMP: a packet of \(packet.count) bytes is not read")
      return
    }
    packets += 1
    guard packets <= Self.maximumPackets else {
      return warn("XMP: more than \(Self.maximumPackets) packets; the rest is not read")
    }
    guard !xmpBudget.isExhausted else { return }
    let properties = XMPProperties(packet: packet, budget: &xmpBudget)
    if xmpBudget.isExhausted { warn("XMP: more parts than are read; the rest is not read") }
    xmp.fill(from: properties)
    add(properties.dateCandidates())
  }

  private mutating func finishXMP() {
    switch extendedXMP.packet(named: xmp[.hasExtendedXMP], limit: Self.maximumPacket) {
    // What is that long are pictures and depths, as phones put them there: no damage.
    case .absent, .tooLong: break
    case .damaged: warn("XMP: the parts of an extended packet do not make a whole")
    case .parts(let ranges):
      var packet: [UInt8] = []
      for range in ranges {
        guard let bytes = bytes(at: range.lowerBound, count: range.count) else { return }
        packet += bytes
      }
      readXMP(packet)
    }
  }

  /// A resource may go on in the next segment; where one is damaged, the others still count alone.
  private mutating func finishResources() {
    var joined: [UInt8] = []
    for part in resources { joined += part }
    for bytes in [joined] + resources {
      if let date = IPTC.dateCandidate(resources: bytes) { return add([date]) }
    }
  }

  private mutating func add(_ found: [DateCandidate]) {
    for date in found where !dates.contains(where: { $0.source == date.source }) {
      dates.append(date)
    }
  }

  private mutating func warn(_ text: String) {
    if warnings.count < Self.maximumWarnings { warnings.append(text) }
  }

  /// A segment's bytes or its first ones, or nil where they cannot be read or are too many.
  private mutating func bytes(
    of segment: ImageStructure.Segment, first limit: Int = .max
  ) -> [UInt8]? {
    bytes(at: segment.offset, count: min(limit, segment.length))
  }

  private mutating func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard count <= Self.maximumBlock, count <= bytesLeft else {
      warn("a metadata block of \(count) bytes is not read")
      return nil
    }
    bytesLeft -= count
    do throws(ByteSourceError) {
      return try source.read(at: offset, count: count)
    } catch {
      warn("metadata cannot be read: " + error.message)
      return nil
    }
  }
}
