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
    let alpha = UInt32(row[from + colours])
    let white = (255 - alpha) * 255
    for colour in 0..<colours {
      // (c * a + 255 * (255 - a)) / 255, rounded; the sum is at most 255 * 255.
      output[to + colour] = UInt8((UInt32(row[from + colour]) * alpha + white + 127) / 255)
    }
    from += colours + 1
    to += colours
  }
}
