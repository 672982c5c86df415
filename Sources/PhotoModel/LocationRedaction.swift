/// The removal of places from pictures' bytes.
package enum LocationRedaction {
  /// Which places are found and how they are removed.
  ///
  /// Counted up when that changes, so that hashes of redacted bytes that were computed before are known
  /// to be old.
  package static let version = 2
}
