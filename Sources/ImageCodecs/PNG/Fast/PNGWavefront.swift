/// Unfilters several rows at once, each one pixel behind the one above it: a Paeth pixel waits for the
/// one before it (a chain of a dozen cycles), so rows on their own would leave the processor idle.
///
/// Any filters may stand in its rows (ISO/IEC 15948 9.2), so a Paeth row brings its neighbours along.
/// A vector holds the pixels of four rows, or of two where pixels are of 6 and 8 bytes, and there are two
/// of them, whose chains the processor follows at the same time.
enum PNGWavefront {
  /// Rows of a group at most, and so filters of one.
  static let rows = 8

  /// Unfilters rows from `start` on; returns how many it took, 8 or 4 by the size of a pixel.
  ///
  /// Rows that are not wanted are turned into anything.
  static func run(
    _ start: UnsafeMutablePointer<UInt8>, stride: Int, count: Int, pixelBytes: Int,
    filters: SIMD8<UInt8>
  ) -> Int {
    let lines = unsafe Rows(
      start: UnsafeMutableRawPointer(start), above: UnsafeMutableRawPointer(start) - stride,
      step: stride - pixelBytes, pixels: count / pixelBytes)
    let isPaeth = filters == SIMD8(repeating: 4)
    switch pixelBytes {
    case 1: unsafe run(lines, Byte.self, Modes<Byte>.pair(filters))
    case 2: unsafe run(lines, Pair.self, Modes<Pair>.pair(filters))
    case 3 where isPaeth: unsafe run(lines, Triple.self, (Paeth(), Paeth()))
    case 3: unsafe run(lines, Triple.self, Modes<Triple>.pair(filters))
    case 4 where isPaeth: unsafe run(lines, Quad.self, (Paeth(), Paeth()))
    case 4: unsafe run(lines, Quad.self, Modes<Quad>.pair(filters))
    case 6:
      unsafe run(lines, Six.self, Modes<Six>.pair(filters))
      return 4
    default:
      unsafe run(lines, Eight.self, Modes<Eight>.pair(filters))
      return 4
    }
    return rows
  }

  /// Where the rows lie.
  ///
  /// `step`: from a pixel to the one in the next row that is unfiltered at the same time.
  @unsafe private struct Rows {
    let start, above: UnsafeMutableRawPointer
    let step, pixels: Int
  }

  @inline(__always)
  private static func run<Layout: Lanes, Predicting: Predictor>(
    _ rows: Rows, _ layout: Layout.Type, _ predictors: (Predicting, Predicting)
  ) {
    let half = Layout.rows
    let (last, behind) = unsafe (rows.pixels &- 1, 2 &* half &- 1)
    // The upper rows' vector, and the lower ones'.
    var (left, above) = (Bytes.zero, Bytes.zero)
    var (lowerLeft, lowerAbove) = (Bytes.zero, Bytes.zero)
    var (place, aboveFirst) = unsafe (rows.start, rows.above)
    let toLower = unsafe half &* rows.step
    // The next pixels are loaded before these are stored: a store may reach into the next one.
    var filtered = unsafe edge(layout, rows, first: 0, at: 0)
    var lowerFiltered = unsafe edge(layout, rows, first: half, at: 0)

    @inline(__always)
    func predict(bringing first: Layout.Pixel) {
      let (aboveLeft, lowerAboveLeft) = (above, lowerAbove)
      lowerAbove = Layout.shift(lowerLeft, bringing: Layout.last(left))
      above = Layout.shift(left, bringing: first)
      left =
        predictors.0.predict(left: left, above: above, aboveLeft: aboveLeft) &+ filtered
      lowerLeft =
        predictors.1.predict(left: lowerLeft, above: lowerAbove, aboveLeft: lowerAboveLeft)
        &+ lowerFiltered
    }

    var time = 0
    let end = last &+ 2 &* half
    while time < end {
      // Here all rows have a pixel to load and one to store.
      while time >= behind && time < last {
        unsafe predict(bringing: Layout.load(aboveFirst))
        let next = unsafe place + Layout.pixelBytes
        unsafe filtered = Layout.gather(next, step: rows.step)
        unsafe lowerFiltered = Layout.gather(next + toLower, step: rows.step)
        unsafe Layout.scatter(left, place, step: rows.step)
        unsafe Layout.scatter(lowerLeft, place + toLower, step: rows.step)
        unsafe place = unsafe next
        unsafe aboveFirst += Layout.pixelBytes
        time &+= 1
      }
      unsafe predict(bringing: time <= last ? Layout.load(aboveFirst) : 0)
      unsafe filtered = edge(layout, rows, first: 0, at: time &+ 1)
      unsafe lowerFiltered = edge(layout, rows, first: half, at: time &+ 1)
      for row in 0..<half {
        if time >= row && time &- row <= last {
          unsafe Layout.store(left, lane: row, place + row &* rows.step)
        }
        if time >= row &+ half && time &- row &- half <= last {
          unsafe Layout.store(lowerLeft, lane: row, place + toLower + row &* rows.step)
        }
      }
      unsafe place += Layout.pixelBytes
      unsafe aboveFirst += Layout.pixelBytes
      time &+= 1
    }
  }

