/// A file's name as bytes: Linux names need not be UTF-8, and none is lost or changed here.
public struct FileName: Hashable, Sendable {
  /// The bytes of the name, without any folder, at most 255 of them.
  public let bytes: [UInt8]

  /// Wraps the bytes of a name.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// Wraps the UTF-8 bytes of a string.
  public init(_ string: String) { bytes = Array(string.utf8) }

  /// The name as text; bytes that are not UTF-8 become U+FFFD.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether `string` holds the name without loss.
  public var isValidUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// Bytes whose lexicographic order is the natural order of names: IMG_9 stands before IMG_10.
  ///
  /// Letters compare without regard to case; a run of digits compares by its value, whatever its
  /// length: it is written as `0`, the number of significant digits, and these digits.
  public var naturalSortKey: [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(bytes.count + 8)
    let folded = Array(string.lowercased().utf8)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var index = 0
    while index < folded.count {
      guard digits.contains(folded[index]) else {
        key.append(folded[index])
        index += 1
        continue
      }
      let end = folded[index...].firstIndex { !digits.contains($0) } ?? folded.count
      let significant = folded[index..<end].drop { $0 == UInt8(ascii: "0") }
      key.append(UInt8(ascii: "0"))
      key.append(UInt8(clamping: significant.count))
      key.append(contentsOf: significant)
      index = end
    }
    return key
  }
}
