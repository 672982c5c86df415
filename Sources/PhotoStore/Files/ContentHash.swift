import CCrypto

/// A SHA-256 that is being computed.
@safe struct ContentHash: ~Copyable {
  private let state: OpaquePointer

  /// The number of bytes of a hash.
  static let size = 32

  init() throws(StoreError) {
    guard let state = unsafe ccrypto_sha256_create() else { throw Self.failure }
    unsafe self.state = state
  }

  deinit { unsafe ccrypto_sha256_destroy(state) }

  /// Adds bytes.
  func update(_ bytes: Span<UInt8>) throws(StoreError) {
    let result = unsafe bytes.withUnsafeBytes { raw -> Int32 in
      guard let base = raw.baseAddress else { return 0 }
      return unsafe ccrypto_sha256_update(state, base, raw.count)
    }
    guard result == 0 else { throw Self.failure }
  }

  /// The 32 bytes of the hash; ends it.
  consuming func finish() throws(StoreError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: Self.size)
    guard unsafe ccrypto_sha256_finish(state, &output) == 0 else { throw Self.failure }
    return output
  }

  /// The SHA-256 of bytes in memory.
  static func of(_ bytes: [UInt8]) throws(StoreError) -> [UInt8] {
    let hash = try ContentHash()
    try hash.update(bytes.span)
    return try hash.finish()
  }

  private static var failure: StoreError {
    StoreError(code: .io, message: "the hash could not be computed: libcrypto failed")
  }
}

extension Store {
  /// The SHA-256 of bytes that come in pieces.
  ///
  /// - Parameter next: gives the next piece; an empty one is the end.
  /// - Returns: The 32 bytes.
  /// - Throws: what `next` throws, or `io` where the hash cannot be computed.
  package static func sha256<Failure: Error>(
    ofPieces next: () throws(Failure) -> [UInt8]
  ) throws -> [UInt8] {
    let hash = try ContentHash()
    while true {
      let piece = try next()
      if piece.isEmpty { return try hash.finish() }
      try hash.update(piece.span)
    }
  }
}

/// HMAC-SHA-256 (RFC 2104).
enum MessageCode {
  /// The 32 bytes of the code of a message under a key.
  static func of(_ message: [UInt8], key: [UInt8]) throws(StoreError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: ContentHash.size)
    guard
      unsafe ccrypto_hmac_sha256(key, key.count, message, message.count, &output) == 0
    else {
      throw StoreError(
        code: .io, message: "the code could not be computed: libcrypto failed")
    }
    return output
  }
}

/// Random bytes for names and keys.
package enum RandomBytes {
  @Sendable package static func make(_ count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe ccrypto_random(&bytes, count) == 0 else {
      throw StoreError(code: .io, message: "no random bytes are to be had: libcrypto failed")
    }
    return bytes
  }
}

extension [UInt8] {
  /// Two lower-case hexadecimal digits a byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(count * 2)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that lower-case hexadecimal digits name, or nil for anything else.
  init?(hexadecimal text: Substring) {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0 else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else {
        return nil
      }
      append(high << 4 | low)
    }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
