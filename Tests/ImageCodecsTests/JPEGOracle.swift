import CJPEGOracle
import Foundation
import PhotoModel

@testable import ImageCodecs

/// What libjpeg-turbo finds in a JPEG file.
@safe
final class JPEGOracle {
  /// The error or the first warning; nil where there is none.
  private(set) var complaint: String?
  private(set) var isTooLarge = false
  private let picture: OpaquePointer?

  /// Reads a file as a whole, to its end marker.
  init(_ file: [UInt8], mostBlocks: Int64 = 1 << 20) {
    var verdict = cjpeg_oracle_verdict()
    unsafe picture = unsafe file.withUnsafeBufferPointer { file in
      guard let base = file.baseAddress else { return nil }
      return unsafe cjpeg_oracle_read(base, file.count, mostBlocks, &verdict)
    }
    isTooLarge = verdict.too_large
    if verdict.failed || verdict.warnings > 0 {
      complaint = unsafe withUnsafeBytes(of: verdict.text) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
  }

  deinit { unsafe cjpeg_oracle_close(picture) }

  /// Nil where libjpeg-turbo gave up.
  var size: PixelSize? {
    guard let picture = unsafe picture else { return nil }
    return unsafe PixelSize(
      width: Int(cjpeg_oracle_width(picture)), height: Int(cjpeg_oracle_height(picture)))
  }

  /// The largest difference to what is right: at 1/8 to libjpeg-turbo's own result of a picture of
  /// that component alone, else to the exact inverse transform.
  ///
  /// Infinite where there is nothing to compare.
  func difference(of plane: ReducedPlane, component: Int) -> Double {
    guard let picture = unsafe picture,
      unsafe component < Int(cjpeg_oracle_component_count(picture)),
      plane.samples.count >= plane.stride * plane.size.height, plane.size.width <= plane.stride
    else { return .infinity }
    let worst = unsafe plane.samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return -1.0 }
      return unsafe cjpeg_oracle_difference(
        picture, Int32(component), Int32(plane.samplesPerBlock), base, Int32(plane.stride),
        Int32(plane.size.width), Int32(plane.size.height))
    }
    return worst < 0 ? .infinity : worst
  }

  /// The coefficients of a component in natural order, block by block.
  func coefficients(component: Int) -> [Int16] {
    guard let picture = unsafe picture else { return [] }
    let size = unsafe cjpeg_oracle_component_at(picture, Int32(component))
    let start = unsafe cjpeg_oracle_coefficients(picture, Int32(component))
    return unsafe Array(
      UnsafeBufferPointer(start: start, count: Int(size.blocks_across * size.blocks_down) * 64))
  }
}

/// A JPEG file that libjpeg-turbo makes.
struct JPEGRecipe: CustomStringConvertible {
  struct Sampling {
    let name: String
    let horizontal: [Int]
    let vertical: [Int]

    /// Blocks that a component has in a picture of that size (T.81 A.2.2).
    func blocks(_ component: Int, width: Int, height: Int) -> Int {
      func count(_ length: Int, _ factors: [Int]) -> Int {
        let unit = 8 * (factors.max() ?? 1)
        return (length * factors[component] + unit - 1) / unit
      }
      return count(width, horizontal) * count(height, vertical)
    }
  }

  static let samplings = [
    Sampling(name: "4:2:0", horizontal: [2, 1, 1], vertical: [2, 1, 1]),
    Sampling(name: "4:4:4", horizontal: [1, 1, 1], vertical: [1, 1, 1]),
    Sampling(name: "grey", horizontal: [1], vertical: [1]),
    Sampling(name: "4:2:2", horizontal: [2, 1, 1], vertical: [1, 1, 1]),
    Sampling(name: "4:4:0", horizontal: [1, 1, 1], vertical: [2, 1, 1]),
    Sampling(name: "4:1:1", horizontal: [4, 1, 1], vertical: [1, 1, 1]),
    Sampling(name: "4:1:0", horizontal: [4, 1, 1], vertical: [2, 1, 1]),
    Sampling(name: "grey 2x2", horizontal: [2], vertical: [2]),
    Sampling(name: "1-2-1", horizontal: [1, 2, 1], vertical: [1, 1, 1]),
    Sampling(name: "2-1-2", horizontal: [2, 1, 2], vertical: [1, 2, 2]),
    Sampling(name: "4:4:4 of 2x1", horizontal: [2, 2, 2], vertical: [1, 1, 1]),
  ]

  enum Content: CaseIterable {
    /// Any level anywhere.
    case noise
    /// Only 0 and 255.
    case extremes
    case smooth
    case flat
  }

  var width = 24
  var height = 24
  var sampling = samplings[0]
  var content = Content.noise
  var quality = 75
  var quantiser = 0
  var restartInterval = 0
  var isOptimised = false
  var isOneScanPerComponent = false
  var isProgressive = false
  var isArithmetic = false
  var isRGB = false
  var seed: UInt64 = 1

  var components: Int { sampling.horizontal.count }

  var description: String {
    "\(width)x\(height) \(sampling.name) \(content) quality \(quality) restart \(restartInterval)"
      + (isOptimised ? " optimised" : "") + (isOneScanPerComponent ? " scans" : "")
      + (isProgressive ? " progressive" : "") + (isRGB ? " rgb" : "")
  }

