/// Turns one filtered row back, in place (ISO/IEC 15948 9.2).
///
/// Every loop has a fixed number of bytes a pixel: one loop for all is up to four times slower.
enum PNGUnfilter {
  static func sub(_ row: UnsafeMutablePointer<UInt8>, count: Int, pixelBytes: Int) {
    switch pixelBytes {
    case 1: unsafe sub(row, count: count, UInt8.self)
    case 2: unsafe sub(row, count: count, SIMD2<UInt8>.self)
    case 3: unsafe sub3(row, count: count)
    case 4: unsafe sub(row, count: count, SIMD4<UInt8>.self)
    case 6: unsafe sub6(row, count: count)
    default: unsafe sub(row, count: count, SIMD8<UInt8>.self)
    }
  }

  static func up(
    _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    let row = UnsafeMutableRawPointer(row)
    let above = UnsafeMutableRawPointer(above)
    var index = 0
    while index &+ 32 <= count {
      let sum =
        unsafe (row + index).loadUnaligned(as: SIMD32<UInt8>.self)
        &+ (above + index).loadUnaligned(as: SIMD32<UInt8>.self)
      unsafe (row + index).storeBytes(of: sum, as: SIMD32<UInt8>.self)
      index &+= 32
    }
    while index < count {
      let sum =
        unsafe row.load(fromByteOffset: index, as: UInt8.self)
        &+ above.load(fromByteOffset: index, as: UInt8.self)
      unsafe row.storeBytes(of: sum, toByteOffset: index, as: UInt8.self)
      index &+= 1
    }
  }

  static func average(
    _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int,
    pixelBytes: Int
  ) {
    switch pixelBytes {
    case 1: unsafe average(row, above, count: count, fixed: 1)
    case 2: unsafe average(row, above, count: count, fixed: 2)
    case 3: unsafe average3(row, above, count: count)
    case 4: unsafe average(row, above, count: count, fixed: 4)
    case 6: unsafe average(row, above, count: count, fixed: 6)
    default: unsafe average(row, above, count: count, fixed: 8)
    }
  }

  // MARK: Sub

  @inline(__always)
  private static func sub(
    _ row: UnsafeMutablePointer<UInt8>, count: Int, _ pixel: UInt8.Type
  ) {
    var left: UInt8 = 0
    for index in 0..<count {
      unsafe left &+= row[index]
      unsafe row[index] = left
    }
  }

  @inline(__always)
  private static func sub<Pixel: SIMD>(
    _ row: UnsafeMutablePointer<UInt8>, count: Int, _ pixel: Pixel.Type
  ) where Pixel.Scalar == UInt8 {
    var left = Pixel()
    var place = UnsafeMutableRawPointer(row)
    let end = unsafe place + count
    while unsafe place < end {
      unsafe left &+= place.loadUnaligned(as: Pixel.self)
      unsafe place.storeBytes(of: left, as: Pixel.self)
      unsafe place += MemoryLayout<Pixel>.size
    }
  }

  private static func sub3(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
    var (red, green, blue): (UInt8, UInt8, UInt8) = (0, 0, 0)
    var place = unsafe row
    let end = unsafe row + count
    while unsafe place < end {
      unsafe red &+= place[0]
      unsafe green &+= place[1]
      unsafe blue &+= place[2]
      unsafe place[0] = red
      unsafe place[1] = green
      unsafe place[2] = blue
      unsafe place += 3
    }
  }

  private static func sub6(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
    var left = SIMD8<UInt8>.zero
    var place = UnsafeMutableRawPointer(row)
    let end = unsafe place + count
    while unsafe place < end {
      unsafe left &+= place.loadUnaligned(as: SIMD8<UInt8>.self)
      unsafe store6(left, place)
      unsafe place += 6
    }
  }

  /// Six bytes and no more: behind a row's last pixel the next row's bytes stand.
  @inline(__always)
  static func store6(_ pixel: SIMD8<UInt8>, _ place: UnsafeMutableRawPointer) {
    let bits = unsafe unsafeBitCast(pixel, to: UInt64.self)
    unsafe place.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
    unsafe (place + 4).storeBytes(of: UInt16(truncatingIfNeeded: bits >> 32), as: UInt16.self)
  }

  // MARK: Average

  private static func average3(
    _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    var (red, green, blue): (UInt32, UInt32, UInt32) = (0, 0, 0)
    var index = 0
    while index < count {
      unsafe red = ((red &+ UInt32(above[index])) >> 1 &+ UInt32(row[index])) & 0xFF
      unsafe green = ((green &+ UInt32(above[index &+ 1])) >> 1 &+ UInt32(row[index &+ 1])) & 0xFF
      unsafe blue = ((blue &+ UInt32(above[index &+ 2])) >> 1 &+ UInt32(row[index &+ 2])) & 0xFF
      unsafe row[index] = UInt8(truncatingIfNeeded: red)
      unsafe row[index &+ 1] = UInt8(truncatingIfNeeded: green)
      unsafe row[index &+ 2] = UInt8(truncatingIfNeeded: blue)
      index &+= 3
    }
  }

  @inline(__always)
  private static func average(
    _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeMutablePointer<UInt8>, count: Int,
    fixed pixelBytes: Int
  ) {
    for index in 0..<min(pixelBytes, count) { unsafe row[index] &+= above[index] >> 1 }
    var index = pixelBytes
    while index < count {
      let sum = unsafe UInt32(row[index &- pixelBytes]) &+ UInt32(above[index])
      unsafe row[index] &+= UInt8(truncatingIfNeeded: sum >> 1)
      index &+= 1
    }
  }
}
