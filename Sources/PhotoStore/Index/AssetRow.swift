import PhotoModel

/// Turns rows of the index into values and back.
enum AssetRow {
  /// Reads the columns of `AssetColumns.list`.
  ///
  /// - Throws: `damaged` where a column holds what this program never writes.
  static func read(
    _ row: Statement, id: AssetID, _ visibility: Visibility
  ) throws(StoreError) -> Asset {
    guard let format = ImageFormat(rawValue: row.int(1)),
      let orientation = Orientation(rawValue: row.int(4)),
      let wall = WallClock(nanosecondsSince1970: row.int64(5)),
      let offset = UTCOffset(minutes: row.int(6)),
      let source = DateSource(rawValue: row.int(8))
    else { throw damaged(id) }
    let location = row.optionalDouble(21).flatMap { latitude in
      row.optionalDouble(22).flatMap { longitude in
        Location(latitude: latitude, longitude: longitude, altitude: row.optionalDouble(23))
      }
    }
    let original = row.optionalBlob(19).flatMap { sha256 in
      row.optionalInt64(20).map { OriginalDescription(byteSize: $0, sha256: sha256) }
    }
    return Asset(
      id: id, originalFilename: FileName(bytes: row.blob(0)), format: format,
      pixelSize: PixelSize(width: row.int(2), height: row.int(3)), orientation: orientation,
      creationDate: CreationDate(
        wallClock: wall, offset: offset, isOffsetKnown: row.bool(7), source: source),
      modificationDate: Instant(nanoseconds: row.int64(9)),
      addedDate: Instant(nanoseconds: row.int64(10).multipliedClamped(by: 1_000)),
      isFavorite: row.bool(11), isHidden: row.bool(12),
      rating: row.optionalInt64(18).map { Int($0) }, location: location,
      isLocationRedacted: !visibility.includesLocation, original: original,
      camera: Camera(make: row.optionalText(13), model: row.optionalText(14)),
      damage: row.optionalText(15), undecodable: row.optionalText(16),
      // A place's time zone can be read off the GPS time beside the camera's.
      dateCandidates: DateCandidateCoding.decode(row.optionalBlob(17) ?? []).filter {
        visibility.includesLocation || $0.source != .gps
      })
  }

  /// Reads the columns of `AssetColumns.original`.
  static func readOriginal(
    _ row: Statement, id: AssetID
  ) throws(StoreError) -> OriginalReference {
    guard let format = ImageFormat(rawValue: row.int(2)),
      let orientation = Orientation(rawValue: row.int(3))
    else { throw damaged(id) }
    return OriginalReference(
      asset: id, sha256: row.blob(0), byteSize: row.int64(1), format: format,
      fileName: FileName(bytes: row.blob(5)), orientation: orientation,
      cacheScope: row.optionalText(4))
  }

  static func damaged(_ id: AssetID) -> StoreError {
    StoreError(code: .damaged, message: "the library's record of \(id.uuidString) is damaged")
  }

  /// The identifier in a column.
  static func id(_ row: Statement, _ column: Int32) throws(StoreError) -> AssetID {
    guard let id = AssetID(bytes: row.blob(column)) else {
      throw StoreError(code: .damaged, message: "the library's index holds a broken identifier")
    }
    return id
  }
}

extension Int64 {
  /// The product, or the nearest limit where it overflows: a damaged index must not trap.
  func multipliedClamped(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? (self < 0) == (factor < 0) ? .max : .min : product
  }
}

/// The form of date candidates in the index: 11 bytes each, big-endian: the source (1), the wall
/// clock in nanoseconds since 1970 (8), the offset in minutes or 0x7fff for none (2).
enum DateCandidateCoding {
  private static let size = 11
  private static let noOffset: Int16 = 0x7fff

  static func encode(_ candidates: [DateCandidate]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(candidates.count * size)
    for candidate in candidates {
      bytes.append(UInt8(truncatingIfNeeded: candidate.source.rawValue))
      let wall = UInt64(bitPattern: candidate.wallClock.nanosecondsSince1970)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: wall >> UInt64(shift)))
      }
      let minutes = candidate.offset.map { Int16(clamping: $0.minutes) } ?? noOffset
      bytes.append(UInt8(truncatingIfNeeded: minutes >> 8))
      bytes.append(UInt8(truncatingIfNeeded: minutes))
    }
    return bytes
  }

  /// Reads candidates; what this program never writes is left out.
  static func decode(_ bytes: [UInt8]) -> [DateCandidate] {
    var candidates: [DateCandidate] = []
    var rest = bytes[...]
    while rest.count >= size {
      let entry = Array(rest.prefix(size))
      rest = rest.dropFirst(size)
      let wall = entry[1...8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let minutes = Int16(bitPattern: UInt16(entry[9]) << 8 | UInt16(entry[10]))
      guard let source = DateSource(rawValue: Int(entry[0])),
        let clock = WallClock(nanosecondsSince1970: Int64(bitPattern: wall))
      else { continue }
      let offset = minutes == noOffset ? nil : UTCOffset(minutes: Int(minutes))
      candidates.append(DateCandidate(source: source, wallClock: clock, offset: offset))
    }
    return candidates
  }
}
