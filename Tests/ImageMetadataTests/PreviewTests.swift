import ImageContainer
import ImageMetadata
import PhotoModel
import Testing

@Suite("Embedded previews")
struct PreviewTests {
  /// A multi-picture file: the first picture, and these behind it with their types.
  private func multiPicture(
    _ others: [(type: Int, bytes: [UInt8])], bigEndian: Bool = true,
    changed: (inout [UInt8]) -> Void = { _ in }
  ) -> [UInt8] {
    let builder = TIFFBuilder(bigEndian: bigEndian)
    func index(base: Int, length: Int) -> [UInt8] {
      var entries = builder.number(0x2003_0000, 4) + builder.number(length, 4)
      entries += builder.number(0, 8)
      var start = length
      for other in others {
        entries += builder.number(other.type, 4) + builder.number(other.bytes.count, 4)
        entries += builder.number(start - base, 4) + builder.number(0, 4)
        start += other.bytes.count
      }
      let block = TIFFBuilder(
        bigEndian: bigEndian,
        main: [
          (0xB000, .raw(7, 4, Array("0100".utf8))), (0xB001, .long([UInt32(others.count + 1)])),
          (0xB002, .raw(7, UInt32(entries.count), entries)),
        ])
      return Array("MPF\0".utf8) + block.bytes
    }
    // SOI, marker, length and "MPF\0" are 10 bytes.
    let length = picture(width: 300, height: 200, [(0xE2, index(base: 10, length: 0))]).count
    var segment = index(base: 10, length: length)
    changed(&segment)
    return picture(width: 300, height: 200, [(0xE2, segment)]) + others.flatMap(\.bytes)
  }

  @Test("large thumbnails of a multi-picture file, in both byte orders", arguments: [false, true])
  func thumbnails(bigEndian: Bool) throws {
    let small = picture(width: 60, height: 40)
    let turned = picture(
      width: 40, height: 60,
      [exifSegment(TIFFBuilder(main: [(0x0112, .short([8]))]).bytes)])
    let file = multiPicture(
      [(0x01_0001, small), (0x02_0002, picture(width: 300, height: 200)), (0x01_0002, turned)],
      bigEndian: bigEndian)
    let result = try metadata(file)
    #expect(result.previews.map(\.source) == [.multiPicture, .multiPicture])
    #expect(result.previews.map { Array(file[$0.range]) } == [small, turned])
    #expect(result.previews.map(\.pixelSize.description) == ["60x40", "40x60"])
    #expect(result.previews.map(\.orientation) == [nil, .left])
    #expect(result.preview == nil)
    #expect(result.warnings == [])
  }

  @Test("views, panorama frames, gain maps and undefined pictures are no previews")
  func otherTypes() throws {
    let other = picture(width: 60, height: 40)
    for type in [0, 0x02_0001, 0x02_0002, 0x02_0003, 0x03_0000, 0x04_0000, 0x05_0000] {
      #expect(try metadata(multiPicture([(type, other)])).previews == [])
    }
  }

  @Test("an index that points anywhere, or is cut or changed, gives an answer")
  func hostile() throws {
    let small = picture(width: 60, height: 40)
    let others = [(type: 0x01_0001, bytes: small)]
    let length = multiPicture(others).count
    var segment: [UInt8] = []
    _ = multiPicture(others) { segment = $0 }
    for index in segment.indices {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        let file = multiPicture(others) { $0[index] = value }
        for preview in try metadata(file).previews {
          #expect(preview.range.upperBound <= length)
        }
      }
      _ = try metadata(multiPicture(others) { $0 = Array($0[..<index]) })
    }
    // Text where the picture should be.
    let text = Array("this is no picture at all".utf8)
    #expect(try metadata(multiPicture([(0x01_0001, text)])).previews == [])
  }

  @Test("the thumbnail's own tag says how it is turned: IFD1's, else that of its own EXIF")
  func orientation() throws {
    let inner = picture(
      width: 160, height: 120, [exifSegment(TIFFBuilder(main: [(0x0112, .short([3]))]).bytes)])
    let block = TIFFBuilder(main: [(0x0112, .short([6]))], preview: inner)
    let result = try metadata(tiff: block)
    #expect(result.orientation == .right)
    #expect(result.previews.map(\.orientation) == [.down])
    #expect(result.previewOrientation == .down)
  }

  private func fit(
    _ preview: (Int, Int), _ size: (Int, Int), _ picture: Orientation = .up,
    own: Orientation? = nil
  ) -> EmbeddedPreview.Fit {
    EmbeddedPreview(
      source: .exifThumbnail, range: 0..<1,
      pixelSize: PixelSize(width: preview.0, height: preview.1), orientation: own
    ).fit(pictureSize: PixelSize(width: size.0, height: size.1), orientation: picture)
  }

  @Test("the aspect, within a pixel of rounding")
  func aspect() {
    #expect(fit((160, 120), (4032, 3024)) == .whole)
    // 160 * 3000 / 4512 is 106.38.
    #expect(fit((160, 106), (4512, 3000)) == .whole)
    #expect(fit((160, 107), (4512, 3000)) == .whole)
    #expect(fit((160, 108), (4512, 3000)) != .whole)
    #expect(fit((120, 160), (3024, 4032)) == .whole)
    #expect(fit((1620, 1080), (6000, 4000)) == .whole)
    #expect(fit((1, 1), (1, 1)) == .whole)
  }

  @Test("bars are expected where the aspect differs: of 3:2 in 160x120, 6 or 7 rows")
  func bars() {
    // 160 * 2 / 3 is 106.67: 13.33 rows are left.
    #expect(fit((160, 120), (6000, 4000)) == .barsAboveAndBelow(rows: 6...7))
    // 160 * 9 / 16 is 90: 15 rows at each end.
    #expect(fit((160, 120), (1920, 1080)) == .barsAboveAndBelow(rows: 15...15))
    // 120 * 3 / 4 is 90: 35 columns at each side; or a picture that was turned and kept the old preview.
    #expect(fit((160, 120), (3024, 4032)) == .barsLeftAndRight(columns: 35...35))
    #expect(fit((160, 120), (1000, 1000)) == .barsLeftAndRight(columns: 20...20))
  }

  @Test("both are compared upright")
  func turned() {
    // Turned as the picture is.
    #expect(fit((160, 120), (4032, 3024), .right) == .whole)
    // The picture was turned by an editor and its tag reset, the preview was not.
    #expect(fit((160, 120), (3024, 4032), .up) == .barsLeftAndRight(columns: 35...35))
    // The preview is stored upright and says so.
    #expect(fit((120, 160), (4032, 3024), .right, own: .up) == .whole)
    #expect(fit((160, 120), (3024, 4032), .up, own: .right) == .whole)
    // Rows are those of the preview as stored.
    #expect(fit((160, 120), (6000, 4000), .left) == .barsAboveAndBelow(rows: 6...7))
    #expect(fit((120, 160), (6000, 4000), .left, own: .up) == .barsLeftAndRight(columns: 6...7))
  }
}
