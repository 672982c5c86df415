package import PhotoModel

/// What a file is by its first bytes; its name is never looked at.
package enum FileType: Hashable, Sendable {
  case image(ImageFormat)
  /// Something else, with a short lower-case name for counting: "heic", "avif", "gif", "webp", "tiff"
  /// (most raw files), "mp4", "mov", "pdf", "text", "empty", "unknown" ...
  case other(String)

  /// Recognises a file; needs at most its first 64 bytes.
  package static func recognise(_ firstBytes: [UInt8]) -> FileType {
    let head = firstBytes.prefix(64)
    if head.isEmpty { return .other("empty") }
    if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .image(.jpeg) }
    if head.starts(with: pngSignature) { return .image(.png) }
    if let kind = baseMediaKind(head) ?? riffKind(head) ?? bitmapKind(head) {
      return .other(kind)
    }
    for (kind, offset, magic) in signatures where head.dropFirst(offset).starts(with: magic) {
      return .other(kind)
    }
    return .other(textKind(head) ?? "unknown")
  }

  /// ISO/IEC 15948 5.2.
  static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Kind, offset and bytes; the first match counts. From the formats' own specifications.
  private static let signatures: [(kind: String, offset: Int, magic: [UInt8])] = [
    ("gif", 0, Array("GIF87a".utf8)), ("gif", 0, Array("GIF89a".utf8)),
    ("raf", 0, Array("FUJIFILMCCD-RAW".utf8)), ("x3f", 0, Array("FOVb".utf8)),
    ("mrw", 0, [0x00, 0x4D, 0x52, 0x4D]), ("psd", 0, Array("8BPS".utf8)),
    ("pdf", 0, Array("%PDF-".utf8)), ("zip", 0, [0x50, 0x4B, 0x03, 0x04]),
    ("zip", 0, [0x50, 0x4B, 0x05, 0x06]), ("gzip", 0, [0x1F, 0x8B]),
    ("jp2", 0, [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20]), ("jp2", 0, [0xFF, 0x4F, 0xFF, 0x51]),
    ("jxl", 0, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]), ("jxl", 0, [0xFF, 0x0A]),
    ("matroska", 0, [0x1A, 0x45, 0xDF, 0xA3]), ("mng", 0, [0x8A, 0x4D, 0x4E, 0x47]),
    ("jng", 0, [0x8B, 0x4A, 0x4E, 0x47]), ("ico", 0, [0, 0, 1, 0]),
  ]

  /// ISO/IEC 14496-12 4.3: a box `ftyp` with a major brand and compatible ones.
  private static func baseMediaKind(_ head: ArraySlice<UInt8>) -> String? {
    guard head.count >= 12, head.dropFirst(4).starts(with: Array("ftyp".utf8)) else { return nil }
    var brands = [String(decoding: head[8..<12], as: UTF8.self)]
    var index = 16
    while index + 4 <= head.count {
      brands.append(String(decoding: head[index..<(index + 4)], as: UTF8.self))
      index += 4
    }
    switch brands[0] {
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return "heic"
    case "avif", "avis": return "avif"
    case "mif1", "msf1", "mif2", "miaf":
      if brands.contains("avif") || brands.contains("avis") { return "avif" }
      return brands.contains { $0.hasPrefix("hei") || $0.hasPrefix("hev") } ? "heic" : "heif"
    case "qt  ": return "mov"
    case "crx ": return "cr3"
    case "M4A ", "M4B ": return "m4a"
    default: return brands[0].hasPrefix("3g") ? "3gp" : "mp4"
    }
  }

  private static func riffKind(_ head: ArraySlice<UInt8>) -> String? {
    guard head.starts(with: Array("RIFF".utf8)), head.count >= 12 else { return nil }
    switch String(decoding: head[8..<12], as: UTF8.self) {
    case "WEBP": return "webp"
    case "AVI ": return "avi"
    case "WAVE": return "wav"
    default: return "riff"
    }
  }

  /// TIFF 6.0 section 2 and the raw formats built on it; and BMP, whose two letters are too little
  /// without the zeros that follow.
  private static func bitmapKind(_ head: ArraySlice<UInt8>) -> String? {
    let start = Array(head.prefix(4))
    switch start {
    case [0x49, 0x49, 0x2A, 0x00]:
      // Canon: "CR", version 2.
      return head.dropFirst(8).starts(with: [0x43, 0x52, 0x02]) ? "cr2" : "tiff"
    case [0x4D, 0x4D, 0x00, 0x2A], [0x49, 0x49, 0x2B, 0x00], [0x4D, 0x4D, 0x00, 0x2B]:
      return "tiff"
    case [0x49, 0x49, 0x52, 0x4F], [0x49, 0x49, 0x52, 0x53], [0x4D, 0x4D, 0x4F, 0x52]:
      return "orf"
    case [0x49, 0x49, 0x55, 0x00]: return "rw2"
    default:
      let isBitmap =
        head.starts(with: [0x42, 0x4D])
        && head.dropFirst(6).starts(with: [0, 0, 0, 0]) && head.count >= 18
      if isBitmap { return "bmp" }
      let isNetpbm =
        start.count == 4 && start[0] == 0x50 && (0x31...0x37).contains(start[1])
        && [0x0A, 0x0D, 0x20].contains(start[2])
      return isNetpbm ? "pnm" : nil
    }
  }

  /// Printable UTF-8 (the last character may be cut off), and which markup it is.
  private static func textKind(_ head: ArraySlice<UInt8>) -> String? {
    let controls = head.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) || $0 == 0x7F }
    guard !controls, isUTF8(head) else { return nil }
    let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    let lower = text.lowercased()
    if lower.contains("<svg") || lower.hasPrefix("<!doctype svg") { return "svg" }
    if lower.hasPrefix("<!doctype html") || lower.hasPrefix("<html") { return "html" }
    if lower.hasPrefix("<?xml") { return "xml" }
    return "text"
  }

  /// Whether the bytes are UTF-8, apart from a character that the end cuts off.
  private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
    for cut in 0...min(3, bytes.count) {
      if String(validating: bytes.dropLast(cut), as: UTF8.self) != nil { return true }
      if bytes.count < 64 { return false }
    }
    return false
  }
}