  /// The pixels of those rows that have one at a time near the edges.
  ///
  /// The others' are zero, and so stay their neighbours: to the left of a row and above the picture all
  /// is zero.
  @inline(__always)
  private static func edge<Layout: Lanes>(
    _ layout: Layout.Type, _ rows: Rows, first: Int, at time: Int
  ) -> Bytes {
    var result = Layout.Vector.zero
    let pixels = unsafe rows.pixels
    for row in first..<first &+ Layout.rows where time >= row && time &- row < pixels {
      unsafe result[row &- first] = Layout.load(
        rows.start + time &* Layout.pixelBytes + row &* rows.step)
    }
    return Layout.bytes(result)
  }

  /// The pixels of some rows.
  fileprivate typealias Bytes = SIMD16<UInt8>
}

// MARK: predictors

extension PNGWavefront {
  fileprivate protocol Predictor {
    func predict(left: Bytes, above: Bytes, aboveLeft: Bytes) -> Bytes
  }

  /// All rows Paeth (9.4), without a bit more than a byte has.
  ///
  /// With p = left + above - aboveLeft, p is as far from left as above is from aboveLeft, as far from above
  /// as left is from aboveLeft, and from aboveLeft by the sum of both where left and above are on the same
  /// side of it (it is then never nearer than they), else by the difference.
  fileprivate struct Paeth: Predictor {
    @inline(__always)
    func predict(left: Bytes, above: Bytes, aboveLeft: Bytes) -> Bytes {
      let lowLeft = lesser(left, aboveLeft)
      let lowAbove = lesser(above, aboveLeft)
      let toLeft = greater(above, aboveLeft) &- lowAbove
      let toAbove = greater(left, aboveLeft) &- lowLeft
      let isSameSide = mask(mask(lowLeft .== aboveLeft) .== mask(lowAbove .== aboveLeft))
      let toBoth = (greater(toLeft, toAbove) &- lesser(toLeft, toAbove)) | isSameSide
      let nearest = lesser(lesser(toLeft, toAbove), toBoth)
      // Of equals left comes first, then above.
      let other = aboveLeft ^ (above ^ aboveLeft) & mask(nearest .== toAbove)
      return other ^ (left ^ other) & mask(nearest .== toLeft)
    }

    @inline(__always)
    private func lesser(_ one: Bytes, _ other: Bytes) -> Bytes {
      one.replacing(with: other, where: other .< one)
    }

    @inline(__always)
    private func greater(_ one: Bytes, _ other: Bytes) -> Bytes {
      one.replacing(with: other, where: other .> one)
    }

    /// All bits set where the answer is yes.
    @inline(__always)
    private func mask(_ answer: SIMDMask<SIMD16<Int8>>) -> Bytes {
      unsafe unsafeBitCast(answer, to: Bytes.self)
    }
  }

