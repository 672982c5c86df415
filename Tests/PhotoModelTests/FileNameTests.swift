import PhotoModel
import Testing

@Suite("File names")
struct FileNameTests {
  @Test("Numbers in names count by their value")
  func naturalOrder() {
    let names = [
      "IMG_10.jpg", "img_9.jpg", "IMG_009a.jpg", "IMG_2.jpg", "a.jpg", "IMG.jpg", "IMG_0.jpg",
      "IMG_99999999999999999999999.jpg", "IMG_100.jpg",
    ]
    let sorted = names.map(FileName.init(_:)).sorted {
      $0.naturalSortKey.lexicographicallyPrecedes($1.naturalSortKey)
    }
    #expect(
      sorted.map(\.string) == [
        "a.jpg", "IMG.jpg", "IMG_0.jpg", "IMG_2.jpg", "img_9.jpg", "IMG_009a.jpg", "IMG_10.jpg",
        "IMG_100.jpg", "IMG_99999999999999999999999.jpg",
      ])
  }

  @Test("A name that is not UTF-8 keeps its bytes")
  func invalidUTF8() {
    let name = FileName(bytes: [0x61, 0xFF, 0x0A, 0x62])
    #expect(!name.isValidUTF8)
    #expect(name.bytes == [0x61, 0xFF, 0x0A, 0x62])
    #expect(name.string == "a\u{FFFD}\nb")
    #expect(FileName("ä").isValidUTF8)
  }

  @Test("A path gives its last component and takes new ones")
  func paths() {
    #expect(FilePath("/a/b.jpg").lastComponent == FileName("b.jpg"))
    #expect(FilePath("b.jpg").lastComponent == FileName("b.jpg"))
    #expect(FilePath("/a/b/").lastComponent == FileName("b"))
    #expect(FilePath("/a").appending("b") == "/a/b")
    #expect(FilePath("/a/").appending("b") == "/a/b")
    #expect(FilePath(bytes: [0x61, 0x00, 0x62]) == "a")
  }

  @Test(
    "Orientations 5 to 8 swap the sides",
    arguments: Orientation.allCases)
  func orientation(_ orientation: Orientation) {
    let size = orientation.displayedSize(of: PixelSize(width: 40, height: 30))
    #expect(
      size
        == (orientation.rawValue < 5
          ? PixelSize(width: 40, height: 30) : PixelSize(width: 30, height: 40)))
  }

  @Test("A location outside the earth is none")
  func location() {
    #expect(Location(latitude: 90.1, longitude: 0) == nil)
    #expect(Location(latitude: 0, longitude: -180.5) == nil)
    #expect(Location(latitude: .nan, longitude: 0) == nil)
    #expect(Location(latitude: 0, longitude: .infinity) == nil)
    #expect(Location(latitude: 1, longitude: 2, altitude: .nan)?.altitude == nil)
    #expect(Location(latitude: -90, longitude: 180, altitude: -4)?.altitude == -4)
  }
}
