/// What IHDR says beyond size and depth (ISO/IEC 15948 11.2.2).
package struct PNGHeader: Hashable, Sendable {
  /// 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha.
  package let colourType: UInt8
  package let bitDepth: Int
  package let isInterlaced: Bool
  /// Where the first IDAT chunk stands (its length field), or nil if there is none.
  package internal(set) var firstDataOffset: Int?

  package init(
    colourType: UInt8, bitDepth: Int, isInterlaced: Bool, firstDataOffset: Int? = nil
  ) {
    self.colourType = colourType
    self.bitDepth = bitDepth
    self.isInterlaced = isInterlaced
    self.firstDataOffset = firstDataOffset
  }

  /// The channels; a palette's index is one.
  package var channels: Int {
    switch colourType {
    case 2: 3
    case 4: 2
    case 6: 4
    default: 1
    }
  }

  /// Whether the depth is allowed with the colour type (table 11.1).
  static func allows(colourType: UInt8, bitDepth: Int) -> Bool {
    switch colourType {
    case 0: [1, 2, 4, 8, 16].contains(bitDepth)
    case 3: [1, 2, 4, 8].contains(bitDepth)
    case 2, 4, 6: [8, 16].contains(bitDepth)
    default: false
    }
  }
}
