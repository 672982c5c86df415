import ImageContainer
import PhotoModel
import Testing

@testable import ImageMetadata

/// Real files that others made, with what exiftool says of them (environment PHOTOLIB_CORPUS).
@Suite("Corpus metadata", .enabled(if: Corpus.folder != nil))
struct CorpusTests {
  /// The values of one file in the table's columns, as exiftool prints them with -n.
  private func columns(_ metadata: PhotoMetadata) -> [String: String] {
    let exif = metadata.exif
    let values: [String: String?] = [
      "DateTimeOriginal": exif.dateTimeOriginal, "CreateDate": exif.dateTimeDigitized,
      "SubSecTimeOriginal": exif.subSecTimeOriginal,
      "SubSecTimeDigitized": exif.subSecTimeDigitized, "SubSecTime": exif.subSecTime,
      "OffsetTimeOriginal": exif.offsetTimeOriginal,
      "OffsetTimeDigitized": exif.offsetTimeDigitized, "OffsetTime": exif.offsetTime,
      "orientation": exif.orientation.map(String.init), "Make": exif.make, "Model": exif.model,
      "ModifyDate": exif.dateTime,
      "GPSDateStamp": exif.gpsDateStamp,
    ]
    return values.compactMapValues { $0.map(trimmed) }.filter { !$0.value.isEmpty }
  }

  private func trimmed(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    let last = start.lastIndex { !$0.isWhitespace }
    return last.map { String(start[...$0]) } ?? ""
  }

  @Test("raw values agree with exiftool where it has no complaint")
  func agreement() throws {
    let names = [
      "DateTimeOriginal", "CreateDate", "ModifyDate", "SubSecTimeOriginal", "SubSecTimeDigitized",
      "SubSecTime", "OffsetTimeOriginal", "OffsetTimeDigitized", "OffsetTime", "orientation",
      "Make", "Model", "GPSDateStamp",
    ]
    var total: [String: Int] = [:]
    var wrong: [String: [String]] = [:]
    for row in try Corpus.rows() {
      let source = MemoryByteSource(try Corpus.bytes(of: row))
      guard let structure = try? ImageStructure.scanHeaders(source) else { continue }
      let metadata = PhotoMetadata.read(source, structure: structure)
      // Nothing that is read may lie outside of the file or the rules.
      #expect(metadata.dates == metadata.dates.sorted { $0.source < $1.source }, "\(row.name)")
      #expect(Set(metadata.dates.map(\.source)).count == metadata.dates.count, "\(row.name)")
      if let preview = metadata.preview {
        #expect(preview.upperBound <= source.count, "\(row.name)")
      }
      guard row["exiftool_warning"].isEmpty else { continue }
      let values = columns(metadata)
      for name in names {
        let expected = trimmed(row[name])
        if expected.isEmpty && values[name] == nil { continue }
        total[name, default: 0] += 1
        if values[name] ?? "" == expected { continue }
        wrong[name, default: []].append(
          "\(row.name): \(values[name] ?? "nothing"), not \(expected.isEmpty ? "nothing" : expected)"
        )
      }
      // Place.
      let expected = Double(row["GPSLatitude"]).flatMap { latitude in
        Double(row["GPSLongitude"]).map { (latitude, $0) }
      }
      let found = metadata.exif.gpsLatitude == nil ? nil : metadata.location
      if expected == nil && found == nil { continue }
      total["GPS", default: 0] += 1
      if let expected, let found, abs(found.latitude - expected.0) < 1e-6,
        abs(found.longitude - expected.1) < 1e-6
      {
        continue
      }
      wrong["GPS", default: []].append(
        "\(row.name): \(found.map { "\($0)" } ?? "nothing"), not \(expected.map { "\($0)" } ?? "nothing")"
      )
    }
    for name in names + ["GPS"] {
      let count = total[name] ?? 0
      let misses = wrong[name] ?? []
      print("\(name): \(count - misses.count) of \(count) agree")
      for miss in misses { print("  \(miss)") }
      #expect(count > 0)
      #expect(misses.count * 50 <= count, "\(name): fewer than 98 % agree")
    }
  }

  @Test("a derived date of EXIF agrees where the same tag is the source")
  func derivedDates() throws {
    let sources: [DateSource: String] = [
      .exifDateTimeOriginal: "DateTimeOriginal", .exifDateTimeDigitized: "CreateDate",
      .exifDateTime: "ModifyDate",
    ]
    let policy = try CreationDatePolicy(timeZone: "UTC")
    var compared = 0
    var wrong: [String] = []
    for row in try Corpus.rows() where !row["derived_date"].isEmpty {
      let source = MemoryByteSource(try Corpus.bytes(of: row))
      guard let structure = try? ImageStructure.scanHeaders(source) else { continue }
      let metadata = PhotoMetadata.read(source, structure: structure)
      let candidates = policy.candidates(
        metadata: metadata, fileName: FileName(""), modificationTime: Instant(nanoseconds: 0))
      let chosen = policy.choose(candidates, gpsDerivedOffset: metadata.gpsDerivedOffset)
      guard sources[chosen.source] == row["derived_from"] else { continue }
      compared += 1
      let own = candidates.first { $0.source == chosen.source }?.offset
      if row["derived_date"] != derivedText(chosen.wallClock, own, row) { wrong.append(row.name) }
    }
    print("derived dates: \(compared - wrong.count) of \(compared) agree")
    for miss in wrong { print("  \(miss)") }
    #expect(compared > 200)
    #expect(wrong.count * 50 <= compared)
  }

