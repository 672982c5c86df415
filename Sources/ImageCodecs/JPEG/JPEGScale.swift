import ImageContainer
import PhotoModel

/// At which scale a JPEG picture is decoded for a target.
enum JPEGScale {
  /// What must be left for the scaler to reduce.
  ///
  /// Measured as PSNR against a full decode reduced by Lanczos (4032x3024 to 256 pixels): 1/8 and a
  /// rest of 1.97 give 51 dB, and less is left at a rest under 1.9.
  static let smallestResidual = 1.9

  /// The same for a component that is coarser than the picture, by its own samples.
  ///
  /// Measured in the same way with planes in eighths of a level: one sample a block for colour of 4:2:0
  /// is better than libvips at 200 pixels (a rest of 1.26), and 4 decibels worse at 256 (0.98). With whole
  /// levels it takes 1.5.
  static let smallestColourResidual = 1.2

  /// 8, 4, 2 or 1.
  static func denominator(for reduction: Reduction) -> Int {
    [8, 4, 2].first { reduction.factor / Double($0) >= smallestResidual } ?? 1
  }

  /// How many samples a side of a block becomes, 1, 2, 4 or 8, for a component with these sampling
  /// factors.
  ///
  /// The least that leaves enough to reduce along both axes. In a progressive picture, of which only the
  /// means are read without all its scans, a colour component has one sample where luma has.
  static func samplesPerBlock(
    horizontal: Int, vertical: Int, sampling: JPEGSampling, isProgressive: Bool,
    reduction: Reduction
  ) -> Int {
    let isFull = horizontal >= sampling.horizontal && vertical >= sampling.vertical
    if isProgressive {
      return denominator(for: reduction) == 8 ? 1 : 8
    }
    let output = reduction.output
    // Samples of the component for each of the output.
    let across =
      reduction.cropWidth / Double(output.width) * Double(horizontal) / Double(sampling.horizontal)
    let down =
      reduction.cropHeight / Double(output.height) * Double(vertical) / Double(sampling.vertical)
    let wanted = isFull ? smallestResidual : smallestColourResidual
    return [1, 2, 4].first { min(across, down) * Double($0) / 8 >= wanted } ?? 8
  }

  /// Whether every component can be decoded at a reduced scale.
  static func isReduced(_ structure: ImageStructure, _ reduction: Reduction) -> Bool {
    guard let components = structure.jpeg?.components, !components.isEmpty else { return false }
    let sampling = JPEGSampling(components)
    return components.allSatisfy {
      samplesPerBlock(
        horizontal: $0.horizontalSampling, vertical: $0.verticalSampling, sampling: sampling,
        isProgressive: structure.isProgressive, reduction: reduction) < 8
    }
  }
}
