import PhotoModel

/// PNG's textual chunks and tIME (ISO/IEC 15948 11.3.4 and 11.3.6.1), uncompressed ones.
enum PNGText {
  /// tEXt or iTXt without compression: the keyword and the text.
  static func parse(_ chunkType: String, _ data: [UInt8]) -> (keyword: String, text: [UInt8])? {
    guard let end = data.prefix(80).firstIndex(of: 0), end > 0 else { return nil }
    let keyword = String(decoding: data[..<end], as: UTF8.self)
    guard chunkType == "iTXt" else { return (keyword, Array(data[(end + 1)...])) }
    // Compression flag and method, then language and translated keyword, each ended by a NUL.
    guard data.count > end + 2, data[end + 1] == 0,
      let language = data[(end + 3)...].firstIndex(of: 0),
      let translated = data[(language + 1)...].firstIndex(of: 0)
    else { return nil }
    return (keyword, Array(data[(translated + 1)...]))
  }

  /// "Creation Time": the specification recommends the form of mail; ISO 8601 and EXIF's occur too.
  static func creationTime(_ bytes: [UInt8]) -> DateCandidate? {
    let text = String(decoding: bytes.prefix(128), as: UTF8.self)
    guard let date = DateText(text) ?? DateText(mailDate: text) else { return nil }
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
