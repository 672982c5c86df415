/// Reads the EXIF values of a TIFF block: IFD0, the EXIF and GPS directories, and IFD1's preview.
///
/// Maker notes are never touched. Whatever is wrong costs its own value and no other.
struct ExifReader {
  /// Entries looked at in one block, over all directories.
  static let maximumEntries = 1_000
  /// IFD0 is at depth 0; its pointers lead to depth 1.
  static let maximumDepth = 4

  private let block: TIFFBlock
  private let previewOnly: Bool
  private var entriesLeft = maximumEntries
  private var visited: Set<Int> = []
  private(set) var fields = ExifFields()
  /// Damage, for people.
  private(set) var warnings: [String] = []

  private enum Directory: Hashable {
    case main, exif, gps, preview

    var name: String {
      switch self {
      case .main: "IFD0"
      case .exif: "the EXIF directory"
      case .gps: "the GPS directory"
      case .preview: "IFD1"
      }
    }
  }

  /// What of a directory is kept: the first entry of each tag, of a time's the first that tells one.
  private typealias Entries = [Int: TIFFEntry]
  private var directories: [Directory: Entries] = [:]

  /// Returns nil where the bytes are no TIFF block.
  ///
  /// `previewOnly`: of the fields only the preview and its orientation.
  init?(_ bytes: [UInt8], previewOnly: Bool = false) {
    guard let block = TIFFBlock(bytes) else { return nil }
    self.block = block
    self.previewOnly = previewOnly
    readDirectory(.main, at: block.firstDirectory, depth: 0)
    if !previewOnly { collect() }
    fields.preview = previewRange
    fields.previewOrientation = directories[.preview]?[0x0112]?.integer()
  }

  private mutating func readDirectory(_ kind: Directory, at offset: Int, depth: Int) {
    guard depth < Self.maximumDepth, directories[kind] == nil else { return }
    guard visited.insert(offset).inserted else {
      warnings.append("EXIF: \(kind.name) is in a loop")
      return
    }
    guard let count = block.uint16(at: offset) else {
      warnings.append("EXIF: \(kind.name) lies outside of the block")
      return
    }
    var entries: Entries = [:]
    var skipped = 0
    var position = offset + 2
    for _ in 0..<count {
      guard entriesLeft > 0, block.uint16(at: position + 10) != nil else {
        warnings.append("EXIF: \(kind.name) is cut short")
        break
      }
      entriesLeft -= 1
      if let entry = TIFFEntry(at: position, in: block) {
        let first = entries[entry.tag]
        if first == nil || first?.isUsable == false && entry.isUsable { entries[entry.tag] = entry }
      } else {
        skipped += 1
      }
      position += 12
    }
    if skipped > 0 { warnings.append("EXIF: \(skipped) damaged entries in \(kind.name)") }
    directories[kind] = entries
    guard kind == .main || kind == .exif else { return }
    // Also from the EXIF directory: some writers put the GPS pointer there.
    for (tag, target) in [(0x8769, Directory.exif), (0x8825, .gps)] where !previewOnly {
      guard let pointer = pointer(tag, inDirectoryAt: offset, count: count) else { continue }
      readDirectory(target, at: pointer, depth: depth + 1)
    }
    if kind == .main, let next = block.uint32(at: offset + 2 + 12 * count), next > 0 {
      readDirectory(.preview, at: next, depth: depth + 1)
    }
  }

  /// The first pointer entry's offset: a SHORT as such, else four bytes whatever the type says.
  private func pointer(_ tag: Int, inDirectoryAt offset: Int, count: Int) -> Int? {
    for index in 0..<min(count, Self.maximumEntries) {
      let position = offset + 2 + 12 * index
      guard let found = block.uint16(at: position) else { return nil }
      guard found == tag else { continue }
      let isShort = block.uint16(at: position + 2) == TIFFType.short.rawValue
      return isShort ? block.uint16(at: position + 8) : block.uint32(at: position + 8)
    }
    return nil
  }

  /// A tag's entry where it belongs, else in the other directory, where some writers put it; of a time's
  /// the first that tells one.
  private func entry(_ tag: Int, _ home: Directory) -> TIFFEntry? {
    let own = directories[home]?[tag]
    if let own, own.isUsable { return own }
    let other = directories[home == .main ? .exif : .main]?[tag]
    return own == nil || other?.isUsable == true ? other : own
  }

  private mutating func collect() {
    fields.dateTimeOriginal = entry(0x9003, .exif)?.dateText
    fields.dateTimeDigitized = entry(0x9004, .exif)?.dateText
    fields.dateTime = entry(0x0132, .main)?.dateText
    fields.subSecTime = entry(0x9290, .exif)?.digits
    fields.subSecTimeOriginal = entry(0x9291, .exif)?.digits
    fields.subSecTimeDigitized = entry(0x9292, .exif)?.digits
    fields.offsetTime = entry(0x9010, .exif)?.text(limit: 64)
    fields.offsetTimeOriginal = entry(0x9011, .exif)?.text(limit: 64)
    fields.offsetTimeDigitized = entry(0x9012, .exif)?.text(limit: 64)
    fields.orientation = directories[.main]?[0x0112]?.integer()
    fields.rating = directories[.main]?[0x4746]?.integer()
    fields.make = entry(0x010F, .main)?.text()
    fields.model = entry(0x0110, .main)?.text()
    if let gps = directories[.gps] {
      fields.gpsLatitudeRef = gps[1]?.text(limit: 8)
      fields.gpsLatitude = gps[2]?.rationals()
      fields.gpsLongitudeRef = gps[3]?.text(limit: 8)
      fields.gpsLongitude = gps[4]?.rationals()
      fields.gpsAltitudeRef = gps[5]?.integer()
      fields.gpsAltitude = gps[6]?.rational()
      fields.gpsTimeStamp = gps[7]?.rationals()
      fields.gpsDateStamp = gps[0x1D]?.text(limit: 64)
    }
  }

  /// JPEGInterchangeFormat and its length, if they lie inside the block and JPEG data begins there.
  private var previewRange: Range<Int>? {
    guard let start = directories[.preview]?[0x0201]?.integer(),
      let length = directories[.preview]?[0x0202]?.integer(),
      length > 4, start >= 8, start <= block.bytes.count - length,
      block.bytes[start..<(start + 3)].elementsEqual([0xFF, 0xD8, 0xFF])
    else { return nil }
    return start..<(start + length)
  }
}

extension TIFFEntry {
  /// Whether a date, its sub-seconds or its offset tells one; true for all other tags.
  ///
  /// Cameras without a clock write zeros or blanks, and programs add a second entry behind them.
  fileprivate var isUsable: Bool {
    switch tag {
    case 0x0132, 0x9003, 0x9004, 0x1D: dateText.flatMap { DateText($0) } != nil
    case 0x9290, 0x9291, 0x9292: digits.flatMap { DateText.nanoseconds(fraction: $0) } != nil
    case 0x9010, 0x9011, 0x9012: text(limit: 64).flatMap(DateText.offset) != nil
    default: true
    }
  }
}
