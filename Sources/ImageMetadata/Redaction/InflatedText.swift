/// Compressed text of PNG chunks.
enum InflatedText {
  /// The text, or nil where it cannot be unpacked.
  static func unpack(_ bytes: ArraySlice<UInt8>) -> [UInt8]? { nil }
}
