package import PhotoModel

/// The planes of a JPEG picture at a reduced scale, by entropy decoding of its own.
///
/// It takes sequential and progressive Huffman pictures of 8 bits with one or three components whose
/// data is in order. Whatever else it meets, it gives up with `nil`, and libjpeg-turbo gets the file: that
/// knows what can be saved of a broken one, and tells.
package struct FastJPEGDecoder {
  /// What came out of a file.
  struct Planes {
    var planes: [ReducedPlane]
    var colours: JPEGHeaders.Colours
    var profile: [UInt8]?
  }

  private let limits: DecodeLimits
  private let segments: SegmentSizes

  package init(limits: DecodeLimits, segments: SegmentSizes = .normal) {
    self.limits = limits
    self.segments = segments
  }

  /// The planes of all components without what turns them into a picture: for measuring.
  ///
  /// `samplesPerBlock` is 1, 2 or 4 for components that are sampled finest, `coarse` the same for others;
  /// of a progressive picture both are 1. Nil where this decoder does not take the picture.
  package func planes(
    _ bytes: [UInt8], size: PixelSize, samplesPerBlock: Int, coarse: Int
  ) throws(CodecError) -> [[UInt16]]? {
    try planes(
      bytes, size: size,
      samplesPerBlock: { component, headers in
        component.horizontal == headers.widest && component.vertical == headers.tallest
          ? samplesPerBlock : coarse
      }, checkpoint: { () throws(CodecError) in }
    )?.planes.map(\.samples)
  }

  /// Decodes a picture that is `size` large, as its container says.
  ///
  /// `samplesPerBlock` answers 1, 2 or 4 for each component, of which it is told the sampling factors;
  /// of a progressive picture only 1 is possible. `checkpoint` is called once a row of blocks, or once
  /// for some rows together; what it throws ends the work.
  ///
  /// - Returns: nil where this decoder does not take the picture, or where its data is not in order.
  func planes(
    _ bytes: [UInt8], size: PixelSize,
    samplesPerBlock: (_ component: JPEGHeaders.Component, JPEGHeaders) -> Int,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> Planes? {
    var headers = JPEGHeaders()
    guard case .scan(let first)? = headers.next(bytes.span, from: 0), !headers.hasUnknownTransform
    else { return nil }
    guard size.width > 0, size.height > 0, headers.size.width == size.width,
      headers.size.height == size.height || headers.size.height == 0
    else { return nil }
    let sides = headers.components.map { samplesPerBlock($0, headers) }
    guard sides.allSatisfy({ [1, 2, 4].contains($0) }) else { return nil }
    guard !headers.isProgressive || sides.allSatisfy({ $0 == 1 }) else { return nil }
    let layouts = zip(headers.components, sides).map {
      PlaneLayout($0, side: $1, of: size, in: headers)
    }

    let samples = try unsafe bytes.withUnsafeBufferPointer {
      bytes throws(CodecError) -> [[UInt16]]? in
      if headers.isProgressive {
        return try unsafe ProgressivePicture(layouts: layouts, size: size, limits: limits).decode(
          bytes, headers: &headers, first: first, checkpoint: checkpoint)
      }
      // A variable for each plane, so that all can be written to at the same time.
      var (one, two, three) = (
        Self.empty(layouts, 0), Self.empty(layouts, 1), Self.empty(layouts, 2)
      )
      let isGood = try unsafe one.withUnsafeMutableBufferPointer { one throws(CodecError) -> Bool in
        try unsafe two.withUnsafeMutableBufferPointer { two throws(CodecError) -> Bool in
          try unsafe three.withUnsafeMutableBufferPointer { three throws(CodecError) -> Bool in
            let outputs = unsafe [one.baseAddress, two.baseAddress, three.baseAddress]
            let picture = unsafe SequentialPicture(
              layouts: layouts, size: size, segments: segments,
              outputs: outputs.compactMap { unsafe $0 })
            guard unsafe picture.outputs.count >= layouts.count else { return false }
            return try unsafe picture.decode(
              bytes, headers: &headers, first: first, checkpoint: checkpoint)
          }
        }
      }
      return isGood ? [one, two, three] : nil
    }
    guard let samples, headers.size.height > 0 || headers.lines == size.height else { return nil }
    return Planes(
      planes: layouts.indices.map { layouts[$0].plane(samples[$0]) },
      colours: headers.colours,
      profile: headers.profile(bytes.span, limit: limits.profile))
  }

  private static func empty(_ layouts: [PlaneLayout], _ index: Int) -> [UInt16] {
    guard index < layouts.count else { return [0] }
    return [UInt16](repeating: 0, count: layouts[index].stride * layouts[index].rows)
  }

  /// Bytes that decoding allocates for a picture of `size`, apart from the file's bytes.
  static func memory(
    _ headers: [(horizontal: Int, vertical: Int, samplesPerBlock: Int)], size: PixelSize,
    isProgressive: Bool
  ) -> Int {
    let widest = headers.map(\.horizontal).max() ?? 1
    let tallest = headers.map(\.vertical).max() ?? 1
    var bytes = 1 << 20
    for component in headers {
      let blocks =
        ((size.width + 8 * widest - 1) / (8 * widest) * component.horizontal)
        * ((size.height + 8 * tallest - 1) / (8 * tallest) * component.vertical)
      let samples = component.samplesPerBlock * component.samplesPerBlock
      bytes += blocks * (samples * 2 + (isProgressive ? 2 : 0))
    }
    return bytes
  }
}

/// Where the blocks of a component lie in its plane.
///
/// The plane is padded to whole units of the picture's scans.
struct PlaneLayout {
  let component: JPEGHeaders.Component
  let side: Int
  /// Blocks that the component's own scans have (T.81 A.2.2).
  let blocksAcross: Int
  let blocksDown: Int
  /// Samples of a row.
  let stride: Int
  let rows: Int
  private let visible: PixelSize
  private let pixelsPerSample: (x: Int, y: Int)

  init(_ component: JPEGHeaders.Component, side: Int, of size: PixelSize, in headers: JPEGHeaders) {
    self.component = component
    self.side = side
    let (widest, tallest) = (headers.widest, headers.tallest)
    let width = ceiling(size.width * component.horizontal, widest)
    let height = ceiling(size.height * component.vertical, tallest)
    blocksAcross = ceiling(width, 8)
    blocksDown = ceiling(height, 8)
    stride = ceiling(size.width, 8 * widest) * component.horizontal * side
    rows = ceiling(size.height, 8 * tallest) * component.vertical * side
    // As libjpeg counts the samples of a component at a reduced scale.
    visible = PixelSize(
      width: ceiling(size.width * component.horizontal * side, widest * 8),
      height: ceiling(size.height * component.vertical * side, tallest * 8))
    pixelsPerSample = (
      8 / side * (widest / component.horizontal), 8 / side * (tallest / component.vertical)
    )
  }

  func plane(_ samples: [UInt16]) -> ReducedPlane {
    ReducedPlane(
      size: visible, stride: stride, samples: samples, samplesPerBlock: side,
      pixelsPerSample: pixelsPerSample)
  }
}

private func ceiling(_ value: Int, _ divisor: Int) -> Int { (value + divisor - 1) / divisor }

/// The units of a scan (T.81 A.2): of several components they are interleaved, of one they are its
/// blocks.
struct ScanUnits {
  let across: Int
  let down: Int
  let isInterleaved: Bool

  init(_ scan: JPEGHeaders.Scan, layouts: [PlaneLayout], size: PixelSize, in headers: JPEGHeaders) {
    isInterleaved = scan.members.count > 1
    if isInterleaved {
      across = ceiling(size.width, 8 * headers.widest)
      down = ceiling(size.height, 8 * headers.tallest)
    } else {
      across = layouts[scan.members[0].component].blocksAcross
      down = layouts[scan.members[0].component].blocksDown
    }
  }

  /// The blocks of a component in one unit, across and down.
  func blocks(of layout: PlaneLayout) -> (across: Int, down: Int) {
    isInterleaved ? (layout.component.horizontal, layout.component.vertical) : (1, 1)
  }

  /// Calls `body` for as many units as stand between restart markers or in a row, `restart` at each
  /// marker.
  ///
  /// Both answer false to end it.
  func forEachRun(
    restartInterval: Int, row: (Int) throws(CodecError) -> Void,
    run: (_ units: Int) -> Bool, restart: (_ number: Int) -> Bool
  ) throws(CodecError) -> Bool {
    var untilRestart = restartInterval > 0 ? restartInterval : Int.max
    var number = 0
    for index in 0..<down {
      try row(index)
      var left = across
      while left > 0 {
        if untilRestart == 0 {
          guard restart(number) else { return false }
          number = (number + 1) & 7
          untilRestart = restartInterval
        }
        let units = min(left, untilRestart)
        guard run(units) else { return false }
        left -= units
        untilRestart -= restartInterval > 0 ? units : 0
      }
    }
    return true
  }
}
