import Glibc
package import PhotoModel

/// Sources of time, identity and secrets, replaced in tests.
package struct StoreEnvironment: Sendable {
  /// The time now.
  package var now: @Sendable () -> Instant
  /// A new asset's identifier.
  package var makeAssetID: @Sendable () -> AssetID
  /// So many random bytes that nobody can guess: a library's identifier and its key.
  ///
  /// Names of files that are under way are not made of them, since those must differ between processes
  /// whatever a test says.
  package var makeRandomBytes: @Sendable (Int) throws(StoreError) -> [UInt8]
  /// How long a writer waits for another one, in milliseconds.
  package var busyTimeoutMilliseconds: Int

  package init(
    now: @escaping @Sendable () -> Instant, makeAssetID: @escaping @Sendable () -> AssetID,
    makeRandomBytes: @escaping @Sendable (Int) throws(StoreError) -> [UInt8] = RandomBytes.make,
    busyTimeoutMilliseconds: Int
  ) {
    self.now = now
    self.makeAssetID = makeAssetID
    self.makeRandomBytes = makeRandomBytes
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
  }

  /// The system's clock, random identifiers, and five seconds of patience.
  package static var system: StoreEnvironment {
    StoreEnvironment(
      now: {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(
          nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
      },
      makeAssetID: { AssetID() }, busyTimeoutMilliseconds: 5_000)
  }
}
