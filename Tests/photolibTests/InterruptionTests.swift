import FoundationEssentials
import Glibc
import PhotoLibraryTesting
import PhotoModel
import Testing

@Suite("Interruption", .timeLimit(.minutes(10)))
struct InterruptionTests {
  /// Random numbers that a failed run can be repeated with (SplitMix64).
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private static let pictures = 60

  @Test("Killed at a random moment, add leaves a library that a second add completes")
  func kill() async throws {
    let seed =
      ProcessInfo.processInfo.environment["PHOTOLIB_SEED"].flatMap { UInt64($0) }
      ?? UInt64.random(in: 0...UInt64.max)
    print("seed of the kills: PHOTOLIB_SEED=\(seed)")
    var generator = Generator(state: seed)
    let place = try Workplace()
    try place.writePictures(Self.pictures, size: PixelSize(width: 320, height: 240))
    let clock = ContinuousClock()
    let begin = clock.now
    #expect(try await place.photolib("add", "pictures").status == 0)
    let whole = clock.now - begin
    try await expectWhole(place)

    var killed = 0
    for _ in 0..<20 {
      _ = try await place.shell("rm -rf Test.photolib")
      let process = try place.begin("add", "pictures")
      let part = Double.random(in: 0...1, using: &generator)
      try await Task.sleep(for: whole * part)
      process.send(SIGKILL)
      let result = try await process.result()
      #expect(result.status == 137 || result.status == 0)
      if result.status == 137 { killed += 1 }

      // Nothing that was begun stands in the way, and no picture comes twice.
      let second = try await place.photolib("add", "pictures", "--json")
      #expect(second.status == 0, "after \(whole * part): \(second.errorText)")
      let report = try JSONValue(second.output)
      let sum = (report["added"]?.integer ?? 0) + (report["duplicates"]?.integer ?? 0)
      #expect(sum == Self.pictures)
      try await expectWhole(place)
    }
    #expect(killed > 0)
  }

  private func expectWhole(_ place: Workplace) async throws {
    let check = try await place.photolib("check", "--read-data")
    #expect(check.status == 0, "\(check.outputText)")
    let assets = try JSONValue(try await place.photolib("fetch", "--json").output).array
    #expect(assets.count == Self.pictures)
    #expect(Set(assets.compactMap { $0["sha256"]?.string }).count == Self.pictures)
  }

  @Test(
    "SIGINT and SIGTERM end add soon, with a library in order",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func signals(signal: Int32, status: Int32) async throws {
    let place = try Workplace()
    try place.writePictures(Self.pictures, size: PixelSize(width: 320, height: 240))
    for copy in 0..<20 {
      try place.makeFolder("pictures/copy-\(copy)")
      for number in 0..<10 {
        var picture = TestPicture(
          date: "2022-01-01 00:00:00Z", size: PixelSize(width: 320, height: 240))
        picture.number = 1_000 + copy * 10 + number
        try place.write(picture.data, as: "pictures/copy-\(copy)/\(number).jpg")
      }
    }
    #expect(try await place.photolib("init").status == 0)
    let process = try place.begin("add", "pictures")
    // Once the first copy is being made, it is in the middle of its work.
    let deadline = ContinuousClock.now + .seconds(30)
    while try place.names(in: "Test.photolib/staging").isEmpty, .now < deadline {
      try await Task.sleep(for: .milliseconds(1))
    }
    process.send(signal)
    let sent = ContinuousClock.now
    let result = try await process.result()
    #expect(result.status == status)
    #expect(ContinuousClock.now - sent < .seconds(5))
    #expect(result.output.isEmpty)
    #expect(result.errorText.contains("interrupted: "))
    // In order without another writer's help: nothing is left in staging.
    let check = try await place.photolib("check")
    #expect(check.status == 0, "\(check.outputText)")
    #expect(try await place.photolib("add", "pictures", "-q").status == 0)
    #expect(try await place.photolib("fetch", "--count").outputText == "260\n")
  }

  @Test("A reading command ends at once")
  func reading() async throws {
    let place = try Workplace()
    try place.writePictures(3)
    #expect(try await place.photolib("add", "pictures").status == 0)
    // It waits for identifiers on standard input.
    let result = try await place.shell(
      "sleep 20 | $photolib show - & sleep 0.3; kill -TERM $!; wait $!; echo $?; kill %% 2>/dev/null; true"
    )
    #expect(result.outputLines.first == "143")
  }
}
