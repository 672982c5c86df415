import Foundation
import ImageMetadata
import Testing

/// Ratings of the whole corpus, against exiftool's values of the same tags.
@Suite(
  "Ratings of real pictures", .enabled(if: Corpus.folder != nil && Judge.exiftool.isThere))
struct RatingTests {
  /// What exiftool says of one file.
  private struct Answer {
    var xmp: Double?
    var exif: Double?
    /// exiftool's name of MicrosoftPhoto:Rating is RatingPercent.
    var xmpPercent: Double?

    /// By the order of trust that docs/formats.md states, for values that are in range.
    var expected: Int? {
      if let xmp, xmp == -1 || (0...5).contains(xmp) { return Int(xmp) }
      // What Windows writes for no stars and for 1 to 5.
      if let xmpPercent { return [0: 0, 1: 1, 25: 2, 50: 3, 75: 4, 99: 5][xmpPercent] }
      if let exif, (0...5).contains(exif) { return Int(exif) }
      return nil
    }
  }

  @Test("the rating is exiftool's, and no file has one in which exiftool finds none")
  func everything() throws {
    let answers = try answers()
    var rated = 0
    _ = try Corpus.forEachPicture { picture in
      let path = try Corpus.path(of: picture.row.name)
      let expected = answers[path]?.expected
      if expected != nil { rated += 1 }
      // exiftool reads nothing of some files with a damaged head; those say so.
      if expected == nil, picture.metadata.rating != nil,
        !picture.row["exiftool_warning"].isEmpty
      {
        return
      }
      #expect(picture.metadata.rating == expected, "\(picture.row.name)")
    }
    print("\(rated) pictures have a rating")
    #expect(rated > 25)
  }

  private func answers() throws -> [String: Answer] {
    let folder = try #require(Corpus.folder)
    let data = try Judge.exiftool.output([
      "-q", "-q", "-m", "-n", "-a", "-r", "-G1", "-j",
      "-XMP-xmp:Rating", "-IFD0:Rating", "-XMP-microsoft:RatingPercent", folder,
    ])
    let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    var answers: [String: Answer] = [:]
    for file in list {
      guard let name = file["SourceFile"] as? String else { continue }
      func number(_ tag: String) -> Double? { file[tag].flatMap { Double("\($0)") } }
      answers[name] = Answer(
        xmp: number("XMP-xmp:Rating"), exif: number("IFD0:Rating"),
        xmpPercent: number("XMP-microsoft:RatingPercent"))
    }
    return answers
  }
}
