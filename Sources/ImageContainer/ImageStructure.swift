package import PhotoModel

/// What the frame header of a JPEG file (ITU-T T.81 B.2.2) or IHDR of a PNG file (ISO/IEC 15948 11.2.2)
/// says, where the parts of the file lie, and whether it is whole.
package struct ImageStructure: Sendable {
  package let format: ImageFormat
  /// As stored, before orientation. Width and height are above 0.
  package let codedSize: PixelSize
  /// JPEG components; PNG channels, a palette counting as 1. Others than 1 to 4 are unsupported.
  package let components: Int
  /// Bits a sample (PNG: a sample or palette index).
  package let bitDepth: Int
  /// JPEG: SOF2, SOF6, SOF10, SOF14. PNG: interlaced.
  package let isProgressive: Bool
  /// Whole, or why not: the first thing that is wrong. Trailing data is no damage by itself.
  package let completeness: Completeness
  /// JPEG marker segments or PNG chunks other than IDAT, in file order, at most `maximumSegments`.
  package let segments: [Segment]
  /// Where the picture ends in the file; bytes behind it are trailing data (MPO, video, ...). After
  /// `scanHeaders` of a JPEG file its size.
  package let endOffset: Int
  /// Why no decoder here takes it (12 bits a sample, lossless ...), judged by the header, or nil.
  package let unsupported: String?
  /// What only JPEG has; nil for PNG.
  package let jpeg: JPEGFrame?
  /// What only PNG has; nil for JPEG.
  package let png: PNGHeader?

  /// Segments beyond this number are walked and checked but not listed: a file of tiny segments must
  /// not become a list many times its size. 100 scans with a table each need some hundreds.
  package static let maximumSegments = 4096

  package init(
    format: ImageFormat, codedSize: PixelSize, components: Int, bitDepth: Int,
    isProgressive: Bool = false, completeness: Completeness = .complete, segments: [Segment] = [],
    endOffset: Int = 0, unsupported: String? = nil, jpeg: JPEGFrame? = nil, png: PNGHeader? = nil
  ) {
    self.format = format
    self.codedSize = codedSize
    self.components = components
    self.bitDepth = bitDepth
    self.isProgressive = isProgressive
    self.completeness = completeness
    self.segments = segments
    self.endOffset = endOffset
    self.unsupported = unsupported
    self.jpeg = jpeg
    self.png = png
  }

  package enum Completeness: Hashable, Sendable {
    case complete
    /// The structure is broken in a way that only a decode can judge (JPEG without an end marker, PNG
    /// without IEND): all rows may be there.
    case uncertain(reason: String)
    /// Surely not whole: PNG chunk cut, CRC wrong, no IDAT; JPEG without any scan ...
    case damaged(reason: String)
  }

  package struct Segment: Hashable, Sendable {
    /// JPEG: the marker's second byte (0xE1 is APP1). PNG: 0.
    package let marker: UInt8
    /// PNG: the chunk's type. JPEG: empty.
    package let chunkType: String
    /// Offset of the payload (JPEG: behind the length field; PNG: the chunk's data).
    package let offset: Int
    /// Length of the payload in bytes; it lies inside the file.
    package let length: Int

    package init(marker: UInt8 = 0, chunkType: String = "", offset: Int, length: Int) {
      self.marker = marker
      self.chunkType = chunkType
      self.offset = offset
      self.length = length
    }
  }

  /// Walks the whole file: JPEG by markers up to EOI, entropy-coded data scanned for markers; PNG by
  /// chunks with every CRC verified. Memory is bounded (windows of 256 KiB), whatever the file says.
  package static func scan(_ source: some ByteSource) throws(ContainerError) -> ImageStructure {
    try walk(source, headersOnly: false)
  }

  /// Reads only up to the first scan, or all PNG chunk headers (image data not read, CRCs not
  /// verified); `completeness` is then `.complete` whatever follows.
  ///
  /// For decoding and metadata of an original that is known to be good.
  package static func scanHeaders(
    _ source: some ByteSource
  ) throws(ContainerError) -> ImageStructure {
    try walk(source, headersOnly: true)
  }

  private static func walk(
    _ source: some ByteSource, headersOnly: Bool
  ) throws(ContainerError) -> ImageStructure {
    var reader = WindowReader(source)
    switch FileType.recognise(Array(try reader.bytes(at: 0, count: 64))) {
    case .image(.jpeg):
      var walk = JPEGWalk(reader, headersOnly: headersOnly)
      return try walk.run()
    case .image(.png):
      var walk = PNGWalk(reader, headersOnly: headersOnly)
      return try walk.run()
    case .other(let kind):
      throw ContainerError(message: "neither JPEG nor PNG (\(kind))")
    }
  }
}

/// The file has no usable header: neither format, no frame header, zero size, ...
package struct ContainerError: Error, Hashable {
  package let message: String

  package init(message: String) { self.message = message }
}
