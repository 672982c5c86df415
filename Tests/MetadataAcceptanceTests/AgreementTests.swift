import ImageMetadata
import Testing

/// Dates, orientation, place and camera of the whole corpus, against its table of independent values.
@Suite("Agreement on real pictures", .enabled(if: Corpus.folder != nil))
struct AgreementTests {
  @Test(
    "every value is exiftool's, but for the listed exceptions, in which exiv2 is of our opinion")
  func everything() throws {
    let policy = try CreationDatePolicy(timeZone: "UTC")
    var comparison = Comparison()
    var pictures = 0
    let files = try Corpus.forEachPicture { picture in
      pictures += 1
      comparison.compareChosenDate(picture, policy)
      if picture.row["exiftool_warning"].isEmpty {
        comparison.compareRaw(picture)
        comparison.compareOtherDates(picture)
      }
    }
    print("\(pictures) pictures of \(files) files")
    for (column, count) in comparison.compared.sorted(by: { $0.key < $1.key }) {
      let wrong = comparison.differences.count { $0.column == column }
      print("  \(column): \(count - wrong) of \(count) agree")
    }
    let known = KnownException.all
    #expect(known.count <= KnownException.maximum)
    for difference in comparison.differences {
      let exception = known.first { $0.file == difference.file && $0.column == difference.column }
      guard let exception else {
        Issue.record("\(difference.text)")
        continue
      }
      #expect(difference.ours == exception.ours, "\(difference.text)")
      let answer = try #require(try exception.answerOfExiv2(), "exiv2 is needed")
      #expect(answer == exception.confirmation, "\(difference.text)")
      print("  exception: \(difference.text), exiv2 \(answer): \(exception.reason)")
    }
    // None is kept for a difference that is there no more.
    for exception in known {
      #expect(
        comparison.differences.contains {
          $0.file == exception.file && $0.column == exception.column
        }, "\(exception.file), \(exception.column)")
    }
    // The whole of it was compared, and not a part.
    #expect(comparison.compared["derived_date", default: 0] > 200)
    for column in ["DateTimeOriginal", "CreateDate", "ModifyDate", "orientation", "Make", "Model"] {
      #expect(comparison.compared[column, default: 0] > 150, "\(column)")
    }
    for column in ["SubSecTimeOriginal", "OffsetTimeOriginal", "GPSLatitude", "GPSTimeStamp"] {
      #expect(comparison.compared[column, default: 0] > 8, "\(column)")
    }
  }
}
