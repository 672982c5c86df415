/// ICC profiles made by hand (ICC.1:2001-04): a matrix and a gamma, or one grey curve.
enum ICCBytes {
  /// sRGB's primaries adapted to D50, as s15Fixed16 numbers (IEC 61966-2-1 with Bradford).
  private static let red = [0.43607, 0.22249, 0.01392]
  private static let green = [0.38515, 0.71687, 0.09708]
  private static let blue = [0.14307, 0.06061, 0.71410]
  private static let white = [0.9642, 1.0, 0.8249]

  /// A profile whose red is sRGB's blue and the other way round: red pixels must come out blue.
  static func redAndBlueSwapped() -> [UInt8] {
    rgb(primaries: [blue, green, red], gamma: 2.2)
  }

  /// Grey whose level is light itself (gamma 1).
  static func linearGrey() -> [UInt8] {
    profile(space: "GRAY", tags: [("wtpt", xyz(white)), ("kTRC", curve(gamma: 1))])
  }

  static func rgb(primaries: [[Double]], gamma: Double) -> [UInt8] {
    let trc = curve(gamma: gamma)
    return profile(
      space: "RGB ",
      tags: [
        ("wtpt", xyz(white)), ("rXYZ", xyz(primaries[0])), ("gXYZ", xyz(primaries[1])),
        ("bXYZ", xyz(primaries[2])), ("rTRC", trc), ("gTRC", trc), ("bTRC", trc),
      ])
  }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ \0\0\0\0".utf8) + values.flatMap { PNGBytes.big(Int(($0 * 65536).rounded())) }
  }

  private static func curve(gamma: Double) -> [UInt8] {
    let fixed = Int((gamma * 256).rounded())
    return Array("curv\0\0\0\0".utf8) + PNGBytes.big(1)
      + [UInt8(fixed >> 8), UInt8(fixed & 255), 0, 0]
  }

  private static func profile(space: String, tags: [(String, [UInt8])]) -> [UInt8] {
    var table = PNGBytes.big(tags.count)
    var data: [UInt8] = []
    let start = 128 + 4 + 12 * tags.count
    for (name, value) in tags {
      table += Array(name.utf8) + PNGBytes.big(start + data.count) + PNGBytes.big(value.count)
      data += value
    }
    var header = PNGBytes.big(start + data.count) + Array("test".utf8) + PNGBytes.big(0x0210_0000)
    header += Array("mntr".utf8) + Array(space.utf8) + Array("XYZ ".utf8)
    header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + xyz(white).dropFirst(8)
    header += [UInt8](repeating: 0, count: 128 - header.count)
    return header + table + data
  }
}
