/// Changes one thing of a JPEG file at a time: data, codes, quantisers, sizes, scans, restarts.
struct JPEGMutator {
  private var random: UInt64

  init(seed: UInt32) { random = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1 }

  /// A changed file; nil where this one cannot be taken apart.
  mutating func changed(_ file: [UInt8]) -> [UInt8]? {
    guard var parts = JPEGParts(file), !parts.segments.isEmpty else { return nil }
    for _ in 0...below(3) { change(&parts) }
    return parts.file
  }

  /// 0 to `limit` - 1, by xorshift (Marsaglia: "Xorshift RNGs", 2003).
  mutating func below(_ limit: Int) -> Int {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return limit > 0 ? Int((random >> 16) % UInt64(limit)) : 0
  }

  private mutating func change(_ parts: inout JPEGParts) {
    let index: Int
    let kinds: [ClosedRange<UInt8>] = [
      0xDA...0xDA, 0xDA...0xDA, 0xDA...0xDA, 0xC4...0xC4, 0xDB...0xDB, 0xC0...0xC2, 0xDD...0xDD,
    ]
    let kind = kinds[below(kinds.count)]
    let places = parts.segments.indices.filter { kind.contains(parts.segments[$0].marker) }
    if places.isEmpty {
      // Mostly where there are no restarts.
      parts.segments.insert(
        JPEGParts.Segment(marker: 0xDD, payload: [0, UInt8(below(9))]),
        at: below(parts.segments.count))
      return
    }
    index = places[below(places.count)]
    if below(24) == 0 {
      changeOrder(&parts, index)
      return
    }
    switch parts.segments[index].marker {
    case 0xDA:
      if below(6) == 0 {
        changeScan(&parts.segments[index].payload)
      } else {
        changeData(&parts.segments[index].runs)
      }
    case 0xC4: changeCode(&parts.segments[index].payload)
    case 0xDB: changeByte(&parts.segments[index].payload, from: below(8) == 0 ? 0 : 1)
    case 0xDD: parts.segments[index].payload = [0, UInt8(below(9))]
    default: changeFrame(&parts.segments[index])
    }
  }

  private mutating func changeOrder(_ parts: inout JPEGParts, _ index: Int) {
    switch below(3) {
    case 0: parts.segments.remove(at: index)
    case 1: parts.segments.insert(parts.segments[index], at: below(parts.segments.count))
    default: parts.segments.swapAt(index, below(parts.segments.count))
    }
  }

  private mutating func changeByte(_ bytes: inout [UInt8], from start: Int) {
    guard start < bytes.count else { return }
    let place = start + below(bytes.count - start)
    switch below(3) {
    case 0: bytes[place] ^= 1 << UInt8(below(8))
    case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF][below(6)]
    default: bytes[place] = UInt8(below(256))
    }
  }

  private mutating func changeData(_ runs: inout [[UInt8]]) {
    guard !runs.isEmpty else { return }
    let index = below(runs.count)
    let count = runs[index].count
    switch below(10) {
    case 0: runs.remove(at: index)
    case 1: runs.insert(runs[index], at: index)
    case 2 where count > 1: runs[index].removeLast(1 + below(min(count - 1, 4)))
    case 3: runs[index] += (0...below(4)).map { _ in UInt8(below(256)) }
    case 4 where count > 0: runs[index].remove(at: below(count))
    case 5: runs[index].insert(UInt8(below(256)), at: below(count + 1))
    case 6 where count > 0:
      let start = below(count)
      let part = runs[index][start..<min(count, start + 1 + below(32))]
      runs[index].insert(contentsOf: part, at: below(count + 1))
    case 7 where count > 0:
      let start = below(count)
      for place in start..<min(count, start + 1 + below(16)) { runs[index][place] = 0xFF }
    default: changeByte(&runs[index], from: 0)
    }
  }

  /// Another symbol, or a code that is longer here and shorter there.
  private mutating func changeCode(_ payload: inout [UInt8]) {
    guard payload.count > 18 else { return }
    switch below(5) {
    case 0: payload[0] ^= [1, 2, 0x10][below(3)]
    case 1, 2:
      let (from, to) = (1 + below(16), 1 + below(16))
      guard payload[from] > 0, payload[to] < 255 else { return }
      payload[from] -= 1
      payload[to] += 1
    case 3: payload.swapAt(17 + below(payload.count - 17), 17 + below(payload.count - 17))
    default: changeByte(&payload, from: 17)
    }
  }

  private mutating func changeScan(_ payload: inout [UInt8]) {
    guard let count = payload.first.map({ Int($0) }), payload.count == 4 + 2 * count, count > 0
    else { return }
    switch below(4) {
    case 0: payload[2 + 2 * below(count)] ^= [1, 0x10, 0x11, 0x22][below(4)]
    case 1: payload.swapAt(1 + 2 * below(count), 1 + 2 * below(count))
    case 2: payload[payload.count - 1] = UInt8(below(4) << 4 | below(4))
    default: changeByte(&payload, from: 0)
    }
  }

  private mutating func changeFrame(_ segment: inout JPEGParts.Segment) {
    guard segment.payload.count >= 9 else { return }
    switch below(5) {
    case 0: segment.marker = 0xC0 + UInt8(below(3))
    case 1: segment.payload[2] = UInt8(1 + below(64))
    case 2: segment.payload[4] = UInt8(1 + below(64))
    case 3:
      let component = below((segment.payload.count - 6) / 3)
      segment.payload[7 + 3 * component] = UInt8((1 + below(4)) << 4 | (1 + below(4)))
    default: changeByte(&segment.payload, from: 6)
    }
  }
}

/// libFuzzer's own way to change bytes.
@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

/// Asked for once: each look at the environment copies all of it.
private let isTarget = FuzzTarget.chosen == .jpegScan

/// Called to change an input of `count` bytes in place, to `most` at most.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: CUnsignedInt
) -> Int {
  var mutator = JPEGMutator(seed: seed)
  guard isTarget, mutator.below(8) > 0,
    let changed = unsafe mutator.changed(Array(UnsafeBufferPointer(start: bytes, count: count))),
    changed.count <= most
  else { return unsafe mutate(bytes, count, most) }
  for (index, byte) in changed.enumerated() { unsafe bytes[index] = byte }
  return changed.count
}
