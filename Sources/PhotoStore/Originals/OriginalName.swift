import PhotoModel

/// The name of an original: its SHA-256 in hexadecimal digits, with the ending of its kind; in a
/// folder named by the first two digits.
struct OriginalName: Hashable, Sendable {
  let sha256: [UInt8]
  let format: ImageFormat

  init(sha256: [UInt8], format: ImageFormat) {
    self.sha256 = sha256
    self.format = format
  }

  /// Reads a file name; nil for any that this program does not give.
  init?(_ fileName: some StringProtocol) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 64,
      let hash = [UInt8](hexadecimal: Substring(parts[0])),
      let format = ImageFormat.allCases.first(where: { $0.fileExtension == parts[1] })
    else { return nil }
    sha256 = hash
    self.format = format
  }

  var hexadecimal: String { sha256.hexadecimal }
  var shard: String { [UInt8](sha256.prefix(1)).hexadecimal }
  var fileName: String { hexadecimal + "." + format.fileExtension }
}
