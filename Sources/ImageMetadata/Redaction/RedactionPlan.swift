package import ImageContainer

/// How the bytes of a picture become bytes that tell no place: overwritten where they stand, and cut
/// behind the picture.
///
/// Every byte that no edit names stays as it is, and so does every length but the file's, from which
/// what follows the picture (a video, as a rule) is left out. A value: safe from any thread.
package struct RedactionPlan: Hashable, Sendable {
  /// One run of bytes to overwrite.
  package struct Edit: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
      /// As many bytes as the range has.
      case bytes([UInt8])
      /// One byte, again and again.
      case fill(UInt8)
    }

    /// Offsets in the file.
    package let range: Range<Int>
    package let content: Content

    package init(range: Range<Int>, content: Content) {
      self.range = range
      self.content = content
    }

    /// The byte that is to stand at an offset inside the range.
    func byte(at offset: Int) -> UInt8 {
      switch content {
      case .fill(let byte): return byte
      case .bytes(let bytes):
        let index = offset - range.lowerBound
        return bytes.indices.contains(index) ? bytes[index] : 0
      }
    }
  }

  /// Sorted by offset, none empty, none overlapping another.
  package let edits: [Edit]
  /// The number of bytes that are left.
  package let length: Int

  init(edits: [Edit], length: Int) {
    self.edits = edits.filter { !$0.range.isEmpty && $0.range.lowerBound < length }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    self.length = length
  }

  /// Whether a file of so many bytes stays as it is.
  package func isIdentity(forCount count: Int) -> Bool { edits.isEmpty && length == count }

  /// Overwrites what of a window of the file the plan names.
  ///
  /// - Parameters:
  ///   - window: bytes of the original.
  ///   - offset: where in the file the window begins.
  package func apply(to window: inout [UInt8], at offset: Int) {
    let end = offset + window.count
    // The first edit that ends behind the window's start, by bisection.
    var low = 0
    var high = edits.count
    while low < high {
      let middle = low + (high - low) / 2
      if edits[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
    }
    for edit in edits[low...] {
      guard edit.range.lowerBound < end else { return }
      for position in max(edit.range.lowerBound, offset)..<min(edit.range.upperBound, end) {
        window[position - offset] = edit.byte(at: position)
      }
    }
  }
}

/// Why no bytes without places can be given; they are then not given at all.
package struct RedactionError: Error, Hashable, Sendable {
  /// A sentence, without a full stop.
  package let message: String
  /// Whether reading failed, which may go better another time.
  package let isUnreadable: Bool

  package init(message: String, isUnreadable: Bool = false) {
    self.message = message
    self.isUnreadable = isUnreadable
  }
}

/// The bytes of a picture as a plan leaves them.
package struct RedactedByteSource: ByteSource {
  private let base: any ByteSource
  private let plan: RedactionPlan

  package init(_ base: any ByteSource, plan: RedactionPlan) {
    self.base = base
    self.plan = plan
  }

  package var count: Int { min(plan.length, base.count) }

  package func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    guard offset >= 0, offset < self.count, count > 0 else { return [] }
    var bytes = try base.read(at: offset, count: min(count, self.count - offset))
    plan.apply(to: &bytes, at: offset)
    return bytes
  }
}
