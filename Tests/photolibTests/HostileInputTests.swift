import FoundationEssentials
import Glibc
import PhotoLibraryTesting
import PhotoModel
import Testing

@Suite("Bad input", .timeLimit(.minutes(5)))
struct HostileInputTests {
  /// Root reads every file, so these tests need a user who does not.
  private static var canDropPrivileges: Bool {
    geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
  }

  /// The words before a command that run it as nobody, where the tests run as root.
  private static let asNobody =
    geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

  /// Good and bad files side by side: two good ones, and one of each bad kind.
  private func makeFiles(in place: Workplace) throws {
    try place.makeFolder("in/deep")
    let good = TestPicture(
      date: "2024-01-01 10:00:00+00:00", size: PixelSize(width: 600, height: 400)
    ).data
    try place.write(good, as: "in/a-good.jpg")
    let png = TestPicture(
      date: "2024-01-02 10:00:00+00:00", size: PixelSize(width: 60, height: 40), format: .png
    ).data
    try place.write(png, as: "in/deep/z-good.png")

    try place.write(Array(good.prefix(good.count * 2 / 3)), as: "in/cut.jpg")
    try place.write(Array("this is no picture\n".utf8), as: "in/text.jpg")
    try place.write([], as: "in/empty.jpg")
    var broken = png
    // One bit in the middle of the pixels: the CRC of their chunk no longer fits.
    broken[broken.count - 20] ^= 1
    try place.write(broken, as: "in/crc.png")
    var secret = TestPicture(date: "2024-01-03 10:00:00+00:00")
    secret.number = 3
    try place.write(secret.data, as: "in/secret.jpg")
    try place.write(Array("notes\n".utf8), as: "in/notes.txt")
  }

  @Test(
    "Good files among bad ones are added, each bad one is named with its reason, and nothing hangs",
    .enabled(if: canDropPrivileges))
  func mixture() async throws {
    let place = try Workplace()
    try makeFiles(in: place)
    let setUp = try await place.shell(
      """
      set -e
      chmod 0600 in/secret.jpg; \(geteuid() == 0 ? ":" : "chmod 0 in/secret.jpg")
      mkfifo in/pipe.jpg
      ln -s .. in/deep/loop
      cp "$photolib" photolib; chmod 755 photolib .
      mkdir data; \(geteuid() == 0 ? "chown 65534:65534 data" : ":")
      """)
    #expect(setUp.status == 0, "\(setUp.errorText)")
    // Else the test would prove nothing.
    let reads = try await place.shell("\(Self.asNobody)cat in/secret.jpg")
    #expect(reads.status != 0)

    let program = "\(Self.asNobody)./photolib -L data/Test.photolib"
    let add = try await place.shell("\(program) add --json in")
    #expect(add.status == 1, "\(add.errorText)")
    let report = try JSONValue(add.output)
    let added = try report["assets"]?.array.compactMap { $0["path"]?.string }.sorted()
    #expect(added == ["in/a-good.jpg", "in/deep/z-good.png"])
    let failures = try #require(try report["failures"]?.array)
    let failed = failures.compactMap { $0["path"]?.string }.sorted()
    #expect(
      failed == ["in/crc.png", "in/cut.jpg", "in/empty.jpg", "in/secret.jpg", "in/text.jpg"])
    #expect(report["failed"]?.integer == 5)
    #expect(report["skippedTypes"]?["fifo"]?.integer == 1)
    #expect(report["skippedTypes"]?["link"]?.integer == 1)
    #expect(report["skipped"]?.integer == 3)
    for failure in failures {
      let path = try #require(failure["path"]?.string)
      let reason = try #require(failure["reason"]?.string)
      #expect(!reason.isEmpty)
      #expect(add.errorLines.contains("photolib: \(path): \(reason)"))
    }
    #expect(add.errorLines.contains("photolib: in/pipe.jpg: skipped (fifo)"))
    #expect(add.errorLines.contains("photolib: in/deep/loop: skipped (link)"))

    #expect(try await place.shell("\(program) check --read-data").status == 0)
    let count = try await place.shell("\(program) fetch --count")
    #expect(count.outputText == "2\n")
    // Nobody but its owner reads the library.
    let modes = try await place.shell("find data/Test.photolib -perm /077 | wc -l")
    #expect(modes.outputText == "0\n")
  }

  @Test("--keep-damaged adds incomplete pictures too, and marks them")
  func keepDamaged() async throws {
    let place = try Workplace()
    try makeFiles(in: place)
    let add = try await place.photolib("add", "--keep-damaged", "in/cut.jpg", "in/crc.png")
    #expect(add.status == 0, "\(add.errorText)")
    let assets = try JSONValue(try await place.photolib("fetch", "--json").output).array
    #expect(assets.count == 2)
    #expect(assets.allSatisfy { $0["damaged"]?.string?.isEmpty == false })
  }

  @Test("What was named itself fails, what is not there too, and the rest goes on")
  func named() async throws {
    let place = try Workplace()
    try makeFiles(in: place)
    _ = try await place.shell("mkfifo pipe; ln -s in/a-good.jpg link.jpg; ln -s nowhere dead.jpg")
    let add = try await place.photolib(
      "add", "pipe", "in/notes.txt", "missing\n.jpg", "dead.jpg", "link.jpg", "--json")
    #expect(add.status == 1)
    let report = try JSONValue(add.output)
    #expect(report["added"]?.integer == 1)
    #expect(
      try report["failures"]?.array.compactMap { $0["path"]?.string } == [
        "pipe", "in/notes.txt", "missing\n.jpg", "dead.jpg",
      ])
    #expect(add.errorText.contains(#"photolib: missing\n.jpg: "#))
    let asset = try JSONValue(try await place.photolib("fetch", "--json").output).array.first
    #expect(asset?["originalFilename"]?.string == "link.jpg")
    let only = try await place.photolib("add", "in/text.jpg")
    #expect(only.status == 1)
    #expect(only.outputText == "0 added, 0 duplicates, 0 skipped, 1 failed\n")
  }
}
