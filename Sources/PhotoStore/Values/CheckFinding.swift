package import PhotoModel

/// One thing that `check` found wrong.
package struct CheckFinding: Hashable, Sendable {
  /// A word for scripts: `missing-original`, `extra-original`, `size-mismatch`, `type-mismatch`,
  /// `hash-mismatch`, `unreadable-original`, `permissions`, `selection`, `index`, `thumbnails`,
  /// `staging`, `leftover`.
  package let kind: String
  /// The asset concerned, or nil.
  package let id: AssetID?
  /// What is wrong; originals are named by their hash, never by a path.
  package let detail: String
  /// What a repair would do, or what the owner can do.
  package let repair: String

  package init(kind: String, id: AssetID?, detail: String, repair: String) {
    self.kind = kind
    self.id = id
    self.detail = detail
    self.repair = repair
  }
}
