import CJPEGOracle
import ImageCodecs
import PhotoModel

/// The planes that our own JPEG decoder makes, against libjpeg-turbo's coefficients.
///
/// Where libjpeg-turbo complains there must be no planes, but for damage in those scans of a progressive
/// picture that nobody looks at for a mean: its planes must be the same then.
enum JPEGScanTarget {
  /// What is large only makes each try slow.
  private static let mostPixels = 1 << 16
  private static let decoder = FastJPEGDecoder(limits: DecodeLimits())
  /// The same, but that small pictures have all that large ones have.
  private static let tinyDecoder = FastJPEGDecoder(limits: DecodeLimits(), segments: .tiny)

  static func examine(_ file: [UInt8]) {
    guard let size = JPEGParts(file)?.size, size.width * size.height <= mostPixels else { return }
    let answers = [1, 2, 4].map { side in
      (
        side: side,
        planes: try? decoder.planes(file, size: size, samplesPerBlock: side, coarse: side)
      )
    }
    for (side, planes) in answers {
      let others = try? tinyDecoder.planes(file, size: size, samplesPerBlock: side, coarse: side)
      precondition(planes == others, "1/\(8 / side): another answer from tiny segments")
    }
    guard answers.contains(where: { $0.planes != nil }) else { return }
    var verdict = cjpeg_oracle_verdict()
    let oracle = unsafe file.withUnsafeBufferPointer { file in
      unsafe file.baseAddress.flatMap {
        unsafe cjpeg_oracle_read($0, file.count, 1 << 14, &verdict)
      }
    }
    defer { unsafe cjpeg_oracle_close(oracle) }
    if verdict.too_large { return }
    guard let oracle = unsafe oracle else {
      preconditionFailure("planes of a file that libjpeg refuses: \(text(verdict))")
    }
    let isProgressive = JPEGParts(file)?.isProgressive == true
    precondition(
      verdict.warnings == 0 || isProgressive, "planes although libjpeg warns: \(text(verdict))")
    for case (let side, let planes?) in answers {
      for (index, samples) in planes.enumerated() {
        unsafe check(samples, of: index, side: side, size: size, oracle)
      }
    }
  }

  private static func check(
    _ samples: [UInt16], of index: Int, side: Int, size: PixelSize, _ oracle: OpaquePointer
  ) {
    let components = unsafe (0..<cjpeg_oracle_component_count(oracle)).map {
      unsafe cjpeg_oracle_component_at(oracle, $0)
    }
    let widest = components.map { Int($0.horizontal) }.max() ?? 1
    let tallest = components.map { Int($0.vertical) }.max() ?? 1
    let (across, down) = (Int(components[index].horizontal), Int(components[index].vertical))
    let stride = ceiling(size.width, 8 * widest) * across * side
    let width = ceiling(size.width * across * side, 8 * widest)
    let height = ceiling(size.height * down * side, 8 * tallest)
    precondition(samples.count >= stride * height, "too few samples")
    let worst = unsafe samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return -1.0 }
      return unsafe cjpeg_oracle_difference(
        oracle, Int32(index), Int32(side), base, Int32(stride), Int32(width), Int32(height))
    }
    precondition(worst >= 0, "libjpeg could not decode a component")
    precondition(
      worst <= (side == 1 ? 0 : 1), "1/\(8 / side): component \(index) differs by \(worst)")
  }

  private static func ceiling(_ value: Int, _ divisor: Int) -> Int {
    (value + divisor - 1) / divisor
  }

  private static func text(_ verdict: cjpeg_oracle_verdict) -> String {
    unsafe withUnsafeBytes(of: verdict.text) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