  /// A filter for each row, by masks.
  fileprivate struct Modes<Layout: Lanes>: Predictor {
    private var usesLeft = Bytes.zero
    private var usesAbove = Bytes.zero
    private var usesAverage = Bytes.zero
    private var usesPaeth = Bytes.zero

    /// For the upper rows and the lower ones.
    static func pair(_ filters: SIMD8<UInt8>) -> (Self, Self) {
      (Self(filters, first: 0), Self(filters, first: Layout.rows))
    }

    private init(_ filters: SIMD8<UInt8>, first: Int) {
      let width = 16 / Layout.rows
      for row in 0..<Layout.rows {
        for index in row * width..<(row + 1) * width {
          switch filters[first + row] {
          case 1: usesLeft[index] = 0xFF
          case 2: usesAbove[index] = 0xFF
          case 3: usesAverage[index] = 0xFF
          case 4: usesPaeth[index] = 0xFF
          default: break
          }
        }
      }
    }

    @inline(__always)
    func predict(left: Bytes, above: Bytes, aboveLeft: Bytes) -> Bytes {
      let paeth = Paeth().predict(left: left, above: above, aboveLeft: aboveLeft)
      // Half of the sum, rounded down: what both have, and half of what one has.
      let average = (left & above) &+ ((left ^ above) &>> 1)
      return paeth & usesPaeth | left & usesLeft | above & usesAbove | average & usesAverage
    }
  }
}

// MARK: pixels in lanes

extension PNGWavefront {
  /// How pixels of a size lie in a vector.
  fileprivate protocol Lanes {
    associatedtype Vector: SIMD where Vector.Scalar: FixedWidthInteger
    typealias Pixel = Vector.Scalar
    static var rows: Int { get }
    static var pixelBytes: Int { get }
    /// Loads one pixel; what stands beyond it is of no use.
    static func load(_ place: UnsafeMutableRawPointer) -> Pixel
    /// Stores one pixel; of three bytes a fourth may be changed, which is the next row's filter byte at
    /// most.
    static func store(_ vector: Bytes, lane: Int, _ place: UnsafeMutableRawPointer)
    static func gather(_ place: UnsafeMutableRawPointer, step: Int) -> Bytes
    static func scatter(_ vector: Bytes, _ place: UnsafeMutableRawPointer, step: Int)
    static func bytes(_ vector: Vector) -> Bytes
    static func last(_ vector: Bytes) -> Pixel
    /// Every row's pixel goes to the row below it, `first` to the first.
    static func shift(_ vector: Bytes, bringing first: Pixel) -> Bytes
  }

  /// Pixels of up to four bytes: four rows.
  fileprivate protocol FourLanes: Lanes where Vector == SIMD4<UInt32> {
    static func put(_ pixel: UInt32, _ place: UnsafeMutableRawPointer)
  }

  /// Pixels of up to eight bytes: two rows.
  fileprivate protocol TwoLanes: Lanes where Vector == SIMD2<UInt64> {
    static func put(_ pixel: UInt64, _ place: UnsafeMutableRawPointer)
  }

  fileprivate enum Byte: FourLanes {
    static var pixelBytes: Int { 1 }
    @inline(__always) static func load(_ place: UnsafeMutableRawPointer) -> UInt32 {
      unsafe UInt32(place.load(as: UInt8.self))
    }
    @inline(__always) static func put(_ pixel: UInt32, _ place: UnsafeMutableRawPointer) {
      unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: pixel), as: UInt8.self)
    }
  }

  fileprivate enum Pair: FourLanes {
    static var pixelBytes: Int { 2 }
    @inline(__always) static func load(_ place: UnsafeMutableRawPointer) -> UInt32 {
      unsafe UInt32(place.loadUnaligned(as: UInt16.self))
    }
    @inline(__always) static func put(_ pixel: UInt32, _ place: UnsafeMutableRawPointer) {
      unsafe place.storeBytes(of: UInt16(truncatingIfNeeded: pixel), as: UInt16.self)
    }
  }

  fileprivate enum Triple: FourLanes {
    static var pixelBytes: Int { 3 }
    @inline(__always) static func load(_ place: UnsafeMutableRawPointer) -> UInt32 {
      unsafe place.loadUnaligned(as: UInt32.self)
    }
    @inline(__always) static func put(_ pixel: UInt32, _ place: UnsafeMutableRawPointer) {
      unsafe place.storeBytes(of: pixel, as: UInt32.self)
    }
  }

  fileprivate enum Quad: FourLanes {
    static var pixelBytes: Int { 4 }
    @inline(__always) static func load(_ place: UnsafeMutableRawPointer) -> UInt32 {
      unsafe place.loadUnaligned(as: UInt32.self)
    }
    @inline(__always) static func put(_ pixel: UInt32, _ place: UnsafeMutableRawPointer) {
      unsafe place.storeBytes(of: pixel, as: UInt32.self)
    }
  }

  fileprivate enum Six: TwoLanes {
    static var pixelBytes: Int { 6 }
    @inline(__always) static func put(_ pixel: UInt64, _ place: UnsafeMutableRawPointer) {
      unsafe PNGUnfilter.store6(unsafeBitCast(pixel, to: SIMD8<UInt8>.self), place)
    }
  }

  fileprivate enum Eight: TwoLanes {
    static var pixelBytes: Int { 8 }
    @inline(__always) static func put(_ pixel: UInt64, _ place: UnsafeMutableRawPointer) {
      unsafe place.storeBytes(of: pixel, as: UInt64.self)
    }
  }
}

