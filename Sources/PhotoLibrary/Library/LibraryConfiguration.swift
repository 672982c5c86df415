import ImageCodecs
package import PhotoModel
package import PhotoStore

/// What a process that opens a library may set.
public struct LibraryConfiguration: Sendable {
  /// The budget of decoding for the process, in megabytes; one decode may use four fifths of it.
  public var memoryMegabytes = 320
  /// The largest picture that is decoded, in megapixels.
  public var maximumMegapixels = 300
  /// The most CPU time that one picture may take, in seconds.
  public var cpuSecondsPerPicture = 10
  /// How many pictures are decoded at a time; nil for as many as there are usable cores.
  public var decodeJobs: Int?

  /// Time and identity, which tests replace.
  package var environment = StoreEnvironment.system
  /// Called before each decode, on the thread that decodes; for tests, which count and hold them.
  package var decodeWillBegin: @Sendable (AssetID) -> Void = { _ in }

  /// The defaults.
  public init() {}

  var limits: DecodeLimits {
    var limits = DecodeLimits()
    limits.memory = max(1, min(memoryMegabytes, 1 << 30)) << 20
    limits.maximumPixels = max(1, min(maximumMegapixels, 1 << 30)) * 1_000_000
    limits.cpuSeconds = max(1, cpuSecondsPerPicture)
    return limits
  }
}
