import PhotoModel

/// Decodes the scans of a sequential picture into planes.
@unsafe
struct SequentialPicture {
  let layouts: [PlaneLayout]
  let size: PixelSize
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
    guard let base = bytes.baseAddress, let memory = unsafe ScanMemory(headers),
      let group = unsafe groups(scan, headers, memory)
    else { return nil }
    let units = unsafe ScanUnits(scan, layouts: layouts, size: size, in: headers)
    var reader = unsafe EntropyReader(base, count: bytes.count, from: scan.dataOffset)
    var count = 0
    let isWhole = try units.forEachRun(
      restartInterval: headers.restartInterval,
      row: { row throws(CodecError) in
        try checkpoint()
        count = unsafe fill(memory, scan, units, row: row)
      },
      run: { length in
        unsafe group.kernel(
          &reader, length, memory.slots, group.primaryCount, count, group.primary,
          group.secondary, memory.scratch) && reader.bitsLeft >= 0 && memory.hasRoom
      },
      restart: { number in
        unsafe memory.resetPredictions()
        return unsafe reader.restart(number)
      })
    guard isWhole, unsafe reader.isAtMarker else { return nil }
    return unsafe reader.safe + 8 - base
  }

  private typealias Kernel = (
    inout EntropyReader, Int, UnsafeMutablePointer<BlockSlot>, Int, Int, BlockTables, BlockTables,
    UnsafeMutablePointer<Int32>
  ) -> Bool

  /// The blocks of a unit in two groups: the first component's, and those of the others, which have
  /// their tables in common in every file that is met.
  @unsafe
  private struct Groups {
    let primary: BlockTables
    let secondary: BlockTables
    let primaryCount: Int
    let kernel: Kernel
  }

  private func groups(
    _ scan: JPEGHeaders.Scan, _ headers: JPEGHeaders, _ memory: ScanMemory
  ) -> Groups? {
    let first = scan.members[0]
    let last = scan.members[scan.members.count - 1]
    guard let dc = headers.dcCodes[first.dc], let ac = headers.acCodes[first.ac],
      let otherDC = headers.dcCodes[last.dc], let otherAC = headers.acCodes[last.ac],
      scan.members.dropFirst().allSatisfy({ member in
        headers.dcCodes[member.dc] == otherDC && headers.acCodes[member.ac] == otherAC
      })
    else { return nil }
    let cache = HuffmanTableCache.shared
    guard let dcTable = cache.dc(dc), let otherDCTable = cache.dc(otherDC) else { return nil }

    let side = unsafe layouts[first.component].side
    let otherSide = unsafe layouts[last.component].side
    guard scan.members.dropFirst().allSatisfy({ unsafe layouts[$0.component].side == otherSide }),
      let kernel = unsafe Self.kernel(side, otherSide)
    else { return nil }
    let component = headers.components[first.component]
    return unsafe Groups(
      primary: BlockTables(
        dc: dcTable, ac: cache.ac(ac, window: ACTable.lumaWindow), places: memory.places(side: side)
      ),
      secondary: BlockTables(
        dc: otherDCTable, ac: cache.ac(otherAC, window: ACTable.chromaWindow),
        places: memory.places(side: otherSide)),
      primaryCount: scan.members.count > 1 ? component.horizontal * component.vertical : 1,
      kernel: kernel)
  }

  private static func kernel(_ side: Int, _ otherSide: Int) -> Kernel? {
    switch (side, otherSide) {
    case (1, 1): unsafe SequentialKernel<Reduction1x1, Reduction1x1>.decode
    case (1, 2): unsafe SequentialKernel<Reduction1x1, Reduction2x2>.decode
    case (1, 4): unsafe SequentialKernel<Reduction1x1, Reduction4x4>.decode
    case (2, 2): unsafe SequentialKernel<Reduction2x2, Reduction2x2>.decode
    case (2, 4): unsafe SequentialKernel<Reduction2x2, Reduction4x4>.decode
    case (4, 4): unsafe SequentialKernel<Reduction4x4, Reduction4x4>.decode
    default: nil
    }
  }

  /// Sets the slots to the beginning of a row of units; returns how many a unit has.
  private func fill(
    _ memory: ScanMemory, _ scan: JPEGHeaders.Scan, _ units: ScanUnits, row: Int
  ) -> Int {
    var count = 0
    for member in scan.members {
      let layout = unsafe layouts[member.component]
      let (across, down) = units.blocks(of: layout)
      for y in 0..<down {
        for x in 0..<across {
          let start = (row * down + y) * layout.side * layout.stride + x * layout.side
          let slot = unsafe BlockSlot(
            output: outputs[member.component] + start, step: across * layout.side,
            stride: layout.stride, prediction: memory.predictions + member.component,
            quantiser: UnsafePointer(
              memory.quantisers + member.component * ScanMemory.places))
          unsafe (memory.slots + count).initialize(to: slot)
          count += 1
        }
      }
    }
    return count
  }
}
