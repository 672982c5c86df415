/// How a scan's data is cut into segments.
package struct SegmentSizes: Sendable {
  /// Blocks that a segment has on average.
  let blocks: Int
  /// Blocks that a segment has at most; where there are more of them, the true walk goes on alone.
  let segmentRoom: Int
  let most: Int
  /// Below that many bytes a segment would be found out of step for too much of its length.
  let shortest: Int

  /// So that what is worked on at a time stays in a second-level cache.
  package static let normal = SegmentSizes(blocks: 2048, segmentRoom: 4096, most: 12, shortest: 512)
  /// So small that a picture of some blocks has all the cases of a large one: for tests.
  package static let tiny = SegmentSizes(blocks: 6, segmentRoom: 16, most: 9, shortest: 3)

  /// Blocks that are found at a time, at most.
  var room: Int { segmentRoom * most }

  /// Bytes that are worth holding in a window.
  func window(bytesPerBlock: Double) -> Int {
    Int(Double(blocks * most) * max(0.25, min(bytesPerBlock, 1024)))
  }
}

/// Finds where the blocks of a scan begin, some thousands at a time.
///
/// A Huffman code has no marks, so to know where a block begins one has to decode all that stands before.
/// But one who starts anywhere, as if a unit began there, is soon right by chance and then stays right: from
/// a place where the true walk and a guessed one both begin the same block of a unit, they are the same. In
/// photographs that takes some tens of bytes, some hundreds at times (S. T. Klein, Y. Wiseman, "Parallel
/// Huffman Decoding with Applications to JPEG Files", The Computer Journal 46(5), 2003).
///
/// So the window is cut into segments, which three walks take in turn. Then the segments are joined: from
/// the end of one the true walk goes on alone until it meets the next one's. A segment that it does not
/// meet, as in data made for that, is walked alone: slower, but never wrong.
@unsafe
final class BlockStarts {
  /// A walk may go so many blocks beyond its limit.
  private static let slack = 4
  /// Blocks that the true walk takes before it looks whether it has met the next segment.
  private static let stride = 12
  /// The last bytes of a window that goes on: a walk ends before them, and what it read was data.
  private static let margin = 64

  @unsafe
  private struct Segment {
    /// As a walk's `place`.
    let end: UInt64
    var walk: BlockWalk
  }

  /// Where blocks begin, in order from the first that was asked for; behind them one more, where the last
  /// one ends.
  let starts: UnsafeMutablePointer<UInt32>
  private let sizes: SegmentSizes
  private let phases: WalkPhases
  private let window: EntropyWindow
  /// `segmentRoom` starts and some slack for each segment.
  private let segmentStarts: UnsafeMutablePointer<UInt32>
  private let walks: UnsafeMutablePointer<BlockWalk>

  init(_ phases: WalkPhases, _ window: EntropyWindow, _ sizes: SegmentSizes) {
    unsafe self.sizes = sizes
    unsafe self.phases = unsafe phases
    unsafe self.window = unsafe window
    unsafe starts = .allocate(capacity: sizes.room + Self.stride + 2 * Self.slack)
    unsafe segmentStarts = .allocate(
      capacity: (sizes.segmentRoom + 2 * Self.slack) * sizes.most)
    unsafe walks = .allocate(capacity: 3)
  }

  deinit {
    unsafe starts.deallocate()
    unsafe segmentStarts.deallocate()
    unsafe walks.deallocate()
  }

  /// Finds up to `wanted` blocks from the bit `first` of the window on, where a unit begins.
  ///
  /// `bytesPerBlock` is about how many bytes of data a block has. Returns how many were found: fewer where
  /// the window ends before, or has as many as are found at a time. A block that is found where the
  /// window's data is at its end may begin or end behind it.
  func find(from first: Int, wanted: Int, bytesPerBlock: Double) -> Int {
    let lastBit = unsafe window.endBit - (window.isLast ? 0 : Self.margin * 8)
    let end = UInt64(max(0, lastBit) >> 3) << 6
    let bytes = max(0, lastBit - first) / 8
    let blocks = min(wanted, Int(Double(bytes) / max(bytesPerBlock, 0.25)))
    var count = unsafe min(
      sizes.most, blocks / (sizes.blocks / 6), bytes / sizes.shortest)
    count -= count % 3
    guard count > 0 else {
      var walk = unsafe BlockWalk(BlockStart.at(bit: first), phases, window.base, to: starts)
      unsafe BlockWalk.alone(&walk, until: end, limit: min(wanted, sizes.room), window.base)
      return unsafe min(walk.output - starts - 1, wanted)
    }
    let segments = unsafe (0..<count).map { index in
      let start = first + bytes * index / count * 8
      let next = (first + bytes * (index + 1) / count * 8) >> 3
      return unsafe Segment(
        end: index + 1 < count ? UInt64(next) << 6 : end,
        walk: BlockWalk(BlockStart.at(bit: start), phases, window.base, to: starts(of: index)))
    }
    return unsafe min(join(walked(segments), until: end, wanted: wanted), wanted)
  }

