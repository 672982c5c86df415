package import PhotoModel
package import PhotoStore

/// Which assets there are for the client, and what is said of them.
package protocol FetchService: Sendable {
  /// Identifiers in order, and the place in the client's history at which they are the answer. Empty, and
  /// nothing thrown, for a client that may not read.
  func fetch(
    _ query: FetchQuery
  ) throws(LibraryError) -> (ids: PackedIDs, position: HistoryPosition)

  /// The count of what `fetch` would give.
  func count(_ query: FetchQuery) throws(LibraryError) -> Int

  /// One record an identifier, nil where there is none that the client sees.
  func records(
    _ ids: [AssetID], dateCandidates: Bool
  ) throws(LibraryError) -> [Asset?]

  /// Visible identifiers that begin with these hexadecimal digits, for a person who types.
  func identifiers(prefix: String, limit: Int) throws(LibraryError) -> [AssetID]

  /// Visible assets whose bytes have this SHA-256.
  func identifiers(sha256: [UInt8]) throws(LibraryError) -> [AssetID]
}
