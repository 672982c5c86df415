/// Takes the places out of bytes that are no known carrier of metadata: comments, unknown segments, text
/// under any keyword.
///
/// Programs put whole blocks of EXIF and XMP there, and readers that search for them find them. What holds
/// neither stays as it is, whatever it says.
enum ForeignRedaction {
  /// Where TIFF blocks are looked for; what begins behind the last one goes as a whole.
  private static let maximumBlocks = 8

  static func redact(_ bytes: inout [UInt8], context: RedactionContext, depth: Int) {
    let starts = ["II*\0", "MM\0*"].flatMap { bytes.offsets(of: $0, limit: maximumBlocks + 1) }
      .sorted()
    if starts.count > maximumBlocks { bytes.fill(starts[maximumBlocks]..<bytes.count) }
    for start in starts.prefix(maximumBlocks) {
      bytes.rewrite(start..<bytes.count) {
        TIFFRedaction.redact(exif: &$0, context: context, depth: depth)
      }
    }
    if holdsXMP(bytes) {
      // Behind a signature, whose NULs would make it look like UTF-16; markup is none.
      let packet = MetadataSignature.packetStart(Array(bytes.prefix(96))) ?? 0
      let start = bytes[..<packet].contains(UInt8(ascii: "<")) ? 0 : packet
      bytes.rewrite(start..<bytes.count) { XMPRedaction.redact(&$0, context: context) }
    } else if bytes.contains(0), holdsXMP(bytes.filter { $0 != 0 }) {
      // Of two or four bytes a character, from an unknown place on.
      bytes.blank(0..<bytes.count)
    }
  }

  /// Whether there is a packet, or what is left of one: whatever its prefixes are, it has to name RDF.
  static func holdsXMP(_ bytes: [UInt8]) -> Bool {
    ["22-rdf-syntax-ns#", "<rdf:RDF", "xmpmeta", "rdf:Description"].contains {
      !bytes.offsets(of: $0, limit: 1).isEmpty
    }
  }
}
