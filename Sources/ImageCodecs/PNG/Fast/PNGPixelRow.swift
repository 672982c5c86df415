/// Turns rows of any PNG kind into 8-bit grey or RGB over white, as the reference path does.
///
/// Whatever depends on one sample alone is looked up: grey of up to 8 bits with its transparent colour, a
/// palette with its alpha.
@safe
struct PNGPixelRow {
  /// 1 grey, 3 RGB.
  let channels: Int
  private let kind: Kind
  private let depth: Int
  /// What a palette's index or a grey sample stands for, 256 of them: red, green and blue from the low
  /// byte on, and ``unknown`` in the highest where the palette does not have it.
  private let table: [UInt32]
  /// The samples of the transparent colour, 16 bits each, or none.
  private let key: [UInt16]

  private enum Kind { case plain, grey, palette, greyAlpha, rgb, rgbAlpha }

  private static let unknown: UInt32 = 0xFF00_0000

  init(_ file: PNGFile) {
    depth = file.depth
    channels = file.colourType == .grey || file.colourType == .greyAlpha ? 1 : 3
    var key: [UInt16] = []
    if file.colourType != .palette {
      for high in stride(from: 0, to: file.transparency.count, by: 2) {
        key.append(UInt16(file.transparency[high]) << 8 | UInt16(file.transparency[high + 1]))
      }
    }
    self.key = key
    switch file.colourType {
    case .grey where depth <= 8:
      kind = depth == 8 && key.isEmpty ? .plain : .grey
      // Every depth's largest sample is white (ISO/IEC 15948 13.12).
      let largest = (1 << depth) - 1
      table = (0..<256).map { sample in
        if key.first.map({ Int($0) == sample }) == true { return 255 }
        return UInt32(min(sample, largest) * 255 / largest)
      }
    case .palette:
      kind = .palette
      table = Self.table(palette: file.palette, alpha: file.transparency)
    default:
      table = []
      switch file.colourType {
      case .rgb: kind = depth == 8 && key.isEmpty ? .plain : .rgb
      case .greyAlpha: kind = .greyAlpha
      case .rgbAlpha: kind = .rgbAlpha
      default: kind = .grey
      }
    }
  }

  private static func table(palette: [UInt8], alpha: [UInt8]) -> [UInt32] {
    (0..<256).map { index in
      guard index < palette.count / 3 else { return unknown }
      let opacity = index < alpha.count ? alpha[index] : 255
      return (0..<3).reversed().reduce(0) { value, channel in
        value << 8 | UInt32(overWhite(palette[index * 3 + channel], opacity))
      }
    }
  }

  /// Whether rows are as the scaler takes them.
  var isPlain: Bool { kind == .plain }

  /// Converts `pixels` pixels; false where a palette's index has no colour.
  func convert(
    _ row: UnsafePointer<UInt8>, pixels: Int, into output: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    switch kind {
    case .plain:
      unsafe output.update(from: row, count: pixels * channels)
    case .grey:
      if depth == 16 {
        unsafe grey16(row, pixels, output)
      } else {
        for index in 0..<pixels {
          unsafe output[index] = UInt8(truncatingIfNeeded: table[sample(row, index)])
        }
      }
    case .palette:
      return unsafe palette(row, pixels, output)
    case .greyAlpha:
      unsafe alpha(row, pixels, output, colours: 1)
    case .rgbAlpha:
      unsafe alpha(row, pixels, output, colours: 3)
    case .rgb:
      unsafe rgb(row, pixels, output)
    }
    return true
  }

  /// Samples of less than a byte fill it from the highest bit on (7.2).
  @inline(__always)
  private func sample(_ row: UnsafePointer<UInt8>, _ index: Int) -> Int {
    if depth == 8 { return unsafe Int(row[index]) }
    let bit = index &* depth
    return unsafe Int(row[bit >> 3]) >> (8 &- depth &- bit & 7) & ((1 << depth) &- 1)
  }

  private func palette(
    _ row: UnsafePointer<UInt8>, _ pixels: Int, _ output: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    var all: UInt32 = 0
    unsafe table.withUnsafeBufferPointer { table in
      var place = unsafe output
      for index in 0..<pixels {
        let colour = unsafe table[sample(row, index)]
        all |= colour
        unsafe place[0] = UInt8(truncatingIfNeeded: colour)
        unsafe place[1] = UInt8(truncatingIfNeeded: colour >> 8)
        unsafe place[2] = UInt8(truncatingIfNeeded: colour >> 16)
        unsafe place += 3
      }
    }
    return all & Self.unknown == 0
  }

  private func grey16(
    _ row: UnsafePointer<UInt8>, _ pixels: Int, _ output: UnsafeMutablePointer<UInt8>
  ) {
    let key = self.key.first.map { Int($0) } ?? -1
    for index in 0..<pixels {
      let sample = unsafe Self.wide(row, index)
      unsafe output[index] = Int(sample) == key ? 255 : Self.narrow(sample)
    }
  }

  private func rgb(
    _ row: UnsafePointer<UInt8>, _ pixels: Int, _ output: UnsafeMutablePointer<UInt8>
  ) {
    // No sample is -1.
    let key = self.key.count == 3 ? self.key.map { Int($0) } : [-1, -1, -1]
    let (red, green, blue) = (key[0], key[1], key[2])
    for index in stride(from: 0, to: pixels * 3, by: 3) {
      let isTransparent: Bool
      if depth == 16 {
        let (r, g, b) = unsafe (
          Self.wide(row, index), Self.wide(row, index &+ 1), Self.wide(row, index &+ 2)
        )
        isTransparent = Int(r) == red && Int(g) == green && Int(b) == blue
        unsafe output[index] = Self.narrow(r)
        unsafe output[index &+ 1] = Self.narrow(g)
        unsafe output[index &+ 2] = Self.narrow(b)
      } else {
        let (r, g, b) = unsafe (row[index], row[index &+ 1], row[index &+ 2])
        isTransparent = Int(r) == red && Int(g) == green && Int(b) == blue
        unsafe output[index] = r
        unsafe output[index &+ 1] = g
        unsafe output[index &+ 2] = b
      }
      if isTransparent {
        for channel in 0..<3 { unsafe output[index &+ channel] = 255 }
      }
    }
  }

  @inline(__always)
  private func alpha(
    _ row: UnsafePointer<UInt8>, _ pixels: Int, _ output: UnsafeMutablePointer<UInt8>, colours: Int
  ) {
    var (from, to) = (0, 0)
    for _ in 0..<pixels {
      let opacity =
        unsafe depth == 16 ? Self.narrow(Self.wide(row, from &+ colours)) : row[from &+ colours]
      for colour in 0..<colours {
        let value =
          unsafe depth == 16 ? Self.narrow(Self.wide(row, from &+ colour)) : row[from &+ colour]
        unsafe output[to &+ colour] = overWhite(value, opacity)
      }
      from &+= colours &+ 1
      to &+= colours
    }
  }

  @inline(__always)
  private static func wide(_ row: UnsafePointer<UInt8>, _ index: Int) -> UInt16 {
    unsafe UInt16(row[index &* 2]) << 8 | UInt16(row[index &* 2 &+ 1])
  }

  /// v * 255 / 65535, rounded: v / 257.
  @inline(__always)
  private static func narrow(_ sample: UInt16) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt32(sample) &* 255 &+ 32895) >> 16)
  }
}
