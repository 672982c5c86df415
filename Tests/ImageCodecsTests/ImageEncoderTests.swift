import ImageCodecs
import ImageContainer
import PhotoModel
import Testing

@Suite("Image encoder")
struct ImageEncoderTests {
  private func picture(_ width: Int, _ height: Int, channels: Int) -> PixelBuffer {
    let bytes = (0..<width * height * channels).map { index -> UInt8 in
      UInt8((index / channels % width * 3 + index % channels * 60) % 256)
    }
    return PixelBuffer(
      size: PixelSize(width: width, height: height), channels: channels, bytes: bytes)
  }

  @Test("PNG keeps every pixel", arguments: [1, 3, 4])
  func png(_ channels: Int) throws {
    let pixels = PixelBuffer(
      size: PixelSize(width: 2, height: 2), channels: channels,
      bytes: (0..<4 * channels).map {
        UInt8($0 * 13 + 5) | (channels == 4 && $0 % 4 == 3 ? 255 : 0)
      })
    let file = try ImageEncoder.png(pixels)
    let decoded = try decode(file)
    for index in 0..<4 {
      let expected = (0..<3).map { Int(pixels.bytes[index * channels + (channels == 1 ? 0 : $0)]) }
      #expect(decoded.colours[index] == expected)
    }
  }

  @Test("JPEG comes back nearly the same", arguments: [1, 3], [50, 85, 90, 100])
  func jpeg(_ channels: Int, _ quality: Int) throws {
    let pixels = picture(64, 48, channels: channels)
    let decoded = try decode(try ImageEncoder.jpeg(pixels, quality: quality))
    #expect(decoded.pixels.size == pixels.size)
    var total = 0
    for index in 0..<64 * 48 {
      for channel in 0..<3 {
        let before = pixels.bytes[index * channels + (channels == 1 ? 0 : channel)]
        total += abs(Int(before) - Int(decoded.pixels.bytes[index * 3 + channel]))
      }
    }
    #expect(Double(total) / Double(64 * 48 * 3) < 6)
  }

  @Test("Small pictures keep their chroma whole", arguments: [(128, 128), (1, 1), (16, 128)])
  func smallSampling(_ width: Int, _ height: Int) throws {
    let file = try ImageEncoder.jpeg(picture(width, height, channels: 3), quality: 85)
    let structure = try ImageStructure.scan(MemoryByteSource(file))
    let luma = try #require(structure.jpeg?.components.first)
    #expect((luma.horizontalSampling, luma.verticalSampling) == (1, 1))
  }

  @Test(
    "Chroma is halved up to quality 85, half of that up to 90, kept above",
    arguments: [(1, 2, 2), (85, 2, 2), (86, 2, 1), (90, 2, 1), (91, 1, 1), (100, 1, 1)])
  func sampling(_ quality: Int, _ horizontal: Int, _ vertical: Int) throws {
    let file = try ImageEncoder.jpeg(picture(129, 16, channels: 3), quality: quality)
    let structure = try ImageStructure.scan(MemoryByteSource(file))
    let luma = try #require(structure.jpeg?.components.first)
    #expect((luma.horizontalSampling, luma.verticalSampling) == (horizontal, vertical))
    #expect(structure.completeness == .complete && !structure.isProgressive)
    // JFIF is all that is there besides the picture: no EXIF, no profile, no comment.
    let others = structure.segments.filter {
      (0xE1...0xEF).contains($0.marker) || $0.marker == 0xFE
    }
    #expect(others.isEmpty)
  }

  @Test("The recipe decides on the format")
  func recipe() throws {
    let pixels = picture(5, 5, channels: 3)
    for encoding in [ThumbnailRecipe.Encoding.jpeg(quality: 70), .png] {
      let file = try ImageEncoder.encode(pixels, as: encoding)
      #expect(FileType.recognise(file) == .image(encoding.format))
    }
  }

  @Test("What a format cannot hold is an error")
  func impossible() {
    let pixels = picture(2, 2, channels: 4)
    #expect(throws: CodecError.encodingFailed("JPEG has no alpha channel")) {
      try ImageEncoder.jpeg(pixels, quality: 85)
    }
    let long = PixelBuffer(
      size: PixelSize(width: 65_501, height: 1), channels: 1,
      bytes: [UInt8](repeating: 0, count: 65_501))
    #expect(throws: CodecError.self) { try ImageEncoder.jpeg(long, quality: 85) }
    #expect(throws: Never.self) { try ImageEncoder.png(long) }
  }

  @Test("Noise, which does not compress, fits too")
  func noise() throws {
    var seed: UInt64 = 7
    let bytes = (0..<300 * 200 * 3).map { _ -> UInt8 in
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: seed >> 40)
    }
    let pixels = PixelBuffer(
      size: PixelSize(width: 300, height: 200), channels: 3, bytes: bytes)
    let file = try ImageEncoder.jpeg(pixels, quality: 100)
    #expect(try decode(file, recipe: .fit(300, 300)).isComplete)
    #expect(try decode(try ImageEncoder.png(pixels), recipe: .fit(300, 300)).pixels.bytes == bytes)
  }
}
