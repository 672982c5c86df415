import PhotoModel

/// Decodes the DC scans of a progressive picture and steps over all others: of those no bit is looked at,
/// only their end is searched.
@unsafe
struct ProgressivePicture {
  let layouts: [PlaneLayout]
  let size: PixelSize
  let limits: DecodeLimits

  /// Returns the planes, or nil where the data is not in order.
  func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, headers: inout JPEGHeaders, first: JPEGHeaders.Scan,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> [[UInt16]]? {
    guard let base = bytes.baseAddress else { return nil }
    // The DCs of all components, one behind the other.
    let starts = unsafe layouts.reduce(into: [0]) { starts, layout in
      starts.append(starts[starts.count - 1] + layout.stride * layout.rows)
    }
    let total = starts[starts.count - 1]
    let coefficients = UnsafeMutablePointer<Int16>.allocate(capacity: max(1, total))
    unsafe coefficients.initialize(repeating: 0, count: total)
    defer { unsafe coefficients.deallocate() }

    /// The lowest bit of each component's DCs that is there; nil before its first scan.
    var lowest = unsafe [Int?](repeating: nil, count: layouts.count)
    var scan = first
    var scans = 1
    while true {
      var end: Int?
      if scan.first == 0 {
        guard scan.last == 0, scan.low <= 13 else { return nil }
        for member in scan.members {
          // A first scan has no bits before it, a later one gives the next lower bit (G.1.1.1.2).
          guard
            scan.high == 0
              ? lowest[member.component] == nil
              : lowest[member.component] == scan.high && scan.low == scan.high - 1
          else { return nil }
          lowest[member.component] = scan.low
        }
        end = try unsafe decode(
          scan, bytes, headers, base, coefficients, starts, checkpoint)
      } else {
        end = unsafe Self.endOfScan(bytes, from: scan.dataOffset)
      }
      if lowest.allSatisfy({ $0 == 0 }) { break }
      guard let end, unsafe scans < limits.maximumScans,
        let next = unsafe headers.nextScan(Span(_unsafeElements: bytes), from: end)
      else { return nil }
      try checkpoint()
      scan = next
      scans += 1
    }

    var planes: [[UInt16]] = []
    for (index, layout) in unsafe layouts.enumerated() {
      guard let quantiser = headers.quantisers[layout.component.quantiser],
        quantiser[0] <= UInt16(Int16.max)
      else { return nil }
      let factor = Int(quantiser[0])
      let source = unsafe coefficients + starts[index]
      let count = layout.stride * layout.rows
      planes.append(
        unsafe [UInt16](unsafeUninitializedCapacity: count) { samples, filled in
          for place in 0..<count {
            unsafe samples[place] = unsafe Reduction1x1.sample(
              eighths: Int(source[place]) &* factor)
          }
          filled = count
        })
    }
    return planes
  }

  /// Returns where the scan's data ended, or nil where it is not in order.
  private func decode(
    _ scan: JPEGHeaders.Scan, _ bytes: UnsafeBufferPointer<UInt8>, _ headers: JPEGHeaders,
    _ base: UnsafePointer<UInt8>, _ coefficients: UnsafeMutablePointer<Int16>, _ starts: [Int],
    _ checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> Int? {
    let units = unsafe ScanUnits(scan, layouts: layouts, size: size, in: headers)
    var tables: [DCTable?] = []
    for member in scan.members {
      let code = headers.dcCodes[member.dc]
      let table = code.flatMap { HuffmanTableCache.shared.dc($0) }
      // A refinement needs none.
      guard table != nil || scan.high > 0 else { return nil }
      tables.append(table)
    }
    let slots = unsafe UnsafeMutablePointer<CoefficientSlot>.allocate(
      capacity: ScanMemory.mostSlots)
    let predictions = UnsafeMutablePointer<Int>.allocate(capacity: 4)
    unsafe predictions.initialize(repeating: 0, count: 4)
    var count = 0
    defer {
      unsafe slots.deinitialize(count: count)
      unsafe slots.deallocate()
      unsafe predictions.deallocate()
    }
    var reader = unsafe EntropyReader(base, count: bytes.count, from: scan.dataOffset)
    let isWhole = try units.forEachRun(
      restartInterval: headers.restartInterval,
      row: { row throws(CodecError) in
        try checkpoint()
        unsafe slots.deinitialize(count: count)
        count = 0
        for (index, member) in scan.members.enumerated() {
          let layout = unsafe layouts[member.component]
          let (across, down) = units.blocks(of: layout)
          for y in 0..<down {
            for x in 0..<across {
              let start = starts[member.component] + (row * down + y) * layout.stride + x
              let slot = unsafe CoefficientSlot(
                coefficient: coefficients + start, step: across,
                prediction: predictions + member.component, table: tables[index])
              unsafe (slots + count).initialize(to: slot)
              count += 1
            }
          }
        }
      },
      run: { length in
        if scan.high == 0 {
          guard
            unsafe ProgressiveKernel.decodeFirst(
              &reader, units: length, slots: slots, count: count, shift: scan.low)
          else { return false }
        } else {
          unsafe ProgressiveKernel.decodeRefinement(
            &reader, units: length, slots: slots, count: count, shift: scan.low)
        }
        return unsafe reader.bitsLeft >= 0
      },
      restart: { number in
        unsafe predictions.update(repeating: 0, count: 4)
        return unsafe reader.restart(number)
      })
    guard isWhole, unsafe reader.isAtMarker else { return nil }
    return unsafe reader.safe + 8 - base
  }

  /// The offset of the first marker at or behind `offset` that is no restart marker; nil where the file
  /// ends before.
  ///
  /// 16 bytes at a time: most of a progressive file is passed over here.
  static func endOfScan(_ bytes: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let raw = unsafe UnsafeRawPointer(base)
    var position = offset
    while position + 1 < bytes.count {
      if position + 65 <= bytes.count {
        var found = SIMD16<UInt8>(repeating: 0)
        for step in 0..<4 {
          let place = position + 16 * step
          let first = unsafe raw.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
          let second = unsafe raw.loadUnaligned(fromByteOffset: place + 1, as: SIMD16<UInt8>.self)
          found.replace(
            with: SIMD16(repeating: 1), where: (first .== 0xFF) .& (second .!= 0))
        }
        if found == SIMD16(repeating: 0) {
          position += 64
          continue
        }
      }
      let end = min(position + 64, bytes.count - 1)
      while position < end {
        let next = unsafe bytes[position + 1]
        if unsafe bytes[position] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
          return position
        }
        position += 1
      }
    }
    return nil
  }
}
