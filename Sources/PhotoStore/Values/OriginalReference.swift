package import PhotoModel

/// What thumbnails and bytes of an asset are made from.
package struct OriginalReference: Hashable, Sendable {
  package let asset: AssetID
  /// The SHA-256 of the stored bytes.
  package let sha256: [UInt8]
  package let byteSize: Int64
  package let format: ImageFormat
  /// The name that the file had when it was added.
  package let fileName: FileName
  package let orientation: Orientation
  /// Part of cache keys: nil for the shared scope, else the client whose private asset this is.
  package let cacheScope: String?

  package init(
    asset: AssetID, sha256: [UInt8], byteSize: Int64, format: ImageFormat,
    fileName: FileName, orientation: Orientation, cacheScope: String?
  ) {
    self.asset = asset
    self.sha256 = sha256
    self.byteSize = byteSize
    self.format = format
    self.fileName = fileName
    self.orientation = orientation
    self.cacheScope = cacheScope
  }
}

/// A state of the library, to be compared with another of the same open library.
package struct CommitState: Hashable, Sendable {
  /// Of which connection the version is: those of two say nothing about each other.
  let connection: Int
  /// SQLite's `data_version`.
  let version: Int64
}
