import PhotoModel

/// A JPEG file taken apart, so that one thing in it can be changed and the rest stays in order.
struct JPEGParts {
  struct Segment {
    var marker: UInt8
    var payload: [UInt8]
    /// The data behind a scan header between its restart markers, without the zeros behind 0xFF.
    var runs: [[UInt8]] = []
  }

  var segments: [Segment] = []
  /// What stands behind the last segment.
  var rest: [UInt8] = []

  /// Nil where the file has no beginning of a picture.
  init?(_ file: [UInt8]) {
    guard file.starts(with: [0xFF, 0xD8]) else { return nil }
    var position = 2
    while position + 4 <= file.count, file[position] == 0xFF, file[position + 1] >= 0xC0,
      !(0xD0...0xD9).contains(file[position + 1])
    {
      let end = position + 2 + (Int(file[position + 2]) << 8 | Int(file[position + 3]))
      guard end >= position + 4, end <= file.count else { break }
      var segment = Segment(
        marker: file[position + 1], payload: Array(file[position + 4..<end]))
      position = end
      if segment.marker == 0xDA { (segment.runs, position) = Self.data(file, from: end) }
      segments.append(segment)
    }
    rest = Array(file[position...])
  }

  /// The data of a scan, and where the marker stands that ends it.
  private static func data(_ file: [UInt8], from start: Int) -> ([[UInt8]], Int) {
    var runs: [[UInt8]] = [[]]
    var position = start
    while position < file.count {
      let byte = file[position]
      if byte == 0xFF, position + 1 < file.count, file[position + 1] != 0 {
        guard (0xD0...0xD7).contains(file[position + 1]) else { break }
        runs.append([])
        position += 2
        continue
      }
      runs[runs.count - 1].append(byte)
      position += byte == 0xFF ? 2 : 1
    }
    return (runs, min(position, file.count))
  }

  var frame: Segment? { segments.first { (0xC0...0xC2).contains($0.marker) } }
  var isProgressive: Bool { frame?.marker == 0xC2 }

  var size: PixelSize? {
    guard let payload = frame?.payload, payload.count >= 5 else { return nil }
    return PixelSize(
      width: Int(payload[3]) << 8 | Int(payload[4]), height: Int(payload[1]) << 8 | Int(payload[2]))
  }

  /// The file, with right lengths, zeros behind 0xFF and numbers of restart markers.
  var file: [UInt8] {
    var result: [UInt8] = [0xFF, 0xD8]
    for segment in segments {
      let length = min(segment.payload.count + 2, 0xFFFF)
      result += [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 255)]
      result += segment.payload.prefix(length - 2)
      for (number, run) in segment.runs.enumerated() {
        if number > 0 { result += [0xFF, 0xD0 + UInt8((number - 1) & 7)] }
        for byte in run { result += byte == 0xFF ? [0xFF, 0] : [byte] }
      }
    }
    return result + rest
  }
}
