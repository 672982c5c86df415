import ImageContainer

/// A JPEG marker segment: 0xFF, the marker, the length, the payload.
func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
  let length = payload.count + 2
  return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload
}

/// Quantisation table 0 and a frame header with one byte of sampling factors a component.
func frame(
  _ marker: UInt8 = 0xC0, width: Int = 16, height: Int = 8, precision: UInt8 = 8,
  sampling: [UInt8] = [0x22, 0x11, 0x11]
) -> [UInt8] {
  var payload: [UInt8] = [
    precision, UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF),
    UInt8(sampling.count),
  ]
  for (index, factors) in sampling.enumerated() { payload += [UInt8(index + 1), factors, 0] }
  return segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)) + segment(marker, payload)
}

/// A scan header over components 1 to `components`.
func scan(components: UInt8 = 3, spectral: [UInt8] = [0, 63, 0]) -> [UInt8] {
  segment(0xDA, [components] + (1...components).flatMap { [$0, 0] } + spectral)
}

let startOfImage: [UInt8] = [0xFF, 0xD8]
let endOfImage: [UInt8] = [0xFF, 0xD9]

/// A PNG chunk; its CRC is computed bit by bit, as annex D of the specification defines it.
func chunk(_ type: String, _ data: [UInt8] = [], flippingCRC flip: UInt32 = 0) -> [UInt8] {
  let body = Array(type.utf8) + data
  var crc: UInt32 = 0xFFFF_FFFF
  for byte in body {
    crc ^= UInt32(byte)
    for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
  }
  return bigEndian(UInt32(data.count)) + body + bigEndian(~crc ^ flip)
}

func bigEndian(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
}

let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

func header(
  width: UInt32 = 3, height: UInt32 = 2, depth: UInt8 = 8, colour: UInt8 = 2,
  methods: [UInt8] = [0, 0, 0]
) -> [UInt8] {
  chunk("IHDR", bigEndian(width) + bigEndian(height) + [depth, colour] + methods)
}

/// Counts what is read.
final class CountingSource: ByteSource {
  private let bytes: MemoryByteSource
  private let counter = ReadCounter()

  init(_ bytes: [UInt8]) { self.bytes = MemoryByteSource(bytes) }

  var count: Int { bytes.count }
  var bytesRead: Int { counter.bytes }
  var largestRead: Int { counter.largest }

  func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    let result = try bytes.read(at: offset, count: count)
    counter.add(result.count)
    return result
  }
}
