import PhotoModel

/// A picture at target size, in its stored orientation and the file's own colours.
struct ReducedPicture {
  var size: PixelSize
  /// 1 grey, 3 RGB, 4 CMYK of a JPEG file, where 255 means no ink.
  var channels: Int
  var bytes: [UInt8]
  var profile: [UInt8]?
  var warning: String?
  var isComplete = true

  /// Converts to sRGB by the embedded profile; without a usable one, grey and RGB are taken as sRGB
  /// and CMYK is converted the plain way (ink on white).
  func rgb(_ transforms: TransformCache) -> [UInt8] {
    // Here 255 is full ink, as lcms2 wants it. Adobe's programs store the inverse, both as CMYK and
    // as YCCK (which libjpeg turns into such CMYK), and say so by a marker; of the few files
    // without one browsers, libvips and Pillow assume the same.
    let pixels = channels == 4 ? bytes.map { ~$0 } : bytes
    if let profile, !profile.isEmpty,
      case .transform(let transform) = transforms.entry(profile: profile, channels: channels)
    {
      return transform.rgb(pixels)
    }
    switch channels {
    case 1:
      var result: [UInt8] = []
      result.reserveCapacity(pixels.count * 3)
      for value in pixels {
        result.append(value)
        result.append(value)
        result.append(value)
      }
      return result
    case 3:
      return pixels
    default:
      var result: [UInt8] = []
      result.reserveCapacity(pixels.count / 4 * 3)
      for start in stride(from: 0, to: pixels.count - 3, by: 4) {
        let light = 255 - Int(pixels[start + 3])
        for ink in pixels[start..<start + 3] {
          result.append(UInt8(((255 - Int(ink)) * light + 127) / 255))
        }
      }
      return result
    }
  }
}
