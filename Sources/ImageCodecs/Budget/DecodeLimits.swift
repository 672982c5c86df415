package import PhotoModel

/// Limits of decoding one picture, and of the process.
package struct DecodeLimits: Hashable, Sendable {
  /// Pixels, as coded.
  package var maximumSide: Int = 65_500
  /// As coded, before any reduction.
  package var maximumPixels: Int = 300_000_000
  package var maximumScans: Int = 100
  /// Bytes, for all decodes of the process together.
  package var memory: Int = 320 << 20
  /// Of CPU time, a picture.
  package var cpuSeconds: Int = 10

  /// One decode may use four fifths of the memory.
  package var memoryPerDecode: Int { memory / 5 * 4 }

  package init() {}

  /// Bytes of one PNG chunk, as stored and unpacked; libpng's own default.
  var pngChunk: Int { 8 << 20 }
  /// Bytes of an ICC profile; the largest that printers ship are under 3 MB.
  var profile: Int { 4 << 20 }
  /// Faults in one picture after which the rest of it is given up.
  var warnings: Int { 1000 }

  /// Looks whether a picture of that size may be decoded, by side and pixels.
  ///
  /// - Throws: ``CodecError/overLimit(_:)``; ``CodecError/damaged(_:)`` where a side is 0.
  package func check(_ size: PixelSize) throws(CodecError) {
    guard size.width > 0, size.height > 0 else {
      throw .damaged("a picture of \(size) pixels")
    }
    guard max(size.width, size.height) <= maximumSide else {
      throw .overLimit("\(size) pixels; a side may have \(maximumSide)")
    }
    guard size.pixelCount <= maximumPixels else {
      throw .overLimit("\(size) are \(size.pixelCount) pixels; \(maximumPixels) are allowed")
    }
  }
}
