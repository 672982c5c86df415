/// What a block of 8x8 coefficients becomes: `side` x `side` samples in eighths of a level, from the
/// coefficients up to `lastCoefficient` in zigzag order.
///
/// The kernels are made once for each, so that every number here is a constant in their loops.
protocol BlockReduction {
  static var side: Int { get }
  /// 0: only the DC.
  static var lastCoefficient: Int { get }
  /// Writes the samples; `coefficients` holds `side * side` dequantised ones, row by row.
  static func write(
    _ coefficients: UnsafeMutablePointer<Int32>, to output: UnsafeMutablePointer<UInt16>,
    stride: Int)
}

/// The DC alone: the mean of the block.
enum Reduction1x1: BlockReduction {
  static var side: Int { 1 }
  static var lastCoefficient: Int { 0 }

  @inline(__always)
  static func write(
    _ coefficients: UnsafeMutablePointer<Int32>, to output: UnsafeMutablePointer<UInt16>,
    stride: Int
  ) {
    unsafe output.pointee = sample(eighths: Int(coefficients.pointee))
  }

  /// Turns DCs, that are in `samples` as signed numbers, into samples.
  ///
  /// 16 bits are enough, since `sample` looks at the lowest 13 alone.
  @inline(never)
  static func finish(_ samples: UnsafeMutablePointer<UInt16>, count: Int, factor: Int32) {
    let factor = Int16(truncatingIfNeeded: factor)
    // The compiler makes vectors of this as long as nothing in it can trap.
    for index in 0..<count {
      let level = unsafe Int16(bitPattern: samples[index]) &* factor &+ 4
      let wrapped = (level &<< 3) &>> 3
      unsafe samples[index] = UInt16(bitPattern: max(0, min(2040, wrapped &+ 1020)))
    }
  }

  /// The DC is eight times the mean, and 128 levels below it.
  ///
  /// Of a broken file's values only so many bits count as in libjpeg's jpeg_idct_1x1, which rounds to
  /// levels and looks them up in a table of 1,024: rounded, the samples are the same.
  @inline(__always)
  static func sample(eighths value: Int) -> UInt16 {
    let wrapped = ((value &+ 4) &<< 51) &>> 51
    return UInt16(truncatingIfNeeded: max(0, min(2040, wrapped &+ 1020)))
  }
}

/// The 2x2 inverse DCT of the lowest 2x2 coefficients: with two points the transform is sum and
/// difference.
enum Reduction2x2: BlockReduction {
  static var side: Int { 2 }
  /// (0,0), (0,1), (1,0), then (2,0) which is not needed, and (1,1).
  static var lastCoefficient: Int { 4 }

  @inline(__always)
  static func write(
    _ coefficients: UnsafeMutablePointer<Int32>, to output: UnsafeMutablePointer<UInt16>,
    stride: Int
  ) {
    unsafe write(
      Int(coefficients[0]), Int(coefficients[1]), Int(coefficients[2]), Int(coefficients[3]),
      to: output, stride: stride)
  }

  /// The same for coefficients that are in registers.
  @inline(__always)
  static func write(
    _ mean: Int, _ across: Int, _ down: Int, _ both: Int,
    to output: UnsafeMutablePointer<UInt16>, stride: Int
  ) {
    unsafe output[0] = sample(mean &+ across &+ down &+ both)
    unsafe output[1] = sample(mean &- across &+ down &- both)
    unsafe output[stride] = sample(mean &+ across &- down &- both)
    unsafe output[stride + 1] = sample(mean &- across &- down &+ both)
  }

  @inline(__always)
  private static func sample(_ eighths: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: max(0, min(2040, eighths &+ 1024)))
  }
}

/// The 4x4 inverse DCT of the lowest 4x4 coefficients.
enum Reduction4x4: BlockReduction {
  static var side: Int { 4 }
  /// (3,3) is the 24th in zigzag order.
  static var lastCoefficient: Int { 24 }

