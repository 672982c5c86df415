import PhotoStore

/// What the thumbnail cache of a library holds.
public struct ThumbnailCacheStatistics: Hashable, Sendable {
  /// Thumbnails, of whatever sizes.
  public let thumbnails: Int64
  /// Bytes in use, which count against the limit.
  public let bytes: Int64
  /// Bytes of the cache's file with its log: space that became free is used again.
  public let fileBytes: Int64
  /// How many bytes may be in use.
  public let limit: Int64
}

extension Library {
  /// How many bytes of thumbnails are kept where nothing else was set: 1 GiB.
  public static var defaultThumbnailCacheLimit: Int64 { ThumbnailCache.defaultLimit }

  /// What the thumbnail cache holds; nothing where there is none or it cannot be read.
  ///
  /// Blocks; safe from any thread.
  public func thumbnailCacheStatistics() -> ThumbnailCacheStatistics {
    let statistics = store.thumbnails.statistics()
    return ThumbnailCacheStatistics(
      thumbnails: statistics.count, bytes: statistics.bytes, fileBytes: statistics.fileBytes,
      limit: statistics.limit)
  }

  /// Removes all thumbnails from the cache and gives their space back; the limit stays.
  ///
  /// Blocks; safe from any thread, while other processes use the cache too.
  ///
  /// - Returns: How many there were.
  /// - Throws: ``LibraryError`` `readOnly` where the library cannot be written to, `busy`, `io`,
  ///   `noSpace`.
  @discardableResult
  public func clearThumbnailCache() throws(LibraryError) -> Int64 {
    do { return try store.thumbnails.clear() } catch { throw LibraryError(error) }
  }

  /// Sets how many bytes the thumbnail cache may have, for all processes from now on.
  ///
  /// Of what is too much the thumbnails least recently used go, and their space is given back. A cache
  /// that was damaged and had to be made anew has the default again. Blocks; safe from any thread.
  ///
  /// - Parameter bytes: 0 or more; with 0 nothing is kept.
  /// - Throws: ``LibraryError`` `invalidArgument`, `readOnly` where the library cannot be written to,
  ///   `busy`, `io`, `noSpace`.
  public func setThumbnailCacheLimit(_ bytes: Int64) throws(LibraryError) {
    guard bytes >= 0 else {
      throw LibraryError(code: .invalidArgument, message: "a limit is 0 bytes or more")
    }
    do { try store.thumbnails.setLimit(bytes) } catch { throw LibraryError(error) }
  }

  /// Throws `readOnly` where no thumbnails can be kept.
  package func requireThumbnailCache() throws(LibraryError) {
    do { try store.thumbnails.requireWritable() } catch { throw LibraryError(error) }
  }
}
