import FoundationEssentials
package import PhotoModel

/// The identifiers of a fetch result, in order: 16 bytes an asset.
package struct PackedIDs: Sendable, Hashable {
  /// The bytes of all identifiers, one after the other; always a multiple of 16.
  private var bytes: [UInt8]

  /// The number of identifiers.
  package var count: Int { bytes.count / 16 }

  /// The identifier at an index from 0 up to `count`.
  package subscript(index: Int) -> AssetID {
    precondition(index >= 0 && index < count, "the index must lie within the fetch result")
    let b = bytes[index * 16..<index * 16 + 16]
    let i = b.startIndex
    return AssetID(
      uuid: UUID(
        uuid: (
          b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7],
          b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15]
        )))
  }

  package init(_ ids: [AssetID]) {
    bytes = []
    bytes.reserveCapacity(ids.count * 16)
    for id in ids { bytes.append(contentsOf: id.bytes) }
  }

  /// Takes over packed bytes; a last incomplete identifier is cut off.
  init(packed: [UInt8]) {
    bytes = packed
    bytes.removeLast(packed.count % 16)
  }

  /// All identifiers, in order.
  package var ids: [AssetID] { (0..<count).map { self[$0] } }
}