  @inline(__always)
  static func write(
    _ coefficients: UnsafeMutablePointer<Int32>, to output: UnsafeMutablePointer<UInt16>,
    stride: Int
  ) {
    var rows = unsafe (
      row(coefficients, 0), row(coefficients, 4), row(coefficients, 8), row(coefficients, 12)
    )
    // In single precision the error stays below a fifth of a level as long as sums stay below 2 to the
    // 22nd: the block, and so every column, is no longer than 2 to the 19th. Those of pictures are not by far.
    let squares = rows.0 * rows.0 + rows.1 * rows.1 + rows.2 * rows.2 + rows.3 * rows.3
    if (squares.x + squares.y) + (squares.z + squares.w) > 0x1p38 {
      unsafe writeLarge(coefficients, to: output, stride: stride)
      return
    }
    rows = transform(rows)
    rows = transpose(rows)
    rows = transform(rows)
    rows = transpose(rows)
    unsafe store(rows.0, output)
    unsafe store(rows.1, output + stride)
    unsafe store(rows.2, output + 2 * stride)
    unsafe store(rows.3, output + 3 * stride)
  }

  /// The same in double precision, for coefficients that only files made for it have.
  @inline(never)
  private static func writeLarge(
    _ coefficients: UnsafeMutablePointer<Int32>, to output: UnsafeMutablePointer<UInt16>,
    stride: Int
  ) {
    // By sample and coefficient, as in `transform`; a mean of 1 comes out as 8.
    let basis: [[Double]] = [
      [1, 1.306_562_964_876_376_6, 1, 0.541_196_100_146_197],
      [1, 0.541_196_100_146_197, -1, -1.306_562_964_876_376_6],
      [1, -0.541_196_100_146_197, -1, 1.306_562_964_876_376_6],
      [1, -1.306_562_964_876_376_6, 1, -0.541_196_100_146_197],
    ]
    for y in 0..<4 {
      for x in 0..<4 {
        var sum = 0.0
        for place in 0..<16 {
          unsafe sum += Double(coefficients[place]) * basis[y][place / 4] * basis[x][place % 4]
        }
        unsafe output[y * stride + x] = UInt16(max(0, min(2040, (sum + 1024).rounded())))
      }
    }
  }

  private typealias Rows = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

  @inline(__always)
  private static func row(_ coefficients: UnsafeMutablePointer<Int32>, _ start: Int) -> SIMD4<Float>
  {
    let row = unsafe coefficients + start
    // Lane by lane: the compiler makes one instruction of this, but a call of SIMD's own conversion.
    return unsafe SIMD4(Float(row[0]), Float(row[1]), Float(row[2]), Float(row[3]))
  }

  /// Four columns at once, of which each gets twice its orthonormal 4-point inverse DCT: the square root
  /// of 2, times the cosines of pi/8 and 3 pi/8.
  @inline(__always)
  private static func transform(_ rows: Rows) -> Rows {
    let evenSum = rows.0 + rows.2
    let evenDifference = rows.0 - rows.2
    let oddSum = rows.1 * 1.306_563 + rows.3 * 0.541_196_1
    let oddDifference = rows.1 * 0.541_196_1 - rows.3 * 1.306_563
    return (
      evenSum + oddSum, evenDifference + oddDifference, evenDifference - oddDifference,
      evenSum - oddSum
    )
  }

  @inline(__always)
  private static func transpose(_ rows: Rows) -> Rows {
    (
      SIMD4(rows.0.x, rows.1.x, rows.2.x, rows.3.x), SIMD4(rows.0.y, rows.1.y, rows.2.y, rows.3.y),
      SIMD4(rows.0.z, rows.1.z, rows.2.z, rows.3.z), SIMD4(rows.0.w, rows.1.w, rows.2.w, rows.3.w)
    )
  }

  /// A mean of 1 is a coefficient of 8, and both passes doubled it: these are eighths.
  @inline(__always)
  private static func store(_ row: SIMD4<Float>, _ output: UnsafeMutablePointer<UInt16>) {
    var eighths = row + 1024
    eighths.replace(with: 0, where: eighths .< 0)
    eighths.replace(with: 2040, where: eighths .> 2040)
    // Added to 2 to the 23rd, a number's fraction is rounded away and its units are the lowest bits.
    let rounded = unsafe unsafeBitCast(eighths + 8_388_608, to: SIMD2<UInt64>.self)
    let low = rounded & 0xFFFF
    let high = (rounded &>> 16) & 0xFFFF_0000
    let pairs = low | high
    let word = pairs.x & 0xFFFF_FFFF | pairs.y &<< 32
    unsafe UnsafeMutableRawPointer(output).storeBytes(of: word.littleEndian, as: UInt64.self)
  }
}
