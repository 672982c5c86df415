package import PhotoModel

/// Random access to the bytes of a file, by pread or from memory.
package protocol ByteSource: Sendable {
  /// The number of bytes.
  var count: Int { get }
  /// Up to `count` bytes at `offset`; fewer only where the source ends. Never more than asked for.
  func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8]
}
package struct ByteSourceError: Error, Hashable { package let message: String }
/// Bytes in memory. (File: `FileByteSource` over a descriptor, by pread, wraps an Int32 that its maker owns.)
package struct MemoryByteSource: ByteSource {
  package init(_ bytes: [UInt8]) { fatalError("contract") }
  package var count: Int { fatalError("contract") }
  package func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] { fatalError("contract") }
}
package struct FileByteSource: ByteSource {
  /// Does not own the descriptor; its owner keeps it open for as long as this is used.
  package init(descriptor: Int32) throws(ByteSourceError) { fatalError("contract") }
  package var count: Int { fatalError("contract") }
  package func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] { fatalError("contract") }
}

/// What a file is by its first bytes.
package enum FileType: Hashable, Sendable {
  case image(ImageFormat)
  /// Something else, with a short lower-case name for counting: "heic", "avif", "gif", "webp", "tiff"
  /// (most raw files), "mp4", "mov", "pdf", "text", "empty", "unknown" ...
  case other(String)
  /// Needs at most the first 64 bytes.
  package static func recognise(_ firstBytes: [UInt8]) -> FileType { fatalError("contract") }
}

/// The frame header of a JPEG file (ITU-T T.81 B.2.2) or IHDR of a PNG file.
package struct ImageStructure: Sendable {
  package let format: ImageFormat
  /// As stored, before orientation. width and height > 0.
  package let codedSize: PixelSize
  /// 1, 3, 4 (JPEG components; PNG channels; palette counts as 1).
  package let components: Int
  package let bitDepth: Int
  package let isProgressive: Bool   // JPEG SOF2/SOF6/10..., PNG interlaced
  /// Whole, or why not: the first thing that is wrong. Trailing data and a missing end marker behind whole
  /// scan data are no damage by themselves: see `completeness`.
  package let completeness: Completeness
  /// JPEG marker segments / PNG chunks with the ranges of their payload (no entropy-coded data; not IDAT).
  package let segments: [Segment]
  /// Where the picture ends in the file; bytes behind it are trailing data (MPO, video, ...).
  package let endOffset: Int
  /// Why no decoder here takes it (12-bit, lossless, arithmetic 16 bit ..), judged by the header, or nil.
  package let unsupported: String?

  package enum Completeness: Hashable, Sendable {
    case complete
    /// Structure ends early in a way that only a decode can judge (JPEG without EOI): all rows may be there.
    case uncertain(reason: String)
    /// Surely not whole: PNG chunk cut, CRC wrong, no IEND, no IDAT; JPEG without any scan...
    case damaged(reason: String)
  }
  package struct Segment: Hashable, Sendable {
    /// JPEG: marker byte (0xE1 ...). PNG: 0 and `chunkType` set.
    package let marker: UInt8
    package let chunkType: String
    /// Offset and length of the payload (JPEG: behind the length field; PNG: chunk data).
    package let offset: Int
    package let length: Int
  }
  /// Walks the whole file: JPEG by markers up to EOI, entropy-coded data scanned for markers; PNG by chunks
  /// with every CRC verified. Bounded memory (windows of at most 256 KiB), whatever the file says.
  package static func scan(_ source: some ByteSource) throws(ContainerError) -> ImageStructure { fatalError("contract") }
  /// Reads only up to the first scan / all PNG chunk headers (IDAT data not read, CRCs not verified);
  /// completeness is then `.complete` whatever follows. For decoding and metadata of a known-good original.
  package static func scanHeaders(_ source: some ByteSource) throws(ContainerError) -> ImageStructure { fatalError("contract") }
}
/// The file has no usable header: not the format at all, no frame header, zero size, ...
package struct ContainerError: Error, Hashable { package let message: String }
