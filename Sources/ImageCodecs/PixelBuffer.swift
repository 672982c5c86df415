package import PhotoModel

/// 8-bit sRGB pixels, rows packed, top left first.
package struct PixelBuffer: Hashable, Sendable {
  package let size: PixelSize
  /// 1 (grey), 3 (RGB) or 4 (RGBA, straight alpha).
  package let channels: Int
  package let bytes: [UInt8]

  /// Takes `width * height * channels` bytes.
  package init(size: PixelSize, channels: Int, bytes: [UInt8]) {
    precondition([1, 3, 4].contains(channels), "a pixel has 1, 3 or 4 channels")
    let (count, overflow) = size.pixelCount.multipliedReportingOverflow(by: channels)
    precondition(
      size.width > 0 && size.height > 0 && !overflow && bytes.count == count,
      "a pixel buffer holds width * height * channels bytes")
    self.size = size
    self.channels = channels
    self.bytes = bytes
  }
}