  private func starts(of segment: Int) -> UnsafeMutablePointer<UInt32> {
    unsafe segmentStarts + segment * (sizes.segmentRoom + 2 * Self.slack)
  }

  /// Walks all segments, three at a time; when none is left to begin with, the last two alone.
  private func walked(_ segments: [Segment]) -> [Segment] {
    var segments = unsafe segments
    var taken = [0, 1, 2]
    for slot in 0..<3 { unsafe (walks + slot).initialize(to: segments[slot].walk) }
    var next = 3
    while true {
      let room = (0..<3).map { slot in
        unsafe sizes.segmentRoom - (walks[slot].output - starts(of: taken[slot]))
      }
      unsafe BlockWalk.together(
        walks, until: (segments[taken[0]].end, segments[taken[1]].end, segments[taken[2]].end),
        limit: room.min() ?? 0, window.base)
      var isOver = false
      for slot in 0..<3 {
        let segment = taken[slot]
        let found = unsafe walks[slot].output - starts(of: segment)
        guard unsafe walks[slot].place >= segments[segment].end || found + 3 > sizes.segmentRoom
        else { continue }
        unsafe segments[segment].walk = unsafe walks[slot]
        if unsafe next < segments.count {
          unsafe walks[slot] = unsafe segments[next].walk
          taken[slot] = next
          next += 1
        } else {
          taken[slot] = -1
          isOver = true
        }
      }
      guard isOver else { continue }
      for slot in 0..<3 where taken[slot] >= 0 {
        let segment = taken[slot]
        let found = unsafe walks[slot].output - starts(of: segment)
        unsafe BlockWalk.alone(
          &walks[slot], until: segments[segment].end, limit: sizes.segmentRoom - found, window.base)
        unsafe segments[segment].walk = unsafe walks[slot]
      }
      return unsafe segments
    }
  }

  /// Puts what the segments found together into `starts`; returns how many whole blocks that are.
  private func join(_ segments: [Segment], until end: UInt64, wanted: Int) -> Int {
    var walk = unsafe segments[0].walk
    var count = unsafe append(0, 0, to: 0, walk)
    for segment in unsafe 1..<segments.count {
      let guessed = unsafe starts(of: segment)
      let guessedCount = unsafe segments[segment].walk.output - guessed
      guard count <= wanted, unsafe count + guessedCount <= sizes.room else { break }
      var met: (own: Int, guessed: Int)?
      var place = 0
      // The first of the true walk's last starts that may be the same as a guessed one.
      var checked = count - 1
      let begin = unsafe BlockStart.bit(guessed[0])
      while checked > 0, unsafe BlockStart.bit(starts[checked - 1]) >= begin { checked -= 1 }
      while true {
        while checked < count, place < guessedCount {
          let bit = unsafe BlockStart.bit(starts[checked])
          while place < guessedCount, unsafe BlockStart.bit(guessed[place]) < bit { place += 1 }
          if place < guessedCount, unsafe BlockStart.bit(guessed[place]) == bit,
            unsafe (place - checked) % phases.count == 0,
            unsafe guessed[place] & BlockStart.fault == 0
          {
            met = (checked, place)
            break
          }
          checked += 1
        }
        guard met == nil, place < guessedCount, unsafe walk.place < end, count <= wanted,
          unsafe count + Self.stride + guessedCount <= sizes.room
        else { break }
        unsafe walk.output = unsafe starts + count
        unsafe BlockWalk.alone(&walk, until: end, limit: Self.stride, window.base)
        unsafe count = walk.output - starts
      }
      if let met {
        unsafe walk = unsafe segments[segment].walk
        count = unsafe append(segment, met.guessed + 1, to: met.own + 1, walk)
      }
    }
    // Whatever was met, a whole unit is found, or the caller would not get on.
    while unsafe walk.place < end, unsafe count <= min(wanted, phases.count) {
      unsafe walk.output = unsafe starts + count
      unsafe BlockWalk.alone(&walk, until: end, limit: Self.stride, window.base)
      unsafe count = walk.output - starts
    }
    return count - 1
  }

  /// Copies the starts of a segment from the one `first` on behind the first `count`; returns how many
  /// there are then.
  private func append(_ segment: Int, _ first: Int, to count: Int, _ walk: BlockWalk) -> Int {
    let source = unsafe starts(of: segment) + first
    let length = unsafe walk.output - source
    unsafe (starts + count).update(from: source, count: length)
    return count + length
  }
}
