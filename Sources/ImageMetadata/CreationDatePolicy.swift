package import PhotoModel

/// The date policy of the product, in one place: which date counts, and with which offset.
///
/// The order of trust is the order of `DateSource`. Nothing here depends on today's date, the locale or
/// the process's TZ: the library's zone is named when this is made.
package struct CreationDatePolicy: Sendable {
  private let rules: ZoneRules

  /// Throws for a zone that Foundation does not know.
  ///
  /// "UTC" always works.
  package init(timeZone: String) throws(UnknownTimeZone) {
    guard let rules = ZoneRules(name: timeZone) else { throw UnknownTimeZone(name: timeZone) }
    self.rules = rules
  }

  /// The name of the system's zone ("Europe/Berlin"; "UTC" if unknown).
  package static var systemTimeZoneName: String { ZoneRules.systemName }

  /// The zone's name as it was given.
  package var timeZoneName: String { rules.name }

  /// All candidates: the metadata's, one from the file name, one from the modification time, sorted
  /// by trust.
  ///
  /// Never empty.
  package func candidates(
    metadata: PhotoMetadata, fileName: FileName, modificationTime: Instant
  ) -> [DateCandidate] {
    var all = metadata.dates
    if let date = FileNameDate.candidate(fileName) { all.append(date) }
    all.append(candidate(modificationTime: modificationTime))
    return all.sorted { $0.source < $1.source }
  }

  /// The zone's wall clock at that moment; a moment outside the years of photography becomes the
  /// nearest inside, so that a creation date is never nil.
  private func candidate(modificationTime: Instant) -> DateCandidate {
    let offset = rules.offset(at: modificationTime)
    let wallClock = modificationTime.wallClock(at: offset) ?? Self.nearest(modificationTime)
    return DateCandidate(source: .fileModification, wallClock: wallClock, offset: offset)
  }

  private static func nearest(_ instant: Instant) -> WallClock {
    let years = WallClock.yearsOfPhotography
    let isEarly = instant.nanoseconds < 0
    let limit =
      isEarly
      ? WallClock(year: years.lowerBound, month: 1, day: 1)
      : WallClock(year: years.upperBound, month: 12, day: 31, hour: 23, minute: 59, second: 59)
    guard let limit else { preconditionFailure("the limits of the years of photography exist") }
    return limit
  }

  /// The most trusted candidate; its offset: its own, else the GPS-derived one where it is a date of
  /// taking, else the zone's at that wall clock.
  ///
  /// - Precondition: there is a candidate; `candidates` always gives one.
  package func choose(
    _ candidates: [DateCandidate], gpsDerivedOffset: UTCOffset?
  ) -> CreationDate {
    guard let best = candidates.min(by: { $0.source < $1.source }) else {
      preconditionFailure("a photograph has at least its file's modification time")
    }
    let known =
      best.offset ?? (GPSDerivedOffset.sources.contains(best.source) ? gpsDerivedOffset : nil)
    return CreationDate(
      wallClock: best.wallClock, offset: known ?? offset(at: best.wallClock),
      isOffsetKnown: known != nil, source: best.source)
  }

  /// The most trusted candidate of one picture, all of which are given.
  ///
  /// - Precondition: as of `choose(_:gpsDerivedOffset:)`.
  package func choose(_ candidates: [DateCandidate]) -> CreationDate {
    choose(candidates, gpsDerivedOffset: GPSDerivedOffset.derive(from: candidates))
  }

  /// The zone's offset when its clocks show this: the first one where that happens twice, the one
  /// before where it never does.
  ///
  /// Rounded to whole minutes.
  package func offset(at wallClock: WallClock) -> UTCOffset { rules.offset(at: wallClock) }
}

/// A time zone's name that Foundation does not know.
package struct UnknownTimeZone: Error, Hashable {
  package let name: String

  package init(name: String) { self.name = name }
}
