import FoundationEssentials

/// A decoder of our own that is fuzzed against the library that it stands in for.
enum FuzzTarget: String, CaseIterable {
  /// The pixels of PNG files.
  case pngPixels = "png-pixels"
  /// The scans of JPEG files.
  case jpegScan = "jpeg-scan"

  /// The one that the environment names.
  static var chosen: FuzzTarget? {
    ProcessInfo.processInfo.environment["PHOTOLIB_FUZZ_TARGET"].flatMap(FuzzTarget.init)
  }

  /// Decodes the bytes as this target, and stops the process where the two do not agree.
  func examine(_ bytes: [UInt8]) {
    switch self {
    case .pngPixels: PNGPixels.examine(bytes)
    case .jpegScan: JPEGScanTarget.examine(bytes)
    }
  }
}
