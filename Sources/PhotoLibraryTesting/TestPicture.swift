import ImageCodecs
public import PhotoModel

/// A picture made for a test: a real JPEG or PNG file with the date, place, camera and orientation asked for.
///
/// Shown upright, its quarters are red (top left), green (top right), blue (bottom left) and yellow
/// (bottom right), whatever the orientation, so a test can tell a turned or mirrored picture by its
/// corners. Two pictures that differ in any property differ in their bytes.
public struct TestPicture: Hashable, Sendable {
  /// The size as displayed, in pixels; each side 2 to 4096.
  public var size = PixelSize(width: 64, height: 48)
  /// JPEG or PNG.
  public var format = ImageFormat.jpeg
  /// What the camera's clock showed, or nil for a picture without a date.
  public var date: WallClock?
  /// The offset that goes with the date.
  public var offset: UTCOffset?
  /// Where it was taken.
  public var location: Location?
  /// The camera that took it.
  public var camera: Camera?
  /// How the stored picture is turned.
  public var orientation = Orientation.up
  /// A JPEG file of at most 60,000 bytes that stands in EXIF as the camera's small preview, stored as the
  /// picture is and turned with it; nil for none.
  public var preview: [UInt8]?
  /// Pictures that are otherwise alike differ in their bytes by this.
  public var number = 0

  /// A small JPEG without metadata.
  public init() {}

  /// A small JPEG with a date.
  ///
  /// - Parameters:
  ///   - date: `2024-05-17 14:03:22`, with `T` for the blank or with `.123` behind it if you like, and with
  ///     an offset such as `+02:00` or `Z` at the end if the picture is to name one.
  ///   - size: the size as displayed, in pixels.
  ///   - format: JPEG or PNG.
  public init(
    date: String, size: PixelSize = PixelSize(width: 64, height: 48), format: ImageFormat = .jpeg
  ) {
    guard let (wallClock, offset) = Self.parse(date) else {
      preconditionFailure("not a date: \(date); write 2024-05-17 14:03:22+02:00")
    }
    self.date = wallClock
    self.offset = offset
    self.size = size
    self.format = format
  }

  private static func parse(_ text: String) -> (WallClock, UTCOffset?)? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 19 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      range.upperBound <= bytes.count
        ? Int(String(decoding: bytes[range], as: UTF8.self)) : nil
    }
    var rest = bytes[19...]
    var nanosecond = 0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      let text = String(decoding: digits.prefix(9), as: UTF8.self)
      nanosecond = Int(text + String(repeating: "0", count: 9 - text.utf8.count)) ?? 0
      rest = rest.dropFirst(1 + digits.count)
    }
    var offset: UTCOffset?
    let zone = String(decoding: rest, as: UTF8.self)
    if zone == "Z" {
      offset = .utc
    } else if !zone.isEmpty {
      let parts = zone.dropFirst().split(separator: ":")
      guard parts.count == 2, let hours = Int(parts[0]), let minutes = Int(parts[1]),
        let parsed = UTCOffset(minutes: (zone.hasPrefix("-") ? -1 : 1) * (hours * 60 + minutes))
      else { return nil }
      offset = parsed
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      let wallClock = WallClock(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second,
        nanosecond: nanosecond)
    else { return nil }
    return (wallClock, offset)
  }

  /// The file's bytes.
  public var data: [UInt8] {
    precondition(
      (2...4096).contains(size.width) && (2...4096).contains(size.height),
      "a test picture's sides are 2 to 4096 pixels")
    precondition(
      preview.map(\.count) ?? 0 <= 60_000, "a test picture's preview has at most 60,000 bytes")
    do {
      let exif = ExifBlock(self).bytes
      switch format {
      case .jpeg:
        let plain = try ImageEncoder.jpeg(storedPixels, quality: 92)
        // Behind the start marker: an APP1 segment (EXIF 2.32, 4.7.2), and the number as a comment.
        let payload = Array("Exif\0\0".utf8) + exif
        return Array(plain.prefix(2)) + Self.segment(0xE1, payload)
          + Self.segment(0xFE, Array("photolib test picture \(number)".utf8))
          + plain.dropFirst(2)
      case .png:
        let plain = try ImageEncoder.png(storedPixels)
        // Behind the signature and IHDR, which is 25 bytes with its length, type and CRC.
        return Array(plain.prefix(8 + 25)) + Self.chunk("eXIf", exif)
          + Self.chunk("tEXt", Array("Comment\0photolib test picture \(number)".utf8))
          + plain.dropFirst(8 + 25)
      }
    } catch {
      preconditionFailure("the encoder refused a test picture: \(error)")
    }
  }

  /// A file name that fits the format.
  public var defaultFileName: String { "picture-\(number).\(format.fileExtension)" }

  // MARK: - Bytes

  private var storedPixels: PixelBuffer {
    let stored =
      orientation.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
    // There are two kinds of rows at most; each is made once, since tests run without optimisation.
    var rows: [Int: [UInt8]] = [:]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(stored.pixelCount * 3)
    for y in 0..<stored.height {
      let kind = quarter(0, y, stored)
      let row =
        rows[kind] ?? (0..<stored.width).flatMap { Self.colours[quarter($0, y, stored)] }
      rows[kind] = row
      bytes += row
    }
    return PixelBuffer(size: stored, channels: 3, bytes: bytes)
  }

  private static let colours: [[UInt8]] = [
    [220, 40, 40], [40, 180, 60], [40, 60, 210], [230, 210, 40],
  ]

  /// In which quarter of the upright picture a stored pixel is seen: top left, top right, bottom left,
  /// bottom right.
  private func quarter(_ x: Int, _ y: Int, _ stored: PixelSize) -> Int {
    let (column, row) = upright(x, y, stored)
    return (row * 2 >= size.height ? 2 : 0) + (column * 2 >= size.width ? 1 : 0)
  }

  /// Where a stored pixel is seen in the upright picture (EXIF 2.32, tag Orientation).
  private func upright(_ x: Int, _ y: Int, _ stored: PixelSize) -> (column: Int, row: Int) {
    let right = stored.width - 1 - x
    let bottom = stored.height - 1 - y
    return switch orientation {
    case .up: (x, y)
    case .upMirrored: (right, y)
    case .down: (right, bottom)
    case .downMirrored: (x, bottom)
    case .leftMirrored: (y, x)
    case .right: (bottom, x)
    case .rightMirrored: (bottom, right)
    case .left: (y, right)
    }
  }

  private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
  }

  private static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + payload
    return bigEndian(UInt32(payload.count)) + body + bigEndian(crc32(body))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }

  /// CRC-32 as PNG uses it (ISO/IEC 15948, annex D).
  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
    }
    return ~crc
  }
}
