/// What a scan header says (ITU-T T.81 B.2.3), and how much data its scan must have.
struct JPEGScan {
  let components: [JPEGFrame.Component]
  /// Whether coefficients are quantised: not in lossless coding.
  let needsTables: Bool
  /// Fewer bits than this no block of the scan can take; 0 where nothing can be said.
  let minimumBitsPerBlock: Int

  /// Returns nil for a header that no decoder takes.
  init?(header: [UInt8], payloadCount: Int, frame: JPEGFrame) {
    let count = Int(header.first ?? 0)
    guard (1...4).contains(count), payloadCount == 4 + 2 * count, header.count == payloadCount
    else {
      return nil
    }
    var components: [JPEGFrame.Component] = []
    for index in 0..<count {
      let identifier = header[1 + 2 * index]
      guard let component = frame.components.first(where: { $0.identifier == identifier }) else {
        return nil
      }
      components.append(component)
    }
    self.components = components
    let isLossless = frame.marker & 3 == 3
    needsTables = !isLossless
    let first = header[1 + 2 * count]
    let last = header[2 + 2 * count]
    let high = header[3 + 2 * count] >> 4
    let low = header[3 + 2 * count] & 15
    if frame.isProgressive {
      // G.1.1.1: DC alone, or AC of one component; shifts up to 13.
      let isBand = first == 0 ? last == 0 : last >= first && last <= 63 && count == 1
      guard isBand, high <= 13, low <= 13 else { return nil }
    }
    if frame.isArithmetic || isLossless {
      minimumBitsPerBlock = 0
    } else if frame.isProgressive {
      // A code or a correction bit for each DC; a run of blocks without AC may take no bit at all.
      minimumBitsPerBlock = first == 0 ? 1 : 0
    } else {
      // A code for the DC, and one at least for AC.
      minimumBitsPerBlock = 2
    }
  }

  /// The blocks of the scan, and its units (MCUs), between which restart markers are counted (A.2).
  func size(in frame: JPEGFrame, width: Int, height: Int) -> (units: Int, blocks: Int) {
    let widest = frame.components.map(\.horizontalSampling).max() ?? 1
    let tallest = frame.components.map(\.verticalSampling).max() ?? 1
    if let only = components.first, components.count == 1 {
      let columns = ceiling(ceiling(width * only.horizontalSampling, widest), 8)
      let rows = ceiling(ceiling(height * only.verticalSampling, tallest), 8)
      return (columns * rows, columns * rows)
    }
    let units = ceiling(width, 8 * widest) * ceiling(height, 8 * tallest)
    return (
      units, units * components.reduce(0) { $0 + $1.horizontalSampling * $1.verticalSampling }
    )
  }

  /// Both numbers are above 0 and small: sizes are 16 bits, factors at most 4.
  private func ceiling(_ value: Int, _ divisor: Int) -> Int { (value + divisor - 1) / divisor }
}
