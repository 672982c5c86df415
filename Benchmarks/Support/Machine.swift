import Foundation

/// What the figures were measured on.
package enum Machine {
  /// Processor, cores, kernel and load, in a sentence.
  package static var description: String {
    let processor = value("model name", in: "/proc/cpuinfo") ?? "unknown processor"
    let kernel = text("/proc/sys/kernel/osrelease")
    let load = text("/proc/loadavg").split(separator: " ").prefix(1).joined()
    return "\(processor), \(ProcessInfo.processInfo.activeProcessorCount) cores, Linux \(kernel); "
      + "load average before the report \(load)."
  }

  private static func text(_ path: String) -> String {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func value(_ name: String, in path: String) -> String? {
    let line = text(path).split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
  }
}
