/// A sample of a plane: whole levels, or eighths of a level.
///
/// The mean of a block of 8x8 and its 2x2 inverse DCT are whole eighths, so that `UInt16` loses nothing,
/// where rounding to levels costs about a decibel of the thumbnail.
protocol PlaneSample: Sendable {
  /// The level, 0 to 255, that a sample stands for.
  static func levels(_ sample: Self) -> Float
}

extension UInt8: PlaneSample {
  @inline(__always)
  static func levels(_ sample: UInt8) -> Float { Float(sample) }
}

extension UInt16: PlaneSample {
  @inline(__always)
  static func levels(_ sample: UInt16) -> Float { Float(sample) * 0.125 }
}
