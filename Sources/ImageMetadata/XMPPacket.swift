import CXMP

/// An XMP packet as exempi reads it.
enum XMPPacket {
  /// The properties of a packet, or nil where exempi refuses it.
  static func properties(of packet: [UInt8]) -> XMPProperties? {
    unsafe packet.withUnsafeBytes { bytes -> XMPProperties? in
      guard let base = bytes.baseAddress, let handle = unsafe cxmp_open(base, bytes.count) else {
        return nil
      }
      defer { unsafe cxmp_close(handle) }
      var properties = XMPProperties()
      for name in XMPProperties.Name.allCases {
        let limit = XMPProperties.maximumLength
        let value = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
          guard let start = buffer.baseAddress else { return }
          filled = unsafe max(0, cxmp_property(handle, name.space, name.local, start, limit))
        }
        let text = ExifFields.trimmed(String(decoding: value, as: UTF8.self))
        if let text { properties.add(text, for: name) }
      }
      return properties
    }
  }
}
