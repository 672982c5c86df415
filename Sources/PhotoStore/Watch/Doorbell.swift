import Glibc

/// A file that every commit touches, so that watchers in other processes wake at once.
final class Doorbell: Sendable {
  private let file: Descriptor

  init(_ folder: LibraryFolder) throws(StoreError) {
    file = try folder.root.openOrCreateFile(LibraryFolder.doorbell)
  }

  /// Rings.
  ///
  /// That it cannot is no error: the index's log wakes watchers too.
  func ring() {
    // One byte in place takes no room on the disk once it is there; touching the times takes none
    // ever.
    let bell: [UInt8] = [0]
    if unsafe pwrite(file.raw, bell, 1, 0) != 1 { futimens(file.raw, nil) }
  }
}
