/// A path in the file system as bytes: Linux paths need not be UTF-8.
public struct FilePath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The bytes, none of them NUL, without a terminating NUL.
  public let bytes: [UInt8]

  /// Wraps bytes; they end before the first NUL, as the kernel would have it.
  public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix { $0 != 0 }) }

  /// Wraps the UTF-8 bytes of a string.
  public init(_ string: String) { self.init(bytes: string.utf8) }

  /// Wraps the UTF-8 bytes of a literal.
  public init(stringLiteral value: String) { self.init(value) }

  /// The path as text; bytes that are not UTF-8 become U+FFFD.
  public var string: String { String(decoding: bytes, as: UTF8.self) }

  /// The text form.
  public var description: String { string }

  /// What stands behind the last slash; the whole path where there is none.
  public var lastComponent: FileName {
    let trimmed = bytes.reversed().drop { $0 == UInt8(ascii: "/") }.reversed()
    let name = trimmed.split(separator: UInt8(ascii: "/")).last ?? []
    return FileName(bytes: Array(name))
  }

  /// This path with one more component.
  public func appending(_ component: some Sequence<UInt8>) -> FilePath {
    let separator: [UInt8] =
      bytes.isEmpty || bytes.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]
    return FilePath(bytes: bytes + separator + component)
  }

  /// This path with one more component.
  public func appending(_ component: String) -> FilePath { appending(component.utf8) }
}
