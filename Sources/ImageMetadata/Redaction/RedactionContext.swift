/// What the redactions of all blocks of one file have in common; used by one thread.
final class RedactionContext {
  /// Whether digests of metadata go too, since a place was found.
  let blanksDigests: Bool
  /// XMP stands in segments, PNG text, TIFF tags and Photoshop resources; all of it counts.
  var xmp = XMPBudget()
  /// Bytes of metadata in the pictures behind the first one.
  var bytesBehind = 0

  init(blanksDigests: Bool = false) { self.blanksDigests = blanksDigests }
}
