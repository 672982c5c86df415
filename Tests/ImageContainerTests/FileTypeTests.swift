import ImageContainer
import PhotoModel
import Testing

@Suite("File types")
struct FileTypeTests {
  private static func box(_ brands: String...) -> [UInt8] {
    [0, 0, 0, 0x20] + Array("ftyp".utf8) + Array(brands[0].utf8) + [0, 0, 0, 0]
      + brands.dropFirst().flatMap { Array($0.utf8) }
  }

  @Test("JPEG and PNG are recognised by content")
  func images() {
    #expect(FileType.recognise([0xFF, 0xD8, 0xFF, 0xE0]) == .image(.jpeg))
    #expect(FileType.recognise(pngSignature + [0, 0, 0, 13]) == .image(.png))
    #expect(FileType.recognise([0xFF, 0xD8]) == .other("unknown"))
    #expect(FileType.recognise(Array(pngSignature.dropLast())) == .other("unknown"))
  }

  @Test(
    "everything else gets a name for counting",
    arguments: [
      ([], "empty"), (box("heic", "mif1"), "heic"), (box("mif1", "mif1", "heic"), "heic"),
      (box("mif1", "miaf", "avif"), "avif"), (box("mif1", "miaf"), "heif"), (box("avif"), "avif"),
      (box("qt  "), "mov"), (box("isom", "mp41"), "mp4"), (box("mp42"), "mp4"),
      (box("3gp4"), "3gp"), (box("crx "), "cr3"), (Array("GIF89a".utf8), "gif"),
      (Array("RIFF".utf8) + [1, 0, 0, 0] + Array("WEBPVP8 ".utf8), "webp"),
      (Array("BM".utf8) + [70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0], "bmp"),
      (Array("BMW drives along the road".utf8), "text"),
      ([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], "tiff"), ([0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8], "tiff"),
      ([0x49, 0x49, 0x2A, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], "cr2"),
      (Array("FUJIFILMCCD-RAW 0201".utf8), "raf"), (Array("IIRO".utf8) + [8, 0, 0, 0], "orf"),
      ([0x49, 0x49, 0x55, 0, 8, 0, 0, 0], "rw2"), (Array("%PDF-1.7".utf8), "pdf"),
      ([0x50, 0x4B, 3, 4], "zip"), (Array("<?xml version=\"1.0\"?><a/>".utf8), "xml"),
      (Array("<svg xmlns=\"http://www.w3.org/2000/svg\">".utf8), "svg"),
      (Array("<!DOCTYPE html><html>".utf8), "html"), (Array("P6\n2 2\n255\n".utf8), "pnm"),
      (Array("Grüße\n".utf8), "text"), ([0xEF, 0xBB, 0xBF] + Array("{}".utf8), "text"),
      // 63 letters and the first byte of a character of two.
      ([UInt8](repeating: 97, count: 63) + [0xC3], "text"), ([0xC3], "unknown"),
      ([0, 1, 2, 3], "unknown"), ([0xFF, 0x0A, 0, 0], "jxl"),
    ] as [([UInt8], String)])
  func others(bytes: [UInt8], name: String) {
    #expect(FileType.recognise(bytes) == .other(name))
  }
}
