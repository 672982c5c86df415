import FoundationEssentials
import ImageContainer
import ImageMetadata
import PhotoModel

/// What is fuzzed alone: a whole file, or one kind of block without the container around it, so that
/// the bytes that are changed are those that its reader looks at.
///
/// Blocks are handed over as the only segment of a picture that is made up: this uses what other layers
/// use, and nothing that only this module knows.
enum FuzzTarget: String, CaseIterable {
  /// A JPEG file: markers, then all its metadata.
  case jpeg
  /// A PNG file: chunks, then all its metadata.
  case png
  /// A TIFF block, as EXIF's APP1 holds it behind its signature.
  case exif
  /// An XMP packet.
  case xmp
  /// An XMP file beside a picture.
  case sidecar
  /// Photoshop's image resources, which hold IPTC records.
  case iptc
  /// A file's name.
  case name
  /// The removal of places from a JPEG or PNG file, or from one block in a JPEG file made around it.
  case redaction

  /// The one that the environment names.
  static var chosen: FuzzTarget? {
    ProcessInfo.processInfo.environment["PHOTOLIB_FUZZ_TARGET"].flatMap(FuzzTarget.init)
  }

  /// What stands before the block in its JPEG segment.
  var signature: [UInt8] {
    switch self {
    case .exif: Array("Exif\0\0".utf8)
    case .xmp: Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    case .iptc: Array("Photoshop 3.0\0".utf8)
    case .jpeg, .png, .sidecar, .name, .redaction: []
    }
  }

  /// Reads the bytes as this target, and stops the process where an answer breaks a promise.
  func examine(_ bytes: [UInt8]) {
    switch self {
    case .jpeg, .png:
      examineFile(bytes)
    case .exif:
      examine(segmentMarker: 0xE1, bytes)
    case .xmp:
      examine(segmentMarker: 0xE1, bytes)
    case .sidecar:
      examineSidecar(bytes)
    case .iptc:
      examine(segmentMarker: 0xED, bytes)
    case .name:
      Promises.check(PhotoMetadata(), fileName: FileName(bytes: bytes), fileSize: 0)
    case .redaction:
      RedactionPromises.check(Self.file(around: bytes))
    }
  }

  /// A file as it is; a TIFF block, Photoshop's resources or anything else, which is taken for XMP, as the
  /// only metadata of a JPEG file.
  private static func file(around bytes: [UInt8]) -> [UInt8] {
    let isBlock = { (start: String) in bytes.starts(with: start.utf8) }
    let segment: (marker: UInt8, target: FuzzTarget)
    if bytes.starts(with: [0xFF, 0xD8]) || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      return bytes
    } else if isBlock("II*\0") || isBlock("MM\0*") {
      segment = (0xE1, .exif)
    } else if isBlock("8BIM") {
      segment = (0xED, .iptc)
    } else {
      segment = (0xE1, .xmp)
    }
    let payload = (segment.target.signature + bytes).prefix(0xFFFF - 2)
    let length = payload.count + 2
    return [0xFF, 0xD8, 0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
      + picture
  }

  /// A frame of 8x8 grey pixels, a scan, and the end.
  private static let picture: [UInt8] = [
    0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0,
    0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 5, 0xFF, 0xD9,
  ]

  private func examineFile(_ bytes: [UInt8]) {
    let source = MemoryByteSource(bytes)
    // What the whole walk says beyond the headers' is for the importer; here it only has to end.
    for structure in [
      try? ImageStructure.scanHeaders(source), try? ImageStructure.scan(source),
    ].compactMap({ $0 }) {
      Promises.check(structure, fileSize: bytes.count)
      let metadata = PhotoMetadata.read(source, structure: structure)
      Promises.check(
        metadata, fileName: FileName(""), fileSize: bytes.count,
        pictureSize: structure.codedSize)
    }
  }

  private func examineSidecar(_ bytes: [UInt8]) {
    let structure = ImageStructure(
      format: .jpeg, codedSize: PixelSize(width: 1, height: 1), components: 1, bitDepth: 8)
    let metadata = PhotoMetadata.read(MemoryByteSource([]), structure: structure, sidecar: bytes)
    Promises.check(metadata, fileName: FileName(""), fileSize: 0)
  }

  private func examine(segmentMarker: UInt8, _ block: [UInt8]) {
    let bytes = signature + block
    let segment = ImageStructure.Segment(marker: segmentMarker, offset: 0, length: bytes.count)
    let structure = ImageStructure(
      format: .jpeg, codedSize: PixelSize(width: 1, height: 1), components: 1, bitDepth: 8,
      segments: [segment],
      endOffset: bytes.count)
    let metadata = PhotoMetadata.read(MemoryByteSource(bytes), structure: structure)
    Promises.check(metadata, fileName: FileName(""), fileSize: bytes.count)
  }
}
