import PhotoModel
import Testing

@Suite("Sources of dates")
struct DateSourceTests {
  @Test("The number of a source, which indexes store, stays; the order of trust is the cases'")
  func numbers() {
    let stored: [DateSource: Int] = [
      .edited: 0, .exifDateTimeOriginal: 1, .xmpDateTimeOriginal: 2, .xmpPhotoshopDateCreated: 3,
      .iptcDateCreated: 4, .exifDateTimeDigitized: 5, .xmpCreateDate: 6, .pngCreationTime: 7,
      .exifDateTime: 8, .pngTime: 9, .fileName: 10, .gps: 11, .fileModification: 12,
      .sidecarDateTimeOriginal: 13, .sidecarPhotoshopDateCreated: 14, .sidecarCreateDate: 15,
    ]
    #expect(stored.count == DateSource.allCases.count)
    for (source, number) in stored { #expect(DateSource(rawValue: number) == source) }
    #expect(Set(DateSource.allCases.map(\.name)).count == stored.count)
    let inOrder: [DateSource] = [
      .edited, .exifDateTimeOriginal, .sidecarDateTimeOriginal, .sidecarPhotoshopDateCreated,
      .xmpDateTimeOriginal, .xmpPhotoshopDateCreated, .iptcDateCreated, .exifDateTimeDigitized,
      .sidecarCreateDate, .xmpCreateDate, .pngCreationTime, .exifDateTime, .pngTime, .fileName,
      .gps, .fileModification,
    ]
    #expect(stored.keys.sorted() == inOrder)
  }
}
