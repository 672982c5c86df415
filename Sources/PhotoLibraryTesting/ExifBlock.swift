import PhotoModel

/// A little-endian TIFF structure with the EXIF tags of a test picture (EXIF 2.32, TIFF 6.0 section 2).
struct ExifBlock {
  private enum Value {
    case ascii(String)
    case short(UInt16)
    case byte(UInt8)
    case long(UInt32)
    case rationals([(UInt32, UInt32)])

    var type: UInt16 {
      switch self {
      case .byte: 1
      case .ascii: 2
      case .short: 3
      case .long: 4
      case .rationals: 5
      }
    }

    var count: UInt32 {
      switch self {
      case .ascii(let text): UInt32(text.utf8.count + 1)
      case .rationals(let values): UInt32(values.count)
      case .byte, .short, .long: 1
      }
    }

    var bytes: [UInt8] {
      switch self {
      case .byte(let value): [value]
      case .ascii(let text): Array(text.utf8) + [0]
      case .short(let value): littleEndian(UInt32(value), 2)
      case .long(let value): littleEndian(value, 4)
      case .rationals(let values):
        values.flatMap { littleEndian($0.0, 4) + littleEndian($0.1, 4) }
      }
    }
  }

  let bytes: [UInt8]

  init(_ picture: TestPicture) {
    var primary: [(UInt16, Value)] = []
    if let make = picture.camera?.make { primary.append((0x010F, .ascii(make))) }
    if let model = picture.camera?.model { primary.append((0x0110, .ascii(model))) }
    primary.append((0x0112, .short(UInt16(picture.orientation.rawValue))))

    let exif = Self.exifEntries(picture)
    let gps = Self.gpsEntries(picture)
    // Each directory: a count, 12 bytes an entry, and the place of the next one (IFD1 behind the first).
    func length(_ entries: [(UInt16, Value)]) -> Int {
      entries.isEmpty
        ? 0
        : 2 + entries.count * 12 + 4
          + entries.reduce(0) { $0 + ($1.1.bytes.count > 4 ? ($1.1.bytes.count + 1) & ~1 : 0) }
    }
    let pointers = (exif.isEmpty ? 0 : 1) + (gps.isEmpty ? 0 : 1)
    let exifStart = 8 + length(primary) + pointers * 12
    let gpsStart = exifStart + length(exif)
    if !exif.isEmpty { primary.append((0x8769, .long(UInt32(exifStart)))) }
    if !gps.isEmpty { primary.append((0x8825, .long(UInt32(gpsStart)))) }

    // JPEGInterchangeFormat and its length; the preview is behind its directory.
    let previewStart = gpsStart + length(gps)
    var preview: [(UInt16, Value)] = []
    if let data = picture.preview {
      preview = [(0x0201, .long(0)), (0x0202, .long(UInt32(data.count)))]
      preview[0].1 = .long(UInt32(previewStart + length(preview)))
    }
    bytes =
      Array("II".utf8) + littleEndian(42, 2) + littleEndian(8, 4)
      + Self.directory(primary, at: 8, next: preview.isEmpty ? 0 : previewStart)
      + Self.directory(exif, at: exifStart) + Self.directory(gps, at: gpsStart)
      + Self.directory(preview, at: previewStart) + (picture.preview ?? [])
  }

  private static func exifEntries(_ picture: TestPicture) -> [(UInt16, Value)] {
    guard let date = picture.date else { return [] }
    let text = date.rfc3339(offset: .utc)
    let stamp = text.prefix(10).map { $0 == "-" ? ":" : $0 } + " " + text.dropFirst(11).prefix(8)
    var entries: [(UInt16, Value)] = [(0x9003, .ascii(String(stamp)))]
    if let offset = picture.offset { entries.append((0x9011, .ascii(offset.description))) }
    if date.nanosecond != 0 {
      let digits = String(date.nanosecond)
      entries.append(
        (0x9291, .ascii(String(repeating: "0", count: 9 - digits.utf8.count) + digits)))
    }
    return entries
  }

  private static func gpsEntries(_ picture: TestPicture) -> [(UInt16, Value)] {
    guard let place = picture.location else { return [] }
    func degrees(_ value: Double) -> Value {
      // Degrees, minutes, and seconds to a thousandth (3 cm).
      let total = Int((abs(value) * 3_600_000).rounded())
      return .rationals([
        (UInt32(total / 3_600_000), 1), (UInt32(total / 60_000 % 60), 1),
        (UInt32(total % 60_000), 1000),
      ])
    }
    var entries: [(UInt16, Value)] = [
      (1, .ascii(place.latitude < 0 ? "S" : "N")), (2, degrees(place.latitude)),
      (3, .ascii(place.longitude < 0 ? "W" : "E")), (4, degrees(place.longitude)),
    ]
    if let altitude = place.altitude {
      entries.append((5, .byte(altitude < 0 ? 1 : 0)))
      entries.append((6, .rationals([(UInt32((abs(altitude) * 100).rounded()), 100)])))
    }
    return entries
  }

  private static func directory(
    _ entries: [(UInt16, Value)], at start: Int, next: Int = 0
  ) -> [UInt8] {
    guard !entries.isEmpty else { return [] }
    var directory = littleEndian(UInt32(entries.count), 2)
    var data: [UInt8] = []
    let dataStart = start + 2 + entries.count * 12 + 4
    for (tag, value) in entries {
      var bytes = value.bytes
      directory += littleEndian(UInt32(tag), 2) + littleEndian(UInt32(value.type), 2)
      directory += littleEndian(value.count, 4)
      if bytes.count <= 4 {
        directory += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        directory += littleEndian(UInt32(dataStart + data.count), 4)
        if bytes.count % 2 == 1 { bytes.append(0) }
        data += bytes
      }
    }
    return directory + littleEndian(UInt32(next), 4) + data
  }
}

private func littleEndian(_ value: UInt32, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
