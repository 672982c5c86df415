package import ImageContainer
package import PhotoModel

/// Limits of decoding one picture, and of the process.
package struct DecodeLimits: Hashable, Sendable {
  package var maximumSide: Int = 65_500          // pixels
  package var maximumPixels: Int = 300_000_000
  package var maximumScans: Int = 100
  package var memory: Int = 320 << 20            // bytes, for the process
  package var cpuSeconds: Int = 10               // of CPU time, a picture
  /// One decode may use four fifths of the memory.
  package var memoryPerDecode: Int { memory / 5 * 4 }
  package init() {}
}

/// The one budget of decoding memory of a process. Charged before allocation; others wait their turn.
package final class DecodeBudget: Sendable {
  package let limits: DecodeLimits
  package init(limits: DecodeLimits = DecodeLimits()) { fatalError("contract") }
  /// Waits (blocking; call on a Dispatch queue, never on the cooperative pool) until `bytes` are free, runs
  /// `body`, gives them back. Throws CodecError.overBudget naming both numbers if it can never be had.
  /// FIFO, so that a big one is not starved.
  package func withReservation<R>(of bytes: Int, _ body: () throws(CodecError) -> R) throws(CodecError) -> R { fatalError("contract") }
  package var bytesInUse: Int { fatalError("contract") }
}

package enum CodecError: Error, Hashable, Sendable {
  case damaged(String)
  case unsupported(String)
  case overLimit(String)       // pixels, side, scans, memory, cpu: the text names both numbers
  case cancelled
  case encodingFailed(String)
  package var message: String { fatalError("contract") }
}

/// 8-bit sRGB pixels, rows packed, top left first.
package struct PixelBuffer: Hashable, Sendable {
  package let size: PixelSize
  /// 1 (grey), 3 (RGB) or 4 (RGBA, straight alpha)
  package let channels: Int
  package let bytes: [UInt8]
  package init(size: PixelSize, channels: Int, bytes: [UInt8]) { fatalError("contract") }
}

package struct DecodedPicture: Sendable {
  /// RGB, upright, sRGB, alpha composited over white, exactly the target's size.
  package let pixels: PixelBuffer
  /// What was wrong though a picture came out (libjpeg warnings, rows missing ...), or nil.
  package let warning: String?
  /// False where rows are missing.
  package let isComplete: Bool
}

/// The size of a thumbnail: never enlarged; fit: whole picture inside, aspect kept, at least 1x1;
/// fill: size covered and cut evenly (a source smaller than the size is only cropped).
package struct ThumbnailGeometry: Hashable, Sendable {
  package let outputSize: PixelSize
  /// Which part of the upright source is shown, in source pixels.
  package let cropX, cropY, cropWidth, cropHeight: Double
  package init(source: PixelSize, recipe: ThumbnailRecipe) { fatalError("contract") }
}

/// bytes -> thumbnail pixels. Thread-safe, stateless but for the budget and the transform cache.
package final class ThumbnailDecoder: Sendable {
  package init(budget: DecodeBudget) { fatalError("contract") }
  /// Bytes of memory that decoding needs at most, by declared size and process (file bytes included), or an
  /// error if the picture is over a limit. Called before anything is allocated.
  package func requiredMemory(_ structure: ImageStructure, fileSize: Int, recipe: ThumbnailRecipe) throws(CodecError) -> Int { fatalError("contract") }
  /// Reads and decodes. Charges the budget (waits). `isCancelled` is asked at least once a 16-row band.
  package func decode(
    _ source: some ByteSource, structure: ImageStructure, orientation: Orientation, recipe: ThumbnailRecipe,
    isCancelled: @Sendable () -> Bool
  ) throws(CodecError) -> DecodedPicture { fatalError("contract") }
  /// Decodes at the smallest scale only to see whether all rows are there. nil: all there; else why not.
  package func missingRows(_ source: some ByteSource, structure: ImageStructure) throws(CodecError) -> String? { fatalError("contract") }
}

package enum ImageEncoder {
  /// 4:2:0 at 85 and below, 4:4:4 above 90 ...; sRGB implied, no metadata. Grey or RGB.
  package static func jpeg(_ pixels: PixelBuffer, quality: Int) throws(CodecError) -> [UInt8] { fatalError("contract") }
  package static func png(_ pixels: PixelBuffer) throws(CodecError) -> [UInt8] { fatalError("contract") }
  package static func encode(_ pixels: PixelBuffer, as encoding: ThumbnailRecipe.Encoding) throws(CodecError) -> [UInt8] { fatalError("contract") }
}
