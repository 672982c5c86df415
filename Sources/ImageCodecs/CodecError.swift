import CImageCodecs

/// Why a picture could not be decoded or encoded.
package enum CodecError: Error, Hashable, Sendable {
  /// The bytes are no picture, or so little of one that nothing can be shown.
  case damaged(String)
  /// A valid file of a kind that is not decoded here (12 bits a sample, lossless, ...).
  case unsupported(String)
  /// Pixels, side, scans, memory or CPU time; the text names what it is and what is allowed.
  case overLimit(String)
  case cancelled
  case encodingFailed(String)

  /// What happened, as part of a sentence, without the file's name.
  package var message: String {
    switch self {
    case .damaged(let text), .unsupported(let text), .overLimit(let text): text
    case .cancelled: "cancelled"
    case .encodingFailed(let text): "encoding failed: \(text)"
    }
  }

  /// What a C codec reported while it read.
  init(_ error: cimg_error) {
    let text = string(error.message)
    switch Int(error.code) {
    case CIMG_UNSUPPORTED: self = .unsupported(text)
    case CIMG_LIMIT, CIMG_NO_MEMORY: self = .overLimit(text)
    default: self = .damaged(text)
    }
  }
}

/// The characters of a C array of 200 that end with NUL, printable ASCII only: library messages
/// quote bytes of the file.
func string<Array>(_ characters: Array) -> String {
  unsafe withUnsafeBytes(of: characters) { bytes in
    let text = unsafe bytes.prefix { $0 != 0 }
    return unsafe String(
      decoding: text.map { (32...126).contains($0) ? $0 : 63 }, as: Unicode.ASCII.self)
  }
}
