import PhotoModel

/// The offset that GPS time, which is UTC, gives for the moment when a picture was taken.
enum GPSDerivedOffset {
  /// Dates of the moment of taking; others may be of an edit, or have a day and no time.
  static let sources: Set<DateSource> = [
    .exifDateTimeOriginal, .sidecarDateTimeOriginal, .xmpDateTimeOriginal, .exifDateTimeDigitized,
  ]

  /// The difference of the most trusted date, where it names no offset, from GPS time: within 3 minutes of
  /// a quarter hour, within `UTCOffset.minutesInUse`.
  static func derive(from dates: [DateCandidate]) -> UTCOffset? {
    guard let best = dates.min(by: { $0.source < $1.source }), sources.contains(best.source),
      best.offset == nil, let gps = dates.first(where: { $0.source == .gps })
    else { return nil }
    let nanoseconds = best.wallClock.nanosecondsSince1970 - gps.wallClock.nanosecondsSince1970
    let quarter: Int64 = 15 * 60 * 1_000_000_000
    let half = nanoseconds < 0 ? -quarter / 2 : quarter / 2
    let quarters = (nanoseconds + half) / quarter
    let rest = nanoseconds - quarters * quarter
    let minutes = Int(quarters) * 15
    guard abs(rest) <= 3 * 60 * 1_000_000_000, UTCOffset.minutesInUse.contains(minutes) else {
      return nil
    }
    return UTCOffset(minutes: minutes)
  }
}
