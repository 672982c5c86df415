/// At which scale a JPEG picture is decoded for a target.
enum JPEGScale {
  /// What must be left for the scaler to reduce.
  ///
  /// Measured as PSNR against a full decode reduced by Lanczos (4032x3024 to 256 pixels): 1/8 and a
  /// rest of 1.97 give 51 dB, and less is left at a rest under 1.9.
  static let smallestResidual = 1.9

  /// 8, 4, 2 or 1.
  static func denominator(for reduction: Reduction) -> Int {
    [8, 4, 2].first { reduction.factor / Double($0) >= smallestResidual } ?? 1
  }
}
