import CColor

/// The way from a profile's colours to sRGB, ready to run on any thread.
///
/// `@unchecked Sendable`: the C object does not change once it is made (lcms2 transforms have no
/// state without their one-pixel cache, which is switched off), and this class only reads the
/// pointer.
@safe
final class ColorTransform: @unchecked Sendable {
  private let handle: OpaquePointer
  private let channels: Int

  /// Nil if the profile is broken, or does not fit pixels of `channels` channels (1 grey, 3 RGB, 4
  /// CMYK with 255 for full ink).
  init?(profile: [UInt8], channels: Int) {
    var reason = [CChar](repeating: 0, count: 200)
    let handle: OpaquePointer? = unsafe profile.withUnsafeBufferPointer { bytes in
      unsafe reason.withUnsafeMutableBufferPointer { text -> OpaquePointer? in
        guard let base = bytes.baseAddress, let first = text.baseAddress else { return nil }
        return unsafe ccolor_open(base, bytes.count, Int32(channels), first, text.count)
      }
    }
    guard let handle = unsafe handle else { return nil }
    unsafe self.handle = unsafe handle
    self.channels = channels
  }

  deinit { unsafe ccolor_close(handle) }

  /// `pixels` holds whole pixels; the result has three bytes for each.
  func rgb(_ pixels: [UInt8]) -> [UInt8] {
    let count = pixels.count / channels
    return unsafe [UInt8](unsafeUninitializedCapacity: count * 3) { output, initialized in
      unsafe pixels.withUnsafeBufferPointer { input in
        guard count > 0, let source = input.baseAddress, let target = output.baseAddress else {
          return
        }
        unsafe ccolor_run(handle, source, target, count)
        initialized = count * 3
      }
    }
  }

  /// Whether it changes nothing that anyone could see: probe colours all stay within one level.
  func isIdentity() -> Bool {
    let levels: [UInt8] = [0, 16, 51, 102, 128, 153, 204, 238, 255]
    var probes: [UInt8] = []
    switch channels {
    case 1: probes = levels
    case 3:
      for red in levels {
        for green in levels {
          for blue in levels { probes += [red, green, blue] }
        }
      }
    default: return false
    }
    let results = rgb(probes)
    return results.indices.allSatisfy { index in
      let before = channels == 1 ? probes[index / 3] : probes[index]
      return abs(Int(results[index]) - Int(before)) <= 1
    }
  }
}
