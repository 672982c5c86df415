import ImageContainer
import PhotoModel

/// Finds the metadata among the segments of a picture and reads it, block by block.
struct MetadataBlocks<Source: ByteSource> {
  private let source: Source
  private(set) var exif = ExifFields()
  /// The TIFF block of each EXIF block starts here in the file; the preview counts from it.
  private(set) var preview: Range<Int>?
  private(set) var previewOrientation: Int?
  private(set) var xmp = XMPProperties()
  private(set) var otherDates: [DateCandidate] = []
  private(set) var warnings: [String] = []

  /// Bytes of all blocks together; a JPEG segment has at most 65,533, a PNG chunk may have any number.
  private var bytesLeft = 16 << 20
  /// No single block may be longer: as libpng's limit for chunks.
  private static var maximumBlock: Int { 8_000_000 }
  /// A packet is parsed at some hundred times the cost of its bytes.
  private static var maximumPacket: Int { 1 << 20 }
  private static var maximumWarnings: Int { 20 }

  init(_ source: Source, structure: ImageStructure) {
    self.source = source
    for segment in structure.segments {
      switch structure.format {
      case .jpeg: readJPEG(segment)
      case .png: readPNG(segment)
      }
    }
  }

  private mutating func readJPEG(_ segment: ImageStructure.Segment) {
    switch segment.marker {
    case 0xE1:
      guard let head = bytes(of: segment, first: 29) else { return }
      if head.starts(with: Self.exifSignature) {
        readExif(segment)
      } else if head.starts(with: Self.xmpSignature) {
        guard let data = bytes(of: segment) else { return }
        readXMP(Array(data.dropFirst(Self.xmpSignature.count)))
      }
    case 0xED:
      guard let data = bytes(of: segment), let date = IPTC.dateCandidate(app13: data) else {
        return
      }
      add(date)
    default:
      break
    }
  }

  private mutating func readPNG(_ segment: ImageStructure.Segment) {
    switch segment.chunkType {
    case "eXIf":
      readExif(segment)
    case "tIME":
      if let data = bytes(of: segment, first: 8), let date = PNGText.time(data) { add(date) }
    case "tEXt", "iTXt":
      guard let head = bytes(of: segment, first: 32) else { return }
      if head.starts(with: Self.xmpKeyword) {
        guard let data = bytes(of: segment),
          let (_, text) = PNGText.parse(segment.chunkType, data)
        else { return }
        readXMP(text)
      } else if head.starts(with: Self.creationKeyword), segment.length < 1024 {
        guard let data = bytes(of: segment),
          let (_, text) = PNGText.parse(segment.chunkType, data),
          let date = PNGText.creationTime(text)
        else { return }
        add(date)
      }
    default:
      break
    }
  }

  /// JPEG: "Exif", two NULs, TIFF. PNG: TIFF; some writers put the JPEG prefix before it.
  private mutating func readExif(_ segment: ImageStructure.Segment) {
    guard let data = bytes(of: segment) else { return }
    let prefix = data.starts(with: Self.exifSignature) ? 6 : 0
    guard let reader = ExifReader(Array(data.dropFirst(prefix))) else {
      warn("EXIF: a block is no TIFF structure")
      return
    }
    for warning in reader.warnings { warn(warning) }
    if preview == nil, let range = reader.fields.preview {
      let start = segment.offset + prefix
      preview = (start + range.lowerBound)..<(start + range.upperBound)
      previewOrientation = reader.fields.previewOrientation
    }
    exif.fill(from: reader.fields)
  }

  private mutating func readXMP(_ packet: [UInt8]) {
    guard packet.count <= Self.maximumPacket else {
      warn("XMP: a packet of \(packet.count) bytes is not read")
      return
    }
    xmp.fill(from: XMPProperties(packet: packet))
  }

  private mutating func add(_ date: DateCandidate) {
    guard !otherDates.contains(where: { $0.source == date.source }) else { return }
    otherDates.append(date)
  }

  private mutating func warn(_ text: String) {
    if warnings.count < Self.maximumWarnings { warnings.append(text) }
  }

  /// A segment's bytes or its first ones, or nil where they cannot be read or are too many.
  private mutating func bytes(
    of segment: ImageStructure.Segment, first limit: Int = .max
  ) -> [UInt8]? {
    let count = min(limit, segment.length)
    guard count <= Self.maximumBlock, count <= bytesLeft else {
      warn("a metadata block of \(count) bytes is not read")
      return nil
    }
    bytesLeft -= count
    do throws(ByteSourceError) {
      return try source.read(at: segment.offset, count: count)
    } catch {
      warn("metadata cannot be read: " + error.message)
      return nil
    }
  }

  private static var exifSignature: [UInt8] { Array("Exif\0\0".utf8) }
  private static var xmpSignature: [UInt8] { Array("http://ns.adobe.com/xap/1.0/\0".utf8) }
  private static var xmpKeyword: [UInt8] { Array("XML:com.adobe.xmp\0".utf8) }
  private static var creationKeyword: [UInt8] { Array("Creation Time\0".utf8) }
}
