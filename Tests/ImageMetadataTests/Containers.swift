/// The pieces of files that several tests put together by hand.

/// A JPEG file of so many pixels without image data worth the name, with these segments in front.
func picture(
  width: Int, height: Int, _ segments: [(marker: UInt8, payload: [UInt8])] = []
) -> [UInt8] {
  var bytes = jpeg(segments)
  // The frame header, 13 bytes, is followed by 13 bytes to the end; its height and width are 16 bits each.
  let frame = bytes.count - 26
  bytes[frame + 5] = UInt8(height >> 8)
  bytes[frame + 6] = UInt8(height & 0xFF)
  bytes[frame + 7] = UInt8(width >> 8)
  bytes[frame + 8] = UInt8(width & 0xFF)
  return bytes
}

/// A zlib stream (RFC 1950) of stored blocks, which anybody can check by eye.
func zlib(_ bytes: [UInt8]) -> [UInt8] {
  var result: [UInt8] = [0x78, 0x01]
  var rest = bytes[...]
  repeat {
    let block = rest.prefix(65_535)
    rest = rest.dropFirst(block.count)
    let length = block.count
    result += [rest.isEmpty ? 1 : 0, UInt8(length & 0xFF), UInt8(length >> 8)]
    result += [UInt8(~length & 0xFF), UInt8(~length >> 8 & 0xFF)] + block
  } while !rest.isEmpty
  return result + adler32(bytes)
}

/// RFC 1950 section 8.2.
func adler32(_ bytes: [UInt8]) -> [UInt8] {
  var low = 1
  var high = 0
  for byte in bytes {
    low = (low + Int(byte)) % 65_521
    high = (high + low) % 65_521
  }
  return [high >> 8, high & 0xFF, low >> 8, low & 0xFF].map { UInt8($0) }
}

/// A raw profile as ImageMagick writes it: 36 bytes a line.
func rawProfile(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
  var text = "\n\(name)\n\(bytes.count)"
  for (index, byte) in bytes.enumerated() {
    if index % 36 == 0 { text += "\n" }
    let digits = String(byte, radix: 16)
    text += digits.count == 1 ? "0" + digits : digits
  }
  return Array((text + "\n").utf8)
}

/// The data of a text chunk.
func textChunk(
  _ type: String, _ keyword: String, _ text: [UInt8]
) -> (type: String, data: [UInt8]) {
  let head = Array(keyword.utf8) + [0]
  switch type {
  case "zTXt": return (type, head + [0] + zlib(text))
  // Compressed, no language, no translated keyword.
  case "iTXt": return (type, head + [1, 0, 0, 0] + zlib(text))
  default: return (type, head + text)
  }
}
