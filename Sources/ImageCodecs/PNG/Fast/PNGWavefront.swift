/// Unfilters several rows at once, each one pixel behind the one above it: a Paeth pixel waits for the
/// one before it (a chain of a dozen cycles), so rows on their own would leave the processor idle.
///
/// Any filters may stand in its rows (ISO/IEC 15948 9.2), so a Paeth row brings its neighbours along.
/// A vector holds the pixels of all rows, a lane each; bytes are spread to 16 bits as even and odd ones.
enum PNGWavefront {
  typealias Filters = (UInt8, UInt8, UInt8, UInt8)

  /// Unfilters rows from `start` on; returns how many it took, 4 or 2 by the size of a pixel.
  ///
  /// Rows that are not wanted are turned into anything.
  static func run(
    _ start: UnsafeMutablePointer<UInt8>, stride: Int, count: Int, pixelBytes: Int,
    filters: Filters
  ) -> Int {
    let rows = unsafe Rows(
      start: UnsafeMutableRawPointer(start), above: UnsafeMutableRawPointer(start) - stride,
      step: stride - pixelBytes, pixels: count / pixelBytes)
    let isPaeth = filters == (4, 4, 4, 4)
    switch pixelBytes {
    case 1: unsafe run(rows, Byte.self, Modes<Byte>(filters))
    case 2: unsafe run(rows, Pair.self, Modes<Pair>(filters))
    case 3 where isPaeth: unsafe run(rows, Triple.self, Paeth())
    case 3: unsafe run(rows, Triple.self, Modes<Triple>(filters))
    case 4 where isPaeth: unsafe run(rows, Quad.self, Paeth())
    case 4: unsafe run(rows, Quad.self, Modes<Quad>(filters))
    case 6:
      unsafe run(rows, Six.self, Modes<Six>(filters))
      return 2
    default:
      unsafe run(rows, Eight.self, Modes<Eight>(filters))
      return 2
    }
    return 4
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
    _ rows: Rows, _ layout: Layout.Type, _ predictor: Predicting
  ) {
    let (last, behind) = unsafe (rows.pixels &- 1, Layout.rows &- 1)
    var (left, above) = (Words.zero, Words.zero)
    var (place, aboveFirst) = unsafe (rows.start, rows.above)
    // The next pixels are loaded before these are stored: a store may reach into the next one.
    var filtered = unsafe edge(layout, rows, at: 0)
    var time = 0
    let end = last &+ Layout.rows
    while time < end {
      // Here all rows have a pixel to load and one to store.
      while time >= behind && time < last {
        let aboveLeft = above
        above = unsafe Layout.shift(left, bringing: Layout.load(aboveFirst))
        left =
          (predictor.predict(left: left, above: above, aboveLeft: aboveLeft) &+ words(filtered))
          & 0xFF
        unsafe filtered = Layout.gather(place + Layout.pixelBytes, step: rows.step)
        unsafe Layout.scatter(bytes(left), place, step: rows.step)
        unsafe place += Layout.pixelBytes
        unsafe aboveFirst += Layout.pixelBytes
        time &+= 1
      }
      let aboveLeft = above
      let first = unsafe time <= last ? Layout.load(aboveFirst) : 0
      above = Layout.shift(left, bringing: first)
      left =
        (predictor.predict(left: left, above: above, aboveLeft: aboveLeft) &+ words(filtered))
        & 0xFF
      unsafe filtered = edge(layout, rows, at: time &+ 1)
      let result = bytes(left)
      for row in 0..<Layout.rows where time >= row && time &- row <= last {
        unsafe Layout.store(result, lane: row, place + row &* rows.step)
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
    _ layout: Layout.Type, _ rows: Rows, at time: Int
  ) -> Bytes {
    var result = Layout.Vector.zero
    let pixels = unsafe rows.pixels
    for row in 0..<Layout.rows where time >= row && time &- row < pixels {
      unsafe result[row] = Layout.load(
        rows.start + time &* Layout.pixelBytes + row &* rows.step)
    }
    return Layout.bytes(result)
  }

  /// The pixels of all rows as bytes.
  fileprivate typealias Bytes = SIMD8<UInt16>
  /// The same spread: the even bytes, then the odd ones.
  fileprivate typealias Words = SIMD16<Int16>

  @inline(__always)
  private static func words(_ bytes: Bytes) -> Words {
    unsafe Words(
      lowHalf: unsafeBitCast(bytes & 0xFF, to: SIMD8<Int16>.self),
      highHalf: unsafeBitCast(bytes &>> 8, to: SIMD8<Int16>.self))
  }

  @inline(__always)
  private static func bytes(_ words: Words) -> Bytes {
    unsafe unsafeBitCast(words.lowHalf | words.highHalf &<< 8, to: Bytes.self)
  }
}

// MARK: predictors

extension PNGWavefront {
  fileprivate protocol Predictor {
    func predict(left: Words, above: Words, aboveLeft: Words) -> Words
  }

  /// All rows Paeth.
  fileprivate struct Paeth: Predictor {
    @inline(__always)
    func predict(left: Words, above: Words, aboveLeft: Words) -> Words {
      let toLeft = above &- aboveLeft
      let toAbove = left &- aboveLeft
      let distanceLeft = magnitude(toLeft)
      let distanceAbove = magnitude(toAbove)
      let distanceBoth = magnitude(toLeft &+ toAbove)
      let isNotLeft =
        mask(distanceLeft .> distanceAbove) | mask(distanceLeft .> distanceBoth)
      let isAboveLeft = mask(distanceAbove .> distanceBoth)
      let other = above ^ (above ^ aboveLeft) & isAboveLeft
      return left ^ (left ^ other) & isNotLeft
    }

    @inline(__always)
    private func magnitude(_ value: Words) -> Words {
      let sign = value &>> 15
      return (value ^ sign) &- sign
    }

    /// All bits set where the answer is yes.
    @inline(__always)
    private func mask(_ answer: SIMDMask<Words>) -> Words {
      unsafe unsafeBitCast(answer, to: Words.self)
    }
  }

  /// A filter for each row, by masks.
  fileprivate struct Modes<Layout: Lanes>: Predictor {
    private var usesLeft = Words.zero
    private var usesAbove = Words.zero
    private var usesAverage = Words.zero
    private var usesPaeth = Words.zero

    init(_ filters: Filters) {
      let all = [filters.0, filters.1, filters.2, filters.3]
      for row in 0..<Layout.rows {
        for half in [0, 8] {
          let width = 8 / Layout.rows
          for index in half + row * width..<half + (row + 1) * width {
            switch all[row] {
            case 1: usesLeft[index] = -1
            case 2: usesAbove[index] = -1
            case 3: usesAverage[index] = -1
            case 4: usesPaeth[index] = -1
            default: break
            }
          }
        }
      }
    }

    @inline(__always)
    func predict(left: Words, above: Words, aboveLeft: Words) -> Words {
      let paeth = Paeth().predict(left: left, above: above, aboveLeft: aboveLeft)
      return paeth & usesPaeth | left & usesLeft | above & usesAbove
        | ((left &+ above) &>> 1) & usesAverage
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
    /// Every row's pixel goes to the row below it, `first` to the first.
    static func shift(_ words: Words, bringing first: Pixel) -> Words
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
  static func shift(_ words: PNGWavefront.Words, bringing first: UInt32) -> PNGWavefront.Words {
    let even = unsafe unsafeBitCast(words.lowHalf, to: Vector.self)
    let odd = unsafe unsafeBitCast(words.highHalf, to: Vector.self)
    let movedEven = SIMD4(first & 0x00FF_00FF, even[0], even[1], even[2])
    let movedOdd = SIMD4(first >> 8 & 0x00FF_00FF, odd[0], odd[1], odd[2])
    return unsafe PNGWavefront.Words(
      lowHalf: unsafeBitCast(movedEven, to: SIMD8<Int16>.self),
      highHalf: unsafeBitCast(movedOdd, to: SIMD8<Int16>.self))
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
  static func shift(_ words: PNGWavefront.Words, bringing first: UInt64) -> PNGWavefront.Words {
    let even = unsafe unsafeBitCast(words.lowHalf, to: Vector.self)
    let odd = unsafe unsafeBitCast(words.highHalf, to: Vector.self)
    let movedEven = SIMD2(first & 0x00FF_00FF_00FF_00FF, even[0])
    let movedOdd = SIMD2(first >> 8 & 0x00FF_00FF_00FF_00FF, odd[0])
    return unsafe PNGWavefront.Words(
      lowHalf: unsafeBitCast(movedEven, to: SIMD8<Int16>.self),
      highHalf: unsafeBitCast(movedOdd, to: SIMD8<Int16>.self))
  }
}