  func file() -> [UInt8]? {
    let pixels = pixels()
    return unsafe made { recipe, count in
      unsafe pixels.withUnsafeBufferPointer { pixels in
        unsafe pixels.baseAddress.flatMap { unsafe cjpeg_oracle_encode(recipe, $0, count) }
      }
    }
  }

  /// A file with these coefficients, 64 a block, one component behind the other.
  func file(coefficients: [Int16]) -> [UInt8]? {
    let blocks = (0..<components).reduce(0) {
      $0 + sampling.blocks($1, width: width, height: height)
    }
    guard coefficients.count == blocks * 64 else { return nil }
    return unsafe made { recipe, count in
      unsafe coefficients.withUnsafeBufferPointer { coefficients in
        unsafe coefficients.baseAddress.flatMap {
          unsafe cjpeg_oracle_encode_coefficients(recipe, $0, count)
        }
      }
    }
  }

  private func made(
    _ encode: (UnsafePointer<cjpeg_oracle_recipe>, UnsafeMutablePointer<Int>)
      -> UnsafeMutablePointer<UInt8>?
  ) -> [UInt8]? {
    var recipe = cjpeg_oracle_recipe()
    recipe.width = Int32(width)
    recipe.height = Int32(height)
    recipe.components = Int32(components)
    unsafe withUnsafeMutableBytes(of: &recipe.horizontal) { unsafe fill($0, sampling.horizontal) }
    unsafe withUnsafeMutableBytes(of: &recipe.vertical) { unsafe fill($0, sampling.vertical) }
    recipe.quality = Int32(quality)
    recipe.quantiser = Int32(quantiser)
    recipe.restart_interval = Int32(restartInterval)
    recipe.optimized = isOptimised
    recipe.one_scan_per_component = isOneScanPerComponent
    recipe.progressive = isProgressive
    recipe.arithmetic = isArithmetic
    recipe.rgb = isRGB
    var count = 0
    guard let bytes = unsafe encode(&recipe, &count) else { return nil }
    defer { unsafe free(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private func fill(_ bytes: UnsafeMutableRawBufferPointer, _ factors: [Int]) {
    for (index, factor) in factors.enumerated() {
      unsafe bytes.storeBytes(of: Int32(factor), toByteOffset: 4 * index, as: Int32.self)
    }
  }

  private func pixels() -> [UInt8] {
    var random = SplitMix(seed)
    var result: [UInt8] = []
    result.reserveCapacity(width * height * components)
    for y in 0..<height {
      for x in 0..<width {
        for component in 0..<components {
          switch content {
          case .noise: result.append(UInt8(truncatingIfNeeded: random.next()))
          case .extremes: result.append(random.next() & 1 == 0 ? 0 : 255)
          case .smooth: result.append(UInt8((x * 5 + y * 3 + component * 80) & 255))
          case .flat: result.append(UInt8(component * 100))
          }
        }
      }
    }
    return result
  }
}

/// Numbers that are the same in every run (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", 2014).
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

/// The fast path's planes, or nil where it does not take the file.
func fastPlanes(
  _ file: [UInt8], size: PixelSize, side: Int, chromaSide: Int? = nil,
  segments: SegmentSizes = .normal
) throws -> [ReducedPlane]? {
  try FastJPEGDecoder(limits: DecodeLimits(), segments: segments).planes(
    file, size: size,
    samplesPerBlock: { component, headers in
      component.identifier == headers.components[0].identifier ? side : chromaSide ?? side
    },
    checkpoint: { () throws(CodecError) in })?.planes
}

/// What is wrong with the fast path's answer at one scale; nil where nothing is.
///
/// Where libjpeg-turbo complains there must be no answer, but for damage in those scans of a progressive
/// picture that nobody looks at for a mean. `isTaken`: there must be one if it does not complain.
func fault(
  _ file: [UInt8], size: PixelSize, oracle: JPEGOracle, side: Int, chromaSide: Int? = nil,
  isTaken: Bool
) throws -> String? {
  let answer = try fastPlanes(file, size: size, side: side, chromaSide: chromaSide)
  // A picture of some blocks is decoded in one piece, unless the pieces are made tiny. They are the same at
  // every scale.
  if side == 1 {
    let pieces = try fastPlanes(
      file, size: size, side: side, chromaSide: chromaSide, segments: .tiny)
    guard answer?.map(\.samples) == pieces?.map(\.samples) else {
      return "another answer from tiny segments"
    }
  }
  guard let planes = answer else {
    return isTaken && oracle.complaint == nil ? "not taken" : nil
  }
  if let complaint = oracle.complaint, oracle.size == nil || !isProgressive(file) {
    return "an answer although libjpeg says: \(complaint)"
  }
  for (index, plane) in planes.enumerated() {
    let difference = oracle.difference(of: plane, component: index)
    if difference > (plane.samplesPerBlock == 1 ? 0 : 1) {
      return "1/\(8 / plane.samplesPerBlock): component \(index) differs by \(difference)"
    }
  }
  return nil
}

private func isProgressive(_ file: [UInt8]) -> Bool {
  var headers = JPEGHeaders()
  _ = headers.next(file.span, from: 0)
  return headers.isProgressive
}
