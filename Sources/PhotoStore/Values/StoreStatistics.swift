package import PhotoModel

/// Counts and sizes of a library, for its owner.
package struct StoreStatistics: Hashable, Sendable {
  /// Assets that are not in the trash, and how many of them are of each kind.
  package let assets, jpeg, png, damaged, undecodable: Int
  /// Assets in the trash.
  package let trashed: Int
  package let clients: Int
  /// Distinct originals, those of the trash included.
  package let originals: Int
  /// Bytes of distinct originals, of the index with its log, and of the thumbnail cache.
  package let originalBytes, indexBytes, thumbnailBytes: Int64
  /// Thumbnails in the cache.
  package let thumbnails: Int64
  /// The first and the last creation date of assets that are not in the trash.
  package let oldest, newest: Instant?
  /// The name of the library's time zone.
  package let timeZone: String
}
