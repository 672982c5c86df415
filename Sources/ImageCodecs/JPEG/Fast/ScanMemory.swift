/// What the kernels need beside tables and planes, for one scan: some 12 KB.
///
/// A class, so that its memory has one address for as long as a scan's slots point into it.
@unsafe
final class ScanMemory {
  /// More than the blocks that a unit may have: 10 in an interleaved scan (ITU-T T.81 B.2.3).
  static let mostSlots = 16
  /// Coefficients that any reduction wants, in zigzag order.
  static let coefficients = 25
  /// Places that a symbol can lead to from one of those: as far as a run of `ACTable.endRun` goes.
  static let places = 96

  let slots: UnsafeMutablePointer<BlockSlot>
  /// `places` for each component; beyond `coefficients` zeros.
  private let quantisers: UnsafeMutablePointer<Int32>
  let batch = unsafe BlockBatch()
  private let places: UnsafeMutablePointer<UInt8>

  /// Returns nil where a quantiser is missing, or is one that libjpeg's arithmetic has no room for.
  init?(_ headers: JPEGHeaders) {
    unsafe slots = .allocate(capacity: Self.mostSlots)
    unsafe quantisers = .allocate(capacity: 4 * Self.places)
    unsafe quantisers.initialize(repeating: 0, count: 4 * Self.places)
    unsafe places = .allocate(capacity: 2 * Self.places)
    unsafe places.initialize(repeating: 16, count: 2 * Self.places)
    for (place, natural) in unsafe Self.zigzag.enumerated() {
      let (row, column) = (Int(natural) / 8, Int(natural) % 8)
      unsafe places[place] = row < 2 && column < 2 ? UInt8(row * 2 + column) : 16
      unsafe places[Self.places + place] =
        row < 4 && column < 4 ? UInt8(row * 4 + column) : 16
    }
    for (index, component) in headers.components.enumerated() {
      guard let quantiser = headers.quantisers[component.quantiser] else { return nil }
      for place in unsafe 0..<Self.coefficients {
        guard quantiser[place] <= UInt16(Int16.max) else { return nil }
        unsafe quantisers[index * Self.places + place] = Int32(quantiser[place])
      }
    }
  }

  deinit {
    unsafe slots.deallocate()
    unsafe quantisers.deallocate()
    unsafe batch.deallocate()
    unsafe places.deallocate()
  }

  /// The quantiser of a component, in zigzag order.
  func quantiser(component: Int) -> UnsafePointer<Int32> {
    unsafe UnsafePointer(quantisers + component * Self.places)
  }

  /// Where in a reduction's coefficients each one in zigzag order belongs.
  func places(side: Int) -> UnsafePointer<UInt8> {
    unsafe UnsafePointer(side == 4 ? places + Self.places : places)
  }

  /// The first coefficients in zigzag order, as places in a block of 8x8 (T.81 figure A.6).
  private static let zigzag: [UInt8] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27,
  ]
}
