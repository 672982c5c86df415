/// Places in the JPEG segments that vendors made up.
///
/// Layouts are those that ExifTool documents and reads.
enum VendorSegments {
  /// FLIR's record file, put together from all segments: records of type 0x2B are GPS.
  ///
  /// Header of 64 bytes with the version at 0x14, the offset of the directory at 0x18 and the number of its
  /// entries at 0x1C; an entry has 32 bytes: type, and at 0x0C and 0x10 offset and length.
  static func redact(flir bytes: inout [UInt8]) {
    guard bytes.count >= 0x40, bytes.starts(with: "FFF\0".utf8) || bytes.starts(with: "AFF\0".utf8)
    else { return }
    guard
      let order = [true, false].first(where: {
        (100..<200).contains(bytes.number(at: 0x14, 4, isBigEndian: $0) ?? 0)
      }), let directory = bytes.number(at: 0x18, 4, isBigEndian: order),
      let count = bytes.number(at: 0x1C, 4, isBigEndian: order)
    else { return }
    // Records that overlap would be written again and again.
    var bytesLeft = 2 * bytes.count
    for index in 0..<min(count, 1024) {
      let entry = directory + 32 * index
      guard let type = bytes.number(at: entry, 2, isBigEndian: order),
        let start = bytes.number(at: entry + 0x0C, 4, isBigEndian: order),
        let length = bytes.number(at: entry + 0x10, 4, isBigEndian: order)
      else { return }
      guard type == 0x2B else { continue }
      bytesLeft -= min(length, bytes.count)
      guard bytesLeft >= 0 else { return bytes.fill(0..<bytes.count) }
      bytes.fill(start..<(start + length))
    }
  }

  /// Ricoh's RMETA (behind its name): lists of tag names and of values, NULs between, and of menu numbers.
  static func redact(rmeta bytes: inout [UInt8]) {
    let isBigEndian = bytes.starts(with: "MM".utf8)
    guard bytes.count >= 20, bytes.number(at: 4, 2, isBigEndian: isBigEndian) == 0,
      let offset = bytes.number(at: 8, 2, isBigEndian: isBigEndian)
    else { return }
    var position = offset + 10
    var names: [ArraySlice<UInt8>] = []
    while let type = bytes.number(at: position, 2, isBigEndian: isBigEndian),
      let size = bytes.number(at: position + 2, 2, isBigEndian: isBigEndian), size >= 2
    {
      let start = position + 4
      let end = min(start + size - 2, bytes.count)
      guard start < end else { return }
      if type == 1 {
        names = bytes[start..<end].split(
          separator: 0, maxSplits: 200, omittingEmptySubsequences: false)
      } else if type == 2 || type == 18 {
        let values = bytes[start..<end].split(
          separator: 0, maxSplits: 200, omittingEmptySubsequences: false)
        for (name, value) in zip(names, values)
        where PlaceName.isPlace(String(decoding: name, as: UTF8.self)) {
          bytes.blank(value.startIndex..<value.endIndex)
        }
      } else if type == 3 {
        for (index, name) in names.enumerated()
        where PlaceName.isPlace(String(decoding: name, as: UTF8.self)) {
          bytes.fill((start + 2 * index)..<min(start + 2 * index + 2, end))
        }
      }
      position = start + size - 2
    }
  }

  /// GoPro's GPMF (behind its name): key (4), type (1), size (1), repeat (2, big-endian), data padded to 4;
  /// type 0 holds more of them.
  static func redact(gpmf bytes: inout [UInt8]) {
    var position = 0
    while position + 8 <= bytes.count {
      let key = String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
      let isNested = bytes[position + 4] == 0
      let length =
        Int(bytes[position + 5]) * (Int(bytes[position + 6]) << 8 | Int(bytes[position + 7]))
      position += 8
      if key.hasPrefix("GPS") || key == "GLPI" || key == "GPRI" {
        bytes.fill(position..<min(position + length, bytes.count))
      } else if isNested, key != "\0\0\0\0" {
        continue
      }
      position += (length + 3) / 4 * 4
    }
  }

  /// JUMBF boxes (C2PA): signed statements, some of which quote EXIF.
  ///
  /// They cannot be changed and stay signed, so all goes where a place is quoted.
  static func tellsPlace(jumbf bytes: [UInt8]) -> Bool {
    ["gps", "latitude", "Iptc4xmpExt:Location"].contains {
      !bytes.offsets(of: $0, anyCase: true).isEmpty
    }
  }
}
