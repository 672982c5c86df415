import CImageCodecs
import PhotoModel

/// JPEG by libjpeg-turbo: every kind of file that it knows, at the speed of its entropy decoder.
struct JPEGReferenceDecoder {
  let limits: DecodeLimits
  /// Bytes that the coefficients of a picture of several scans may take.
  let coefficientMemory: Int

  /// Rows read between two questions whether to go on.
  static let bandRows = 16

  /// Decodes at the scale that suits the reduction, then scales.
  ///
  /// Of a damaged file whatever can be shown comes out, with a warning; the rest is mid-grey.
  func reduce(
    _ bytes: [UInt8], _ reduction: Reduction, checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> ReducedPicture {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      let jpeg = try unsafe JPEGHandle(
        buffer, limits: limits, coefficientMemory: coefficientMemory)
      let coded = PixelSize(width: Int(jpeg.info.width), height: Int(jpeg.info.height))
      guard coded == reduction.source else {
        throw .damaged("the size is \(coded) in one frame header, \(reduction.source) in another")
      }
      let denominator = JPEGScale.denominator(for: reduction)
      let start = try jpeg.start(denominator: denominator, coarse: true)
      let size = PixelSize(width: start.width, height: start.height)
      try takeInScans(jpeg, checkpoint: checkpoint)

      let channels = Int(jpeg.info.channels)
      var scaler = RowScaler(reduction.scaled(by: denominator, size: size), channels: channels)
      let ended = try readRows(jpeg, size: size, checkpoint: checkpoint) { row in
        scaler.push(row)
        return !scaler.isDone
      }
      let report = jpeg.report
      return ReducedPicture(
        size: reduction.output, channels: channels, bytes: scaler.finish(missing: 128),
        profile: jpeg.profile(),
        warning: Self.fault(report, ended, size, denominator) ?? Self.warning(report),
        isComplete: ended == nil && !report.data_missing)
    }
  }

  /// Reads the whole picture at the smallest scale: nil if every row is there, else what is
  /// missing.
  func missingRows(
    _ bytes: [UInt8], checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> String? {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) in
      let jpeg = try unsafe JPEGHandle(
        buffer, limits: limits, coefficientMemory: coefficientMemory)
      let start = try jpeg.start(denominator: 8, coarse: false)
      let size = PixelSize(width: start.width, height: start.height)
      try takeInScans(jpeg, checkpoint: checkpoint)
      if jpeg.info.multiple_scans {
        let report = jpeg.report
        if report.scans_missing { return "the file ends before its last scan" }
        return report.data_missing ? "picture data is missing" : nil
      }
      let ended = try readRows(jpeg, size: size, checkpoint: checkpoint, take: { _ in true })
      return Self.fault(jpeg.report, ended, size, 8)
    }
  }

  /// Reads the scans of a picture that has several.
  ///
  /// A fault among them ends the reading, not the picture.
  private func takeInScans(
    _ jpeg: borrowing JPEGHandle, checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) {
    guard jpeg.info.multiple_scans else { return }
    do {
      repeat { try checkpoint() } while try !jpeg.consume(steps: Self.bandRows)
    } catch .damaged(let reason) {
      do {
        try jpeg.endInput()
      } catch {
        throw .damaged(reason)
      }
    }
  }

  /// Hands over the rows until `take` wants no more.
  ///
  /// Returns nil, or why and where they ended early; throws if not one came.
  private func readRows(
    _ jpeg: borrowing JPEGHandle, size: PixelSize, checkpoint: () throws(CodecError) -> Void,
    take: (Span<UInt8>) -> Bool
  ) throws(CodecError) -> (row: Int, reason: String)? {
    let stride = size.width * Int(jpeg.info.channels)
    var band = [UInt8](repeating: 0, count: stride * Self.bandRows)
    var done = 0
    var isWanted = true
    while done < size.height, isWanted {
      try checkpoint()
      let count: Int
      do {
        count = try jpeg.read(into: &band, stride: stride, count: Self.bandRows)
      } catch .damaged(let reason) where done > 0 {
        return (done, reason)
      }
      if count == 0 { return (done, "the decoder gave no more rows") }
      for row in 0..<count where isWanted {
        isWanted = take(band.span.extracting(row * stride..<(row + 1) * stride))
      }
      done += count
    }
    return nil
  }

  /// Says which rows are missing, in the rows of the full picture.
  private static func fault(
    _ report: cimg_jpeg_report, _ ended: (row: Int, reason: String)?, _ size: PixelSize,
    _ denominator: Int
  ) -> String? {
    if let ended {
      return "the picture ends at row \(ended.row * denominator): \(ended.reason)"
    }
    guard report.data_missing else { return nil }
    return report.data_ended_at >= 0
      ? "picture data is missing from about row \(Int(report.data_ended_at) * denominator)"
      : "picture data is missing"
  }

  private static func warning(_ report: cimg_jpeg_report) -> String? {
    guard report.warnings > 0 else { return nil }
    let first = string(report.first_warning)
    return report.warnings == 1 ? first : "\(first) (and \(report.warnings - 1) more)"
  }
}
