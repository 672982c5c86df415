import Foundation
import PhotoModel

/// The rules of a time zone, from Foundation: FoundationEssentials alone knows no zones on Linux and
/// answers GMT in silence. This is the one type that asks.
struct ZoneRules: Sendable {
  let name: String
  /// Nil for UTC, which needs no rules and so works on a machine without any.
  private let zone: TimeZone?

  /// Returns nil for a name that Foundation does not know.
  init?(name: String) {
    self.name = name
    if ["UTC", "Etc/UTC", "GMT", "Z"].contains(name) {
      zone = nil
    } else if let zone = TimeZone(identifier: name) {
      self.zone = zone
    } else {
      return nil
    }
  }

  /// The zone's offset at a moment, rounded to whole minutes (local mean times have seconds).
  func offset(at instant: Instant) -> UTCOffset {
    Self.rounded(seconds(at: instant.nanoseconds))
  }

  /// The zone's offset when its clocks show this: the earlier moment where they show it twice, and the
  /// offset before a gap where they never do.
  func offset(at wallClock: WallClock) -> UTCOffset {
    let wall = wallClock.nanosecondsSince1970
    let day: Int64 = 86_400 * Self.second
    let before = seconds(at: wall - day)
    let after = seconds(at: wall + day)
    // Both readings of the clock that hold, the larger offset being the earlier moment.
    let valid = [before, after].filter { seconds(at: wall - Int64($0) * Self.second) == $0 }
    return Self.rounded(valid.max() ?? before)
  }

  private static let second: Int64 = 1_000_000_000

  private func seconds(at nanoseconds: Int64) -> Int {
    guard let zone else { return 0 }
    let date = Date(timeIntervalSince1970: Double(nanoseconds) / Double(Self.second))
    return zone.secondsFromGMT(for: date)
  }

  private static func rounded(_ seconds: Int) -> UTCOffset {
    let half = seconds < 0 ? -30 : 30
    return UTCOffset(minutes: (seconds + half) / 60) ?? .utc
  }

  /// The name of the system's zone: TZ, the link /etc/localtime, /etc/timezone; "UTC" if unknown.
  static var systemName: String {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime")
    let file = try? String(contentsOfFile: "/etc/timezone", encoding: .utf8)
    return systemName(
      variable: ProcessInfo.processInfo.environment["TZ"], localtimeLink: link, timezoneFile: file)
  }

  static func systemName(
    variable: String?, localtimeLink: String?, timezoneFile: String?
  ) -> String {
    // An empty TZ means UTC (POSIX leaves it open, the C library says so).
    if variable == "" { return "UTC" }
    let candidates = [
      variable.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }, localtimeLink, timezoneFile,
    ]
    for case let text? in candidates {
      var name = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if let folder = name.range(of: "zoneinfo/", options: .backwards) {
        name = String(name[folder.upperBound...])
      }
      for prefix in ["posix/", "right/"] where name.hasPrefix(prefix) {
        name.removeFirst(prefix.count)
      }
      if ["GMT", "Etc/UTC", "Etc/GMT", "UCT", "Zulu"].contains(name) { return "UTC" }
      if !name.isEmpty, ZoneRules(name: name) != nil { return name }
    }
    return "UTC"
  }
}
