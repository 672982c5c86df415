import ImageContainer
import PhotoModel

/// What decoding a JPEG picture takes by its declared size and process.
struct JPEGMemory: Hashable {
  /// Bytes of the coefficients that are kept while several scans are read; 0 for one scan.
  var coefficients: Int
  /// Bytes of everything else that the decoder allocates.
  var working: Int

  /// libjpeg-turbo: a picture of several scans keeps all coefficients, two bytes each, at any
  /// scale.
  ///
  /// One scan needs a few rows of blocks, upsampled, and tables.
  init(reference structure: ImageStructure) {
    let (width, height) = (structure.codedSize.width, structure.codedSize.height)
    coefficients = 0
    if Self.hasSeveralScans(structure) {
      if let components = structure.jpeg?.components, !components.isEmpty {
        let horizontal = components.map(\.horizontalSampling).max() ?? 1
        let vertical = components.map(\.verticalSampling).max() ?? 1
        for component in components {
          // Whole MCUs: libjpeg pads each component to them.
          let across = Self.roundUp(width, horizontal * 8) / horizontal
          let down = Self.roundUp(height, vertical * 8) / vertical
          coefficients +=
            across * component.horizontalSampling * down * component.verticalSampling * 2
        }
      } else {
        coefficients =
          Self.roundUp(width, 32) * Self.roundUp(height, 32) * structure.components * 2
      }
      // Block rows' pointers and the pools' headers.
      coefficients += height * structure.components + (256 << 10)
    }
    // Row buffers: at most 4 (sampling) * 8 rows a component, with context rows and the upsampler's
    // copies. An ICC profile (it lies in APP2 segments) is put together once and copied once.
    let profile = structure.segments.reduce(0) { $1.marker == 0xE2 ? $0 + $1.length : $0 }
    working =
      (width + 64) * structure.components * 128 + (512 << 10) + min(profile, 4 << 20) * 2
  }

  private static func hasSeveralScans(_ structure: ImageStructure) -> Bool {
    if structure.isProgressive { return true }
    // A scan header is 4 bytes and 2 for each component in it (ITU-T T.81 B.2.3).
    guard let scan = structure.segments.first(where: { $0.marker == 0xDA }) else { return true }
    return scan.length < 4 + 2 * structure.components
  }

  private static func roundUp(_ value: Int, _ unit: Int) -> Int {
    (value + unit - 1) / unit * unit
  }
}
