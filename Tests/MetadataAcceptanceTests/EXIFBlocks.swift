/// Finds EXIF blocks without the code under test, also in files that end before their picture begins.
enum EXIFBlocks {
  /// The TIFF blocks of a JPEG file's APP1 segments or a PNG file's eXIf chunks.
  static func find(in bytes: [UInt8]) -> [[UInt8]] {
    bytes.starts(with: [0xFF, 0xD8])
      ? inJPEG(bytes) : bytes.starts(with: [0x89, 0x50]) ? inPNG(bytes) : []
  }

  private static let signature = Array("Exif\0\0".utf8)

  private static func inJPEG(_ bytes: [UInt8]) -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] != 0xDA {
      if bytes[position + 1] == 0xFF {
        position += 1
        continue
      }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = position + 2 + length
      guard length >= 2, end <= bytes.count else { break }
      let payload = bytes[(position + 4)..<end]
      if bytes[position + 1] == 0xE1, payload.starts(with: signature) {
        blocks.append(Array(payload.dropFirst(signature.count)))
      }
      position = end
    }
    return blocks
  }

  private static func inPNG(_ bytes: [UInt8]) -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    var position = 8
    while position + 12 <= bytes.count {
      let length = bytes[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { break }
      let data = bytes[(position + 8)..<(position + 8 + length)]
      if bytes[(position + 4)..<(position + 8)].elementsEqual("eXIf".utf8) {
        blocks.append(Array(data.dropFirst(data.starts(with: signature) ? signature.count : 0)))
      }
      position += 12 + length
    }
    return blocks
  }
}
