import PhotoModel

/// One pass of an interlaced picture, or all of one that is not (ISO/IEC 15948 8.2).
struct PNGPass {
  /// The first column and row of the picture, and the steps to the next.
  let column, row, across, down: Int

  static let whole = PNGPass(column: 0, row: 0, across: 1, down: 1)

  /// Adam7.
  static let all = [
    PNGPass(column: 0, row: 0, across: 8, down: 8), PNGPass(column: 4, row: 0, across: 8, down: 8),
    PNGPass(column: 0, row: 4, across: 4, down: 8), PNGPass(column: 2, row: 0, across: 4, down: 4),
    PNGPass(column: 0, row: 2, across: 2, down: 4), PNGPass(column: 1, row: 0, across: 2, down: 2),
    PNGPass(column: 0, row: 1, across: 1, down: 2),
  ]

  /// The pixels of the pass; a pass without any has no data at all.
  func size(in picture: PixelSize) -> PixelSize {
    PixelSize(
      width: max(0, (picture.width - column + across - 1) / across),
      height: max(0, (picture.height - row + down - 1) / down))
  }
}

/// Of an interlaced picture the passes that a reduction needs.
///
/// The first 1, 3, 5 and 7 passes are every 8th, 4th, 2nd and every pixel of both axes. They are points, not
/// averages: detail between them is not seen, and what is finer than the grid folds back. So as many are
/// read that the grid keeps ``oversampling`` points for each pixel of the result, over which the scaler
/// averages.
struct PNGInterlaceGrid {
  /// Every so many pixels of the picture one is in the grid.
  let step: Int
  let size: PixelSize

  static let oversampling = 2.0

  init(_ reduction: Reduction) {
    step = [8, 4, 2].first { reduction.factor >= Double($0) * Self.oversampling } ?? 1
    size = PixelSize(
      width: (reduction.source.width + step - 1) / step,
      height: (reduction.source.height + step - 1) / step)
  }

  var passes: ArraySlice<PNGPass> {
    let count =
      switch step {
      case 8: 1
      case 4: 3
      case 2: 5
      default: 7
      }
    return PNGPass.all[..<count]
  }

  /// The same reduction of the grid.
  ///
  /// The grid's point n is the picture's pixel n * step, whose centre is at n * step + 1/2, and not the
  /// middle of the pixels that it stands for: the crop moves by the difference.
  func reduction(_ reduction: Reduction) -> Reduction {
    var result = reduction.scaled(by: step, size: size)
    let shift = 0.5 - 0.5 / Double(step)
    result.cropX += shift
    result.cropY += shift
    return result
  }
}
