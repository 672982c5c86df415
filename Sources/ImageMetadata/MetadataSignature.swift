/// What the blocks of metadata begin with.
enum MetadataSignature {
  /// APP1 (CIPA DC-008 4.5.4).
  static let exif = Array("Exif\0\0".utf8)
  /// APP1 (XMP specification part 3, 1.1.3).
  static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  /// APP1: the GUID as 32 digits, the length of the whole and the offset of this part follow
  /// (XMP specification part 3, 1.1.3.1).
  static let extendedXMP = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  /// APP2 (CIPA DC-007 5.1).
  static let multiPicture = Array("MPF\0".utf8)
  /// APP13.
  static let photoshop = Array("Photoshop 3.0\0".utf8)
  /// The keyword of a PNG text with XMP (XMP specification part 3, 1.1.5).
  static let xmpKeyword = "XML:com.adobe.xmp"

  /// Where a TIFF block begins in an EXIF segment, or nil where it is none.
  ///
  /// Some writers put another byte for the second NUL, a few before it all, or small letters; readers
  /// take it as it comes, so a place in such a block is a place.
  static func exifHeaderLength(_ head: [UInt8]) -> Int? {
    for start in 0...4 where head.count >= start + exif.count {
      let name = head[start..<(start + 5)].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      if name.elementsEqual("exif\0".utf8) { return start + exif.count }
    }
    return nil
  }

  /// Where a packet begins in an APP1 segment whose signature is damaged or of another writer's: markup
  /// of XMP near the start.
  static func packetStart(_ head: [UInt8]) -> Int? {
    for start in head.indices where head[start] == UInt8(ascii: "<") {
      let rest = head[start...]
      if rest.starts(with: "<?xpacket begin=".utf8) || rest.starts(with: "<x:xmpmeta".utf8) {
        return start
      }
    }
    return nil
  }
}
