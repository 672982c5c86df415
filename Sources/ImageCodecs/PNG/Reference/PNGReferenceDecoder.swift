import CImageCodecs
import ImageContainer
import PhotoModel

/// PNG by libpng, which takes all that can be read: rows stream into the scaler; only an interlaced
/// picture is kept whole.
///
/// Every kind comes out as 8-bit grey or RGB over white. An embedded ICC profile counts; gAMA, cHRM
/// and cICP are ignored, as browsers' and libvips' thumbnails do in practice.
struct PNGReferenceDecoder {
  let limits: DecodeLimits

  static let bandRows = 16

  /// Bytes that decoding allocates, apart from the file's and the scaler's.
  static func memory(_ structure: ImageStructure) -> Int {
    // libpng's rows (two, up to 8 bytes a pixel, and a spare), the band, and inflate's window and
    // tables.
    let width = structure.codedSize.width
    let rows = width * 8 * 4 + width * 4 * (bandRows + 2)
    let whole = structure.isProgressive ? structure.codedSize.pixelCount * 4 : 0
    // The profile is unpacked by libpng, at most to a chunk's limit, and copied.
    let hasProfile = structure.segments.contains { $0.chunkType == "iCCP" }
    return rows + whole + (512 << 10) + (hasProfile ? 12 << 20 : 0)
  }

  /// Decodes and scales.
  ///
  /// Of a damaged file what came before the damage is shown, the rest is mid-grey.
  func reduce(
    _ bytes: [UInt8], _ reduction: Reduction, checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> ReducedPicture {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      let png = try unsafe PNGHandle(buffer, limits: limits)
      let coded = PixelSize(width: Int(png.info.width), height: Int(png.info.height))
      guard coded == reduction.source else {
        throw .damaged("the size is \(coded) in the file, \(reduction.source) was expected")
      }
      let channels = png.info.channels <= 2 ? 1 : 3
      var scaler = RowScaler(reduction, channels: channels)
      let hasAlpha = png.info.channels == 2 || png.info.channels == 4
      var opaque = [UInt8](repeating: 0, count: hasAlpha ? coded.width * channels : 0)
      let ended = try readRows(png, height: coded.height, checkpoint: checkpoint) { row in
        if hasAlpha {
          flattenOverWhite(row, colours: channels, into: &opaque)
          scaler.push(opaque.span)
        } else {
          scaler.push(row)
        }
        return !scaler.isDone
      }
      let report = png.report
      return ReducedPicture(
        size: reduction.output, channels: channels, bytes: scaler.finish(missing: 128),
        profile: png.profile(limit: limits.profile),
        warning: ended ?? Self.warning(report),
        isComplete: ended == nil && !report.checksum_wrong)
    }
  }

  /// Reads the whole picture: nil if every row is there, else what is missing.
  func missingRows(
    _ bytes: [UInt8], checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> String? {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      let png = try unsafe PNGHandle(buffer, limits: limits)
      let ended = try readRows(
        png, height: Int(png.info.height), checkpoint: checkpoint, take: { _ in true })
      return ended ?? (png.report.checksum_wrong ? Self.warning(png.report) : nil)
    }
  }

  /// Hands over the rows from the top, until `take` wants no more.
  ///
  /// Returns nil, or why they ended early; throws if not one came.
  private func readRows(
    _ png: borrowing PNGHandle, height: Int, checkpoint: () throws(CodecError) -> Void,
    take: (Span<UInt8>) -> Bool
  ) throws(CodecError) -> String? {
    let stride = png.info.row_bytes
    let isInterlaced = png.info.passes > 1
    var rows = [UInt8](
      repeating: 128, count: stride * (isInterlaced ? height : min(height, Self.bandRows)))
    var fault: String?
    if isInterlaced {
      fault = try readPasses(png, height: height, rows: &rows, checkpoint: checkpoint)
    }
    var done = 0
    var isWanted = true
    while done < height, isWanted {
      try checkpoint()
      var count = min(Self.bandRows, height - done)
      if !isInterlaced {
        do {
          count = try png.read(into: &rows, at: 0, count: count)
        } catch .damaged(let reason) where done > 0 {
          return "the picture ends at row \(done): \(reason)"
        }
        if count == 0 { return "the decoder gave no more rows" }
      }
      let base = isInterlaced ? done * stride : 0
      for row in 0..<count where isWanted {
        isWanted = take(rows.span.extracting(base + row * stride..<base + (row + 1) * stride))
      }
      done += count
    }
    if fault == nil, done == height { png.finish() }
    return fault
  }

  private func readPasses(
    _ png: borrowing PNGHandle, height: Int, rows: inout [UInt8],
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> String? {
    for pass in 0..<Int(png.info.passes) {
      var done = 0
      while done < height {
        try checkpoint()
        do {
          let count = try png.read(
            into: &rows, at: done * png.info.row_bytes, count: min(Self.bandRows, height - done))
          if count == 0 { return "the decoder gave no more rows" }
          done += count
        } catch .damaged(let reason) where pass > 0 || done > 0 {
          return "the picture ends in pass \(pass + 1) of 7: \(reason)"
        }
      }
    }
    return nil
  }

  private static func warning(_ report: cimg_png_report) -> String? {
    guard report.warnings > 0 else { return nil }
    let first = string(report.first_warning)
    return report.warnings == 1 ? first : "\(first) (and \(report.warnings - 1) more)"
  }
}
