package import PhotoModel

/// What is known of an original's bytes without places.
package struct RedactedOriginal: Hashable, Sendable {
  /// The version of the redaction that made them; those of another version count as unknown.
  package let version: Int
  /// Their size and hash; nil where that version cannot give any.
  package let content: OriginalDescription?

  package init(version: Int, content: OriginalDescription?) {
    self.version = version
    self.content = content
  }
}
