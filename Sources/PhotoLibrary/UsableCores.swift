import FoundationEssentials

/// The processors that this process may use.
enum UsableCores {
  /// At least 1; follows the process's CPU affinity, which containers set.
  static var count: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
}
