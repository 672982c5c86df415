import PhotoModel

/// PNG's textual chunks and tIME (ISO/IEC 15948 11.3.4 and 11.3.6.1).
enum PNGText {
  /// A keyword has at most 79 bytes and a NUL behind it.
  static let maximumHead = 80

  /// What a chunk of type tEXt, zTXt or iTXt holds.
  struct Chunk: Hashable {
    let keyword: String
    /// Where the text begins in the chunk's data.
    let start: Int
    /// Whether the text is a zlib stream.
    let isCompressed: Bool
  }

  /// The keyword at the beginning of a chunk's data; nil where there is none.
  static func keyword(_ head: [UInt8]) -> String? {
    guard let end = head.prefix(maximumHead).firstIndex(of: 0), end > 0 else { return nil }
    return String(decoding: head[..<end], as: UTF8.self)
  }

  /// Nil where the chunk is cut short or of an unknown compression method.
  static func parse(_ chunkType: String, _ data: [UInt8]) -> Chunk? {
    guard let end = data.prefix(maximumHead).firstIndex(of: 0), end > 0 else { return nil }
    let keyword = String(decoding: data[..<end], as: UTF8.self)
    switch chunkType {
    case "zTXt":
      // Compression method 0 is zlib's.
      guard data.count > end + 1, data[end + 1] == 0 else { return nil }
      return Chunk(keyword: keyword, start: end + 2, isCompressed: true)
    case "iTXt":
      // Compression flag and method, then language and translated keyword, each ended by a NUL.
      guard data.count > end + 2, data[end + 1] <= 1, data[end + 1] == 0 || data[end + 2] == 0,
        let language = data[(end + 3)...].firstIndex(of: 0),
        let translated = data[(language + 1)...].firstIndex(of: 0)
      else { return nil }
      return Chunk(keyword: keyword, start: translated + 1, isCompressed: data[end + 1] == 1)
    default:
      return Chunk(keyword: keyword, start: end + 1, isCompressed: false)
    }
  }

  /// "Creation Time": the specification recommends the form of mail; ISO 8601, EXIF's and that of `date`
  /// occur too.
  static func creationTime(_ bytes: [UInt8]) -> DateCandidate? {
    let text = String(decoding: bytes.prefix(128), as: UTF8.self)
    guard let date = DateText(text, namesZones: true) ?? DateText(mailDate: text) else {
      return nil
    }
    return DateCandidate(
      source: .pngCreationTime, wallClock: date.wallClock, offset: date.offset)
  }

  /// tIME: year, month, day, hour, minute, second, in UTC.
  static func time(_ data: [UInt8]) -> DateCandidate? {
    guard data.count == 7,
      let wallClock = WallClock(
        year: Int(data[0]) << 8 | Int(data[1]), month: Int(data[2]), day: Int(data[3]),
        hour: Int(data[4]), minute: Int(data[5]), second: Int(data[6]))
    else { return nil }
    return DateCandidate(source: .pngTime, wallClock: wallClock, offset: .utc)
  }
}