extension PNGWavefront.FourLanes {
  static var rows: Int { 4 }

  @inline(__always)
  static func store(_ vector: PNGWavefront.Bytes, lane: Int, _ place: UnsafeMutableRawPointer) {
    unsafe put(unsafeBitCast(vector, to: Vector.self)[lane], place)
  }

  @inline(__always)
  static func gather(_ place: UnsafeMutableRawPointer, step: Int) -> PNGWavefront.Bytes {
    unsafe bytes(
      SIMD4(
        load(place), load(place + step), load(place + step &* 2), load(place + step &* 3)))
  }

  @inline(__always)
  static func scatter(_ vector: PNGWavefront.Bytes, _ place: UnsafeMutableRawPointer, step: Int) {
    let pixels = unsafe unsafeBitCast(vector, to: Vector.self)
    unsafe put(pixels[0], place)
    unsafe put(pixels[1], place + step)
    unsafe put(pixels[2], place + step &* 2)
    unsafe put(pixels[3], place + step &* 3)
  }

  @inline(__always)
  static func bytes(_ vector: Vector) -> PNGWavefront.Bytes {
    unsafe unsafeBitCast(vector, to: PNGWavefront.Bytes.self)
  }

  @inline(__always)
  static func last(_ vector: PNGWavefront.Bytes) -> UInt32 {
    unsafe unsafeBitCast(vector, to: Vector.self)[3]
  }

  @inline(__always)
  static func shift(_ vector: PNGWavefront.Bytes, bringing first: UInt32) -> PNGWavefront.Bytes {
    let pixels = unsafe unsafeBitCast(vector, to: Vector.self)
    return bytes(SIMD4(first, pixels[0], pixels[1], pixels[2]))
  }
}

extension PNGWavefront.TwoLanes {
  static var rows: Int { 2 }

  /// Of six bytes the two behind them come along, which the buffer's margin allows.
  @inline(__always)
  static func load(_ place: UnsafeMutableRawPointer) -> UInt64 {
    unsafe place.loadUnaligned(as: UInt64.self)
  }

  @inline(__always)
  static func store(_ vector: PNGWavefront.Bytes, lane: Int, _ place: UnsafeMutableRawPointer) {
    unsafe put(unsafeBitCast(vector, to: Vector.self)[lane], place)
  }

  @inline(__always)
  static func gather(_ place: UnsafeMutableRawPointer, step: Int) -> PNGWavefront.Bytes {
    unsafe bytes(SIMD2(load(place), load(place + step)))
  }

  @inline(__always)
  static func scatter(_ vector: PNGWavefront.Bytes, _ place: UnsafeMutableRawPointer, step: Int) {
    let pixels = unsafe unsafeBitCast(vector, to: Vector.self)
    unsafe put(pixels[0], place)
    unsafe put(pixels[1], place + step)
  }

  @inline(__always)
  static func bytes(_ vector: Vector) -> PNGWavefront.Bytes {
    unsafe unsafeBitCast(vector, to: PNGWavefront.Bytes.self)
  }

  @inline(__always)
  static func last(_ vector: PNGWavefront.Bytes) -> UInt64 {
    unsafe unsafeBitCast(vector, to: Vector.self)[1]
  }

  @inline(__always)
  static func shift(_ vector: PNGWavefront.Bytes, bringing first: UInt64) -> PNGWavefront.Bytes {
    let pixels = unsafe unsafeBitCast(vector, to: Vector.self)
    return bytes(SIMD2(first, pixels[0]))
  }
}
