import PhotoModel

/// Decodes the scans of a sequential picture into planes.
@unsafe
struct SequentialPicture {
  let layouts: [PlaneLayout]
  let size: PixelSize
  let segments: SegmentSizes
  /// Where the planes lie, in the order of the components.
  let outputs: [UnsafeMutablePointer<UInt16>]

  /// Decodes until every component was there once and the picture ends; false where the data is not in
  /// order.
  func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, headers: inout JPEGHeaders, first: JPEGHeaders.Scan,
    checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> Bool {
    var missing = unsafe Set(layouts.indices)
    var scan = first
    while true {
      guard scan.first == 0, scan.last == 63, scan.high == 0, scan.low == 0,
        scan.members.allSatisfy({ missing.contains($0.component) }),
        let end = try unsafe decode(scan, bytes, headers, checkpoint)
      else { return false }
      for member in scan.members { missing.remove(member.component) }
      switch unsafe headers.next(Span(_unsafeElements: bytes), from: end) {
      case .scan(let next): scan = next
      case .end: return missing.isEmpty
      case nil: return false
      }
    }
  }

  /// Returns where the scan's data ended, or nil where it is not in order.
  private func decode(
    _ scan: JPEGHeaders.Scan, _ bytes: UnsafeBufferPointer<UInt8>, _ headers: JPEGHeaders,
    _ checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> Int? {
    guard let base = bytes.baseAddress, let memory = unsafe ScanMemory(headers) else { return nil }
    let units = unsafe ScanUnits(scan, layouts: layouts, size: size, in: headers)
    let total = units.across * units.down
    let parts = unsafe parts(scan, units, headers)
    guard parts.count == scan.members.count else { return nil }
    let unitBlocks = parts.reduce(0) { $0 + $1.slotCount }

    // What follows the scan counts as its data here, which only makes the window larger.
    let bytesPerBlock = Double(bytes.count - scan.dataOffset) / Double(total * unitBlocks)
    let window = unsafe EntropyWindow(
      base, count: bytes.count, from: scan.dataOffset,
      capacity: segments.window(bytesPerBlock: bytesPerBlock))
    let blocks = unsafe BlockStarts(
      WalkPhases(
        parts.flatMap {
          [(dc: DCTable, ac: ACTable)](repeating: ($0.dc, $0.ac), count: $0.slotCount)
        }
      ), window, segments)
    let interval = headers.restartInterval > 0 ? headers.restartInterval : total
    var predictions = [Int](repeating: 0, count: parts.count)
    var unit = 0
    var checkedRow = -1
    while unit < total {
      if unit == 0 {
        unsafe window.advance(by: 0)
      } else {
        guard unsafe window.restart(unit / interval - 1) else { return nil }
        for index in predictions.indices { predictions[index] = 0 }
      }
      var first = unsafe EntropyWindow.lead * 8
      let intervalEnd = min(unit + interval, total)
      while unit < intervalEnd {
        // Once in a row: it asks the system for the time, which takes longer than a short interval.
        let row = unit / units.across
        if row != checkedRow {
          checkedRow = row
          try checkpoint()
        }
        let found =
          unsafe blocks.find(
            from: first, wanted: (intervalEnd - unit) * unitBlocks, bytesPerBlock: bytesPerBlock)
          / unitBlocks
        let last = unsafe blocks.starts[found * unitBlocks]
        let end = BlockStart.bit(last)
        guard found > 0, last & BlockStart.fault == 0, unsafe end <= window.endBit,
          unsafe read(
            parts, units, memory, window, blocks, from: unit, count: found, &predictions)
        else { return nil }
        unit += found
        let dropped = unsafe (end - 1) / 8 - EntropyWindow.lead
        first = end - dropped * 8
        unsafe window.advance(by: dropped)
      }
      // Less than a byte is left before the marker.
      guard unsafe window.isLast, unsafe window.endBit - first < 8 else { return nil }
    }
    guard unsafe window.marker != nil else { return nil }
    return unsafe window.next - base
  }

  /// A component's part in a scan.
  private struct Part {
    let component: Int
    let dc: DCTable
    let ac: ACTable
    /// Its blocks in a unit.
    let across: Int
    let down: Int
    /// How many blocks of other components are before them.
    let firstSlot: Int

    var slotCount: Int { across * down }
  }

  /// Fewer than the scan's components where a table is missing or impossible.
  private func parts(
    _ scan: JPEGHeaders.Scan, _ units: ScanUnits, _ headers: JPEGHeaders
  ) -> [Part] {
    var slots = 0
    return scan.members.compactMap { member in
      guard let dcCode = headers.dcCodes[member.dc], let acCode = headers.acCodes[member.ac],
        let dc = HuffmanTableCache.shared.dc(dcCode)
      else { return nil }
      let (across, down) = unsafe units.blocks(of: layouts[member.component])
      defer { slots += across * down }
      return Part(
        component: member.component, dc: dc, ac: HuffmanTableCache.shared.ac(acCode),
        across: across, down: down, firstSlot: slots)
    }
  }

  /// Reads the blocks of `count` units, of which `unit` is the first in the scan.
  private func read(
    _ parts: [Part], _ units: ScanUnits, _ memory: ScanMemory, _ window: EntropyWindow,
    _ blocks: BlockStarts, from unit: Int, count: Int, _ predictions: inout [Int]
  ) -> Bool {
    let unitBlocks = parts.reduce(0) { $0 + $1.slotCount }
    for (index, part) in parts.enumerated() {
      let layout = unsafe layouts[part.component]
      let source = unsafe BlockSource(
        base: window.base, dc: part.dc, ac: part.ac,
        quantiser: memory.quantiser(component: part.component),
        places: memory.places(side: layout.side), stride: layout.stride, batch: memory.batch)
      var done = 0
      while done < count {
        let (row, column) = ((unit + done) / units.across, (unit + done) % units.across)
        let length = min(units.across - column, count - done)
        unsafe fill(memory, part, layout, row: row, column: column)
        let starts = unsafe blocks.starts + done * unitBlocks + part.firstSlot
        guard
          unsafe Self.reader(layout.side)(
            source, starts, unitBlocks, length, memory.slots, part.slotCount, &predictions[index])
        else { return false }
        // Another row of differences of 15 bits must fit in 32 bits, beyond which libjpeg gives up.
        guard predictions[index].magnitude <= 1 << 29 else { return false }
        if layout.side == 1 {
          for y in 0..<part.down {
            let start = (row * part.down + y) * layout.stride + column * part.across
            unsafe Reduction1x1.finish(
              outputs[part.component] + start, count: length * part.across,
              factor: source.quantiser.pointee)
          }
        }
        done += length
      }
    }
    return true
  }

  private static func reader(
    _ side: Int
  ) -> (
    BlockSource, UnsafePointer<UInt32>, Int, Int, UnsafeMutablePointer<BlockSlot>, Int, inout Int
  ) -> Bool {
    switch side {
    case 1: unsafe BlockReader<Reduction1x1>.read
    case 2: unsafe BlockReader<Reduction2x2>.read
    default: unsafe BlockReader<Reduction4x4>.read
    }
  }

  /// Sets the slots to the blocks of a component in one unit.
  private func fill(
    _ memory: ScanMemory, _ part: Part, _ layout: PlaneLayout, row: Int, column: Int
  ) {
    for y in 0..<part.down {
      for x in 0..<part.across {
        let start =
          (row * part.down + y) * layout.side * layout.stride
          + (column * part.across + x) * layout.side
        let slot = unsafe BlockSlot(
          output: outputs[part.component] + start, step: part.across * layout.side)
        unsafe (memory.slots + y * part.across + x).initialize(to: slot)
      }
    }
  }
}
