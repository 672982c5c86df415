/// What a JPEG file's headers say beyond size and depth.
package struct JPEGFrame: Hashable, Sendable {
  /// A component of the frame header (ITU-T T.81 B.2.2).
  package struct Component: Hashable, Sendable {
    package let identifier: UInt8
    /// Sampling factors, 1 to 4.
    package let horizontalSampling: Int
    package let verticalSampling: Int
    /// The quantisation table's number as written; a usable one is 0 to 3.
    package let quantisationTable: Int

    package init(
      identifier: UInt8, horizontalSampling: Int, verticalSampling: Int, quantisationTable: Int
    ) {
      self.identifier = identifier
      self.horizontalSampling = horizontalSampling
      self.verticalSampling = verticalSampling
      self.quantisationTable = quantisationTable
    }
  }

  /// The marker's second byte: 0xC0 baseline, 0xC1 extended sequential, 0xC2 progressive ...
  package let marker: UInt8
  package let components: [Component]
  /// In MCUs, as in force at the first scan; 0 without restart markers.
  package internal(set) var restartInterval: Int
  /// Where the first SOS marker stands (its 0xFF byte), or nil if there is no scan.
  package internal(set) var firstScanOffset: Int?
  /// The number of scans; after `scanHeaders` at most 1.
  package internal(set) var scanCount: Int

  package init(
    marker: UInt8, components: [Component], restartInterval: Int = 0, firstScanOffset: Int? = nil,
    scanCount: Int = 0
  ) {
    self.marker = marker
    self.components = components
    self.restartInterval = restartInterval
    self.firstScanOffset = firstScanOffset
    self.scanCount = scanCount
  }

  /// SOF2, SOF6, SOF10, SOF14.
  package var isProgressive: Bool { Self.isFrame(marker) && marker & 3 == 2 }
  /// SOF9 to SOF15.
  package var isArithmetic: Bool { Self.isFrame(marker) && marker > JPEGMarker.jpg }

  /// Why the coding process is not decoded here, or nil.
  func unsupportedReason(precision: Int, isHierarchical: Bool) -> String? {
    if marker == JPEGMarker.jpegLS { return "JPEG-LS" }
    if marker & 3 == 3 { return "lossless JPEG" }
    if isHierarchical || marker & 7 > 3 { return "hierarchical JPEG" }
    if precision != 8 { return "JPEG with \(precision) bits a sample" }
    if ![1, 3, 4].contains(components.count) { return "JPEG with \(components.count) components" }
    return nil
  }

  /// Whether a marker is one of the frame headers SOF0 to SOF15 (T.81 table B.1).
  static func isFrame(_ marker: UInt8) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != JPEGMarker.huffmanTables
      && marker != JPEGMarker.jpg && marker != JPEGMarker.arithmeticConditions
  }
}

/// The second bytes of markers (ITU-T T.81 table B.1).
enum JPEGMarker {
  static let temporary: UInt8 = 0x01
  static let huffmanTables: UInt8 = 0xC4
  static let jpg: UInt8 = 0xC8
  static let arithmeticConditions: UInt8 = 0xCC
  static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
  static let startOfImage: UInt8 = 0xD8
  static let endOfImage: UInt8 = 0xD9
  static let startOfScan: UInt8 = 0xDA
  static let quantisationTables: UInt8 = 0xDB
  static let numberOfLines: UInt8 = 0xDC
  static let restartInterval: UInt8 = 0xDD
  static let hierarchicalProgression: UInt8 = 0xDE
  static let expand: UInt8 = 0xDF
  static let applications: ClosedRange<UInt8> = 0xE0...0xEF
  /// SOF55 of ITU-T T.87.
  static let jpegLS: UInt8 = 0xF7
  static let comment: UInt8 = 0xFE

  /// Whether a marker may stand behind a scan's data: tables, miscellany, the next scan or the end.
  static func mayFollowScan(_ marker: UInt8) -> Bool {
    switch marker {
    case huffmanTables, arithmeticConditions, endOfImage, startOfScan, quantisationTables,
      numberOfLines, restartInterval, expand, comment:
      true
    default: applications.contains(marker)
    }
  }
}
