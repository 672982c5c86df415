import CImageCodecs
package import PhotoModel

/// pixels -> a JPEG or PNG file, sRGB implied, without metadata.
///
/// Stateless and thread-safe.
package enum ImageEncoder {
  /// JPEG's frame header could say 65,535; libjpeg stops here.
  private static let largestJPEGSide = 65_500

  /// Up to this many pixels a side, chroma is kept whole.
  private static let smallSide = 128

  /// Encodes baseline JPEG of `quality` 1 to 100 (libjpeg's scale; others are clamped).
  ///
  /// Chroma is halved on both axes up to quality 85, across only up to 90, and kept above. It is kept in
  /// small pictures too: there it costs few bytes, and a detail of few pixels is all colour.
  ///
  /// - Throws: ``CodecError/encodingFailed(_:)`` for RGBA, which JPEG cannot hold, and for sides
  ///   above 65,500 pixels.
  package static func jpeg(
    _ pixels: PixelBuffer, quality: Int
  ) throws(CodecError) -> [UInt8] {
    guard pixels.channels != 4 else { throw .encodingFailed("JPEG has no alpha channel") }
    guard max(pixels.size.width, pixels.size.height) <= largestJPEGSide else {
      throw .encodingFailed("\(pixels.size) pixels; JPEG holds \(largestJPEGSide) a side")
    }
    let quality = min(max(1, quality), 100)
    let isSmall = max(pixels.size.width, pixels.size.height) <= smallSide
    let (horizontal, vertical): (Int32, Int32) =
      isSmall || quality > 90 ? (1, 1) : quality <= 85 ? (2, 2) : (2, 1)
    return try unsafe run(pixels) { bytes, size, error in
      unsafe cimg_jpeg_encode(
        bytes, UInt32(pixels.size.width), UInt32(pixels.size.height), Int32(pixels.channels),
        Int32(quality), horizontal, vertical, size, error)
    }
  }

  /// Encodes 8-bit PNG, grey, RGB or RGBA.
  package static func png(_ pixels: PixelBuffer) throws(CodecError) -> [UInt8] {
    // The largest that the format knows (ISO/IEC 15948, 11.2.2).
    guard max(pixels.size.width, pixels.size.height) <= Int(Int32.max) else {
      throw .encodingFailed("\(pixels.size) pixels are more than PNG holds")
    }
    return try unsafe run(pixels) { bytes, size, error in
      unsafe cimg_png_encode(
        bytes, UInt32(pixels.size.width), UInt32(pixels.size.height), Int32(pixels.channels), size,
        error)
    }
  }

  /// Encodes in the form that a recipe asks for.
  package static func encode(
    _ pixels: PixelBuffer, as encoding: ThumbnailRecipe.Encoding
  ) throws(CodecError) -> [UInt8] {
    switch encoding {
    case .jpeg(let quality): try jpeg(pixels, quality: quality)
    case .png: try png(pixels)
    }
  }

  private static func run(
    _ pixels: PixelBuffer,
    _ encode: (
      UnsafePointer<UInt8>, UnsafeMutablePointer<Int>, UnsafeMutablePointer<cimg_error>
    ) -> UnsafeMutablePointer<UInt8>?
  ) throws(CodecError) -> [UInt8] {
    var size = 0
    var error = cimg_error()
    let file = unsafe pixels.bytes.withUnsafeBufferPointer {
      bytes -> UnsafeMutablePointer<UInt8>? in
      guard let base = bytes.baseAddress else { return nil }
      return unsafe encode(base, &size, &error)
    }
    guard let file = unsafe file else { throw .encodingFailed(string(error.message)) }
    defer { unsafe cimg_free(file) }
    return unsafe [UInt8](UnsafeBufferPointer(start: file, count: size))
  }
}
