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
  /// Some writers put another byte for the second NUL.
  static func exifHeaderLength(_ head: [UInt8]) -> Int? {
    head.count >= exif.count && head.starts(with: exif.dropLast()) ? exif.count : nil
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
