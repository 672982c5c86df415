import ImageContainer
import PhotoModel

/// PNG by our own code: ISA-L inflates into a band of rows that are unfiltered, converted and scaled while
/// they are in the cache.
///
/// It takes whole files only, and answers nil where anything is wrong or unusual: the reference path then
/// shows what there is. All CRCs are verified before the first row, and with the last row the Adler-32.
struct PNGFastDecoder {
  let limits: DecodeLimits

  /// Rows of a band, between two questions whether to go on; a multiple of the wavefront's rows.
  private static let bandRows = 16

  /// Bytes that decoding allocates, apart from the file's and the scaler's.
  static func memory(_ structure: ImageStructure, _ reduction: Reduction) -> Int {
    let samples = structure.components
    let rowBytes = (reduction.source.width * samples * structure.bitDepth + 7) / 8
    let band = PNGBand.memory(rowBytes: rowBytes, capacity: bandRows) + reduction.source.width * 4
    let grid =
      structure.isProgressive ? PNGInterlaceGrid(reduction).size.pixelCount * 3 : 0
    // Inflate's state; palette and table; a profile is unpacked by libpng, at most to a chunk's limit,
    // and copied.
    let hasProfile = structure.segments.contains { $0.chunkType == "iCCP" }
    return band + grid + (256 << 10) + (hasProfile ? 12 << 20 : 0)
  }

  /// Decodes and scales, or nil.
  func reduce(
    _ bytes: [UInt8], _ reduction: Reduction, checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> ReducedPicture? {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> ReducedPicture? in
      guard let file = unsafe PNGFile(buffer, limits: limits), file.size == reduction.source,
        var inflater = unsafe PNGInflater(buffer, firstData: file.firstData)
      else { return nil }
      var profile: [UInt8]?
      if file.hasProfile {
        // libpng judges it. What it refuses, it refuses again on the reference path.
        do throws(CodecError) {
          profile = try unsafe PNGHandle(buffer, limits: limits).profile(limit: limits.profile)
        } catch {
          return nil
        }
      }
      let pixels = PNGPixelRow(file)
      let result =
        file.isInterlaced
        ? try interlaced(file, &inflater, pixels, reduction, checkpoint)
        : try streamed(file, &inflater, pixels, reduction, checkpoint)
      guard let result else { return nil }
      return ReducedPicture(
        size: reduction.output, channels: pixels.channels, bytes: result, profile: profile)
    }
  }

  /// Whether every row is there and every checksum right.
  ///
  /// Rows are inflated and not unfiltered.
  func isWhole(
    _ bytes: [UInt8], checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> Bool {
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(CodecError) -> Bool in
      guard let file = unsafe PNGFile(buffer, limits: limits),
        var inflater = unsafe PNGInflater(buffer, firstData: file.firstData)
      else { return false }
      for pass in file.isInterlaced ? PNGPass.all : [.whole] {
        let size = pass.size(in: file.size)
        if size.width == 0 { continue }
        let band = Self.band(file, width: size.width)
        var done = 0
        while done < size.height {
          try checkpoint()
          let count = min(Self.bandRows, size.height - done)
          guard band.skip(&inflater, count: count) else { return false }
          done += count
        }
      }
      return inflater.isAtEnd()
    }
  }

  /// The scaled picture, or nil.
  private func streamed(
    _ file: PNGFile, _ inflater: inout PNGInflater, _ pixels: PNGPixelRow, _ reduction: Reduction,
    _ checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> [UInt8]? {
    var scaler = RowScaler(reduction, channels: pixels.channels)
    let isGood = try rows(file, .whole, &inflater, pixels, checkpoint) { row, _ in
      scaler.push(row)
      return !scaler.isDone
    }
    // Where the result needs no more rows they are not inflated.
    guard isGood, scaler.rowsLeft > 0 || inflater.isAtEnd() else { return nil }
    return scaler.finish(missing: 128)
  }

  private func interlaced(
    _ file: PNGFile, _ inflater: inout PNGInflater, _ pixels: PNGPixelRow, _ reduction: Reduction,
    _ checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> [UInt8]? {
    let grid = PNGInterlaceGrid(reduction)
    let channels = pixels.channels
    let stride = grid.size.width * channels
    var picture = [UInt8](repeating: 0, count: stride * grid.size.height)
    for pass in grid.passes {
      let across = pass.across / grid.step
      let isGood = try rows(file, pass, &inflater, pixels, checkpoint) { row, y in
        var place =
          (pass.row + y * pass.down) / grid.step * stride
          + pass.column / grid.step * channels
        var picture = picture.mutableSpan
        for start in Swift.stride(from: 0, to: row.count, by: channels) {
          for channel in 0..<channels { picture[place + channel] = row[start + channel] }
          place += across * channels
        }
        return true
      }
      guard isGood else { return nil }
    }
    guard grid.step > 1 || inflater.isAtEnd() else { return nil }
    var scaler = RowScaler(grid.reduction(reduction), channels: channels)
    for y in 0..<grid.size.height {
      if y % Self.bandRows == 0 { try checkpoint() }
      scaler.push(picture.span.extracting(y * stride..<(y + 1) * stride))
    }
    return scaler.finish(missing: 128)
  }

  /// Hands over the rows of a pass with their numbers until `take` wants no more.
  ///
  /// False where the data is damaged or unusual.
  private func rows(
    _ file: PNGFile, _ pass: PNGPass, _ inflater: inout PNGInflater, _ pixels: PNGPixelRow,
    _ checkpoint: () throws(CodecError) -> Void, take: (Span<UInt8>, Int) -> Bool
  ) throws(CodecError) -> Bool {
    let size = pass.size(in: file.size)
    guard size.width > 0 else { return true }
    var band = Self.band(file, width: size.width)
    let length = size.width * pixels.channels
    var converted = [UInt8](repeating: 0, count: pixels.isPlain ? 0 : length)
    var done = 0
    while done < size.height {
      try checkpoint()
      let count = min(Self.bandRows, size.height - done)
      guard band.read(&inflater, count: count) else { return false }
      for row in 0..<count {
        let isWanted: Bool? = unsafe band.withRow(row) { start in
          if pixels.isPlain {
            return unsafe take(UnsafeBufferPointer(start: start, count: length).span, done + row)
          }
          let isKnown = unsafe converted.withUnsafeMutableBufferPointer { output in
            guard let base = output.baseAddress else { return false }
            return unsafe pixels.convert(start, pixels: size.width, into: base)
          }
          return isKnown ? take(converted.span, done + row) : nil
        }
        guard let isWanted else { return false }
        if !isWanted { return true }
      }
      band.moveOn(after: count)
      done += count
    }
    return true
  }

  private static func band(_ file: PNGFile, width: Int) -> PNGBand {
    let bits = file.colourType.samples * file.depth
    return PNGBand(
      rowBytes: (width * bits + 7) / 8, pixelBytes: max(1, bits / 8), capacity: bandRows)
  }
}
