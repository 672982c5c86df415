import Foundation
import Testing

/// A value that is not exiftool's here, on purpose, with what a third program says of it.
struct KnownException {
  /// Where it is: the picture, and the table's column.
  let file: String
  let column: String
  /// What is read here, as the test prints it; nothing where empty.
  let ours: String
  /// Why ours is right.
  let reason: String
  /// The key under which exiv2 knows the value, and all of what it prints for it.
  let key: String
  let confirmation: String

  /// No more than these.
  static let maximum = 10

  static let all = [
    KnownException(
      file: "exif-dates-gps/with-null-coordinates.jpg", column: "GPSTimeStamp", ours: "",
      reason: "0/0 is no time; exiftool makes it midnight",
      key: "Exif.GPSInfo.GPSTimeStamp", confirmation: "0/0 0/0 0/0"),
    KnownException(
      file: "exif-dates-gps/image-2011.jpg", column: "derived_date", ours: "2011-07-19T11:36:38",
      reason: "DateTimeDigitized stands in IFD0, where the table does not look",
      key: "Exif.Image.0x9004", confirmation: "2011:07:19 11:36:38"),
    KnownException(
      file: "exif-hostile/exiv2-bug479.jpg", column: "derived_date", ours: "2006-05-27T12:37:03",
      reason: "DateTimeOriginal stands in IFD0, where the table does not look",
      key: "Exif.Image.DateTimeOriginal", confirmation: "2006:05:27 12:37:03"),
    // exiv2 does not follow that pointer either; the same date stands in the file's XMP.
    KnownException(
      file: "exif-hostile/30-type_error.jpg", column: "derived_date", ours: "2013-07-05T03:18:27",
      reason:
        "the pointer to the EXIF directory has the type of a text; it is followed all the same",
      key: "Xmp.exif.DateTimeOriginal", confirmation: "2013-07-05T03:18:27Z"),
    KnownException(
      file: "exif-hostile/exif_typeerror.jpg", column: "derived_date", ours: "2010-07-11T13:53:00",
      reason:
        "the pointer to the EXIF directory has the type of a text; it is followed all the same",
      key: "Xmp.exif.DateTimeOriginal", confirmation: "2010-07-11T13:53:00+02:00"),
    KnownException(
      file: "fuzz-jpeg/relax-jpeg.jpg", column: "ModifyDate", ours: "2002:05:30 22:46:25",
      reason: "the tag is there twice; the first counts",
      key: "Exif.Image.DateTime", confirmation: "2002:05:30 22:46:25, 2002:05:30 22:46:56"),
    KnownException(
      file: "fuzz-jpeg/relax-jpeg.jpg", column: "derived_date", ours: "2002-05-30T22:46:25",
      reason: "the tag is there twice; the first counts",
      key: "Exif.Image.DateTime", confirmation: "2002:05:30 22:46:25, 2002:05:30 22:46:56"),
  ]

  /// Asks exiv2 of the picture, also for tags without a name (-u); of several values a list.
  ///
  /// Nil where there is no exiv2.
  func answerOfExiv2() throws -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["exiv2", "-q", "-u", "-K", key, "-Pv", try Corpus.path(of: file)]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus != 127 else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").joined(separator: ", ")
  }
}
