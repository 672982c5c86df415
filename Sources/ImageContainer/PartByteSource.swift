/// A part of another source, as a file of its own: a picture inside a picture.
package struct PartByteSource<Base: ByteSource>: ByteSource {
  private let base: Base
  private let range: Range<Int>

  /// - Precondition: the range lies inside the base.
  package init(_ base: Base, _ range: Range<Int>) {
    self.base = base
    self.range = range
  }

  package var count: Int { range.count }

  package func read(at offset: Int, count: Int) throws(ByteSourceError) -> [UInt8] {
    guard offset >= 0, offset < range.count, count > 0 else { return [] }
    return try base.read(
      at: range.lowerBound + offset, count: min(count, range.count - offset))
  }
}