  /// The table writes the sub-seconds with the digits that the tag has.
  private func derivedText(_ clock: WallClock, _ offset: UTCOffset?, _ row: Corpus.Row) -> String {
    let date = row["derived_date"]
    let digits = date.dropFirst(20).prefix { $0.isNumber }.count
    let hasFraction = date.dropFirst(19).first == "."
    let nanoseconds = String(1_000_000_000 + clock.nanosecond).dropFirst()
    let fraction = hasFraction ? "." + nanoseconds.prefix(digits) : ""
    return clock.rfc3339(offset: .utc).prefix(19) + fraction + (offset?.description ?? "")
  }

  @Test("dates of XMP, IPTC and PNG agree with exiftool")
  func otherDates() throws {
    let sources: [String: DateSource] = [
      "XMP-exif:DateTimeOriginal": .xmpDateTimeOriginal,
      "XMP-photoshop:DateCreated": .xmpPhotoshopDateCreated, "XMP-xmp:CreateDate": .xmpCreateDate,
      "PNG:ModifyDate": .pngTime, "IPTC:DateCreated": .iptcDateCreated,
    ]
    var compared = 0
    var wrong: [String] = []
    for row in try Corpus.rows() where !row["other_dates"].isEmpty {
      let source = MemoryByteSource(try Corpus.bytes(of: row))
      guard let structure = try? ImageStructure.scanHeaders(source) else { continue }
      let metadata = PhotoMetadata.read(source, structure: structure)
      for item in row["other_dates"].split(separator: ";") {
        let parts = item.split(separator: "=", maxSplits: 1).map { trimmed(String($0)) }
        guard parts.count == 2, let kind = sources[parts[0]] else { continue }
        // What is no whole date there must be none here; 19 characters are date and time.
        let expected = parts[1].prefix(19).replacing(":", with: "-")
        let found = metadata.dates.first { $0.source == kind }?.wallClock.rfc3339(offset: .utc)
        let text = (found ?? "").prefix(expected.count)
          .replacing("T", with: " ").replacing(":", with: "-")
        compared += 1
        if text != expected { wrong.append("\(row.name): \(item): \(found ?? "nothing")") }
      }
    }
    print("other dates: \(compared - wrong.count) of \(compared) agree")
    for miss in wrong { print("  \(miss)") }
    #expect(compared > 150)
    #expect(wrong.count * 20 <= compared)
  }

  @Test("exempi takes every packet that looks regular, and reads what the tolerant reader reads")
  func packets() throws {
    let signature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    var regular = 0
    var irregular: [String] = []
    for row in try Corpus.rows() {
      let bytes = try Corpus.bytes(of: row)
      let source = MemoryByteSource(bytes)
      guard let structure = try? ImageStructure.scanHeaders(source) else { continue }
      for segment in structure.segments where segment.marker == 0xE1 {
        let payload = bytes[segment.offset..<(segment.offset + segment.length)]
        guard payload.starts(with: signature) else { continue }
        let packet = XMPProperties.utf8(Array(payload.dropFirst(signature.count)))
        let markup = XMPMarkup(packet)
        guard markup.isRegular else {
          irregular.append(row.name)
          continue
        }
        regular += 1
        let parsed = XMPPacket.properties(of: packet)
        // exempi joins xmp:CreateDate with its older names, of EXIF's and PDF's namespaces.
        let joined: Set<XMPProperties.Name> = [.createDate, .exifDateTimeDigitized]
        let expected = markup.properties.values.filter { !joined.contains($0.key) }
        #expect(parsed?.values.filter { !joined.contains($0.key) } == expected, "\(row.name)")
      }
    }
    print("XMP: \(regular) regular packets, irregular: \(irregular)")
    #expect(regular > 100)
    #expect(irregular.count * 10 < regular)
  }

  @Test("metadata of half of the files needs less than 64 KiB")
  func bytesRead() throws {
    var counts: [Int] = []
    for row in try Corpus.rows() where row["magic"] == "jpeg" && Int(row["bytes"]) ?? 0 > 200_000 {
      let source = CountingSource(try Corpus.bytes(of: row))
      guard let structure = try? ImageStructure.scanHeaders(source) else { continue }
      _ = PhotoMetadata.read(source, structure: structure)
      counts.append(source.bytesRead)
    }
    counts.sort()
    #expect(counts.count > 50)
    #expect(counts[counts.count / 2] < 64 << 10)
  }
}
