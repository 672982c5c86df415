import PhotoModel

/// Decodes the DC scans of a progressive picture and steps over all others: of those the headers are
/// checked, but no bit is looked at, only their end is searched.
///
/// So damage inside of the others stays unseen; it does not change a sample.
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

    /// The lowest bit that is there of each component's coefficients; nil before their first scan.
    var lowest = unsafe [[Int?]](
      repeating: [Int?](repeating: nil, count: 64), count: layouts.count)
    /// The DC's quantisers, which count as they are at a component's first scan.
    var factors = unsafe [Int](repeating: 0, count: layouts.count)
    var scan = first
    var scans = 1
    while true {
      guard unsafe Self.isInOrder(scan, lowest) else { return nil }
      for member in scan.members {
        for place in scan.first...scan.last { lowest[member.component][place] = scan.low }
      }
      var end: Int?
      if scan.first == 0 {
        for member in scan.members where scan.high == 0 {
          let component = headers.components[member.component]
          guard let quantiser = headers.quantisers[component.quantiser],
            quantiser[0] <= UInt16(Int16.max)
          else { return nil }
          factors[member.component] = Int(quantiser[0])
        }
        end = try unsafe decode(
          scan, bytes, headers, base, coefficients, starts, checkpoint)
      } else if headers.acCodes[scan.members[0].ac] != nil {
        end = unsafe Self.endOfScan(bytes, from: scan.dataOffset)
      }
      guard let end, let part = unsafe headers.next(Span(_unsafeElements: bytes), from: end) else {
        return nil
      }
      guard case .scan(let next) = part else { break }
      guard unsafe scans < limits.maximumScans else { return nil }
      try checkpoint()
      scan = next
      scans += 1
    }
    guard lowest.allSatisfy({ $0[0] == 0 }) else { return nil }

    var planes: [[UInt16]] = []
    for (index, layout) in unsafe layouts.enumerated() {
      let factor = factors[index]
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

  /// Whether a scan may follow those that left `lowest` (T.81 G.1.1.1): one band of one component, or DCs
  /// of any; a first scan has no bits before it, a later one gives the next lower bit.
  private static func isInOrder(_ scan: JPEGHeaders.Scan, _ lowest: [[Int?]]) -> Bool {
    let isBand = scan.first > 0 && scan.first <= scan.last && scan.last < 64
    guard scan.first == 0 ? scan.last == 0 : isBand && scan.members.count == 1, scan.low <= 13
    else {
      return false
    }
    return scan.members.allSatisfy { member in
      let bits = lowest[member.component]
      guard scan.first == 0 || bits[0] != nil else { return false }
      return bits[scan.first...scan.last].allSatisfy {
        scan.high == 0 ? $0 == nil : $0 == scan.high && scan.low == scan.high - 1
      }
    }
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
          && (0..<4).allSatisfy { unsafe predictions[$0].magnitude <= 1 << 29 }
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
  /// Eight bytes at a time, in the integer registers: most of a progressive file is passed over here.
  static func endOfScan(_ bytes: UnsafeBufferPointer<UInt8>, from offset: Int) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let raw = unsafe UnsafeRawPointer(base)
    let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
    var position = max(0, offset)
    while position &+ 1 < bytes.count {
      if position &+ 9 <= bytes.count {
        let first = unsafe raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let second = unsafe raw.loadUnaligned(fromByteOffset: position &+ 1, as: UInt64.self)
        // The top bit of each byte that is 0xFF, and of each whose next one is not 0.
        let isOnes = ~((((~first) & low) &+ low) | ~first | low)
        let isFollowed = ((second & low) &+ low) | second
        if isOnes & isFollowed == 0 {
          position &+= 8
          continue
        }
      }
      let end = min(position &+ 8, bytes.count &- 1)
      while position < end {
        let next = unsafe bytes[position &+ 1]
        if unsafe bytes[position] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) {
          return position
        }
        position &+= 1
      }
    }
    return nil
  }
}
