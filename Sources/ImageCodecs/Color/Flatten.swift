/// Lays a row of straight-alpha pixels over white.
///
/// `colours`: 1 or 3 bytes before each alpha byte; `opaque` holds `colours` bytes for each pixel of
/// the row.
///
/// It happens before scaling, so that the colour of transparent pixels does not leak into their
/// neighbours.
func flattenOverWhite(_ row: Span<UInt8>, colours: Int, into opaque: inout [UInt8]) {
  var output = opaque.mutableSpan
  let pixels = min(row.count / (colours + 1), output.count / colours)
  var (from, to) = (0, 0)
  for _ in 0..<pixels {
    let alpha = row[from + colours]
    for colour in 0..<colours { output[to + colour] = overWhite(row[from + colour], alpha) }
    from += colours + 1
    to += colours
  }
}

/// A sample of straight alpha laid over white: (c * a + 255 * (255 - a)) / 255, rounded.
@inline(__always)
func overWhite(_ sample: UInt8, _ alpha: UInt8) -> UInt8 {
  // The sum is at most 255 * 255 + 127.
  let sum = UInt32(sample) &* UInt32(alpha) &+ (255 &- UInt32(alpha)) &* 255 &+ 127
  return UInt8(truncatingIfNeeded: sum / 255)
}
