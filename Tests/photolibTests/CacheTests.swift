import FoundationEssentials
import Glibc
import PhotoLibraryTesting
import PhotoModel
import Testing

@testable import photolib

@Suite("Cache", .timeLimit(.minutes(5)))
struct CacheTests {
  private func library(_ count: Int) async throws -> Workplace {
    let place = try Workplace()
    try place.writePictures(count, size: PixelSize(width: 320, height: 240))
    #expect(try await place.photolib("add", "pictures").status == 0)
    return place
  }

  private func statistics(_ place: Workplace) async throws -> [String: Int] {
    let result = try await place.photolib("cache", "stats", "--json")
    #expect(result.status == 0)
    let object = try JSONValue(result.output)
    #expect(object.keys == ["thumbnails", "bytes", "fileBytes", "limit"])
    return Dictionary(
      uniqueKeysWithValues: object.keys.compactMap { key in
        object[key]?.integer.map { (key, $0) }
      })
  }

  @Test("warm makes what is not there; a fetch then takes all from the cache; clear removes it")
  func warmAndClear() async throws {
    let place = try await library(6)
    let before = try await place.photolib("cache")
    #expect(before.status == 0)
    #expect(
      before.outputText == "thumbnails 0\nbytes      0\nfileBytes  0\nlimit      1G\n")
    let first = try await place.photolib("cache", "warm", "--json", "-j", "1")
    #expect(first.status == 0)
    #expect(
      first.outputText == "{\"made\":6,\"present\":0,\"notKept\":0,\"failed\":0}\n")
    let second = try await place.photolib("cache", "warm")
    #expect(second.outputText == "0 made, 6 there already\n")
    #expect(second.errors.isEmpty)
    let fetched = try JSONValue(try await place.photolib("fetch", "--thumbs", "--json").output)
    #expect(try fetched.array.allSatisfy { $0["thumbnail"]?["source"]?.string == "cache" })
    let filled = try await statistics(place)
    #expect(filled["thumbnails"] == 6)
    #expect(filled["limit"] == 1 << 30)
    let cleared = try await place.photolib("cache", "clear")
    #expect(cleared.outputText == "6 thumbnails removed\n")
    #expect(try await statistics(place)["thumbnails"] == 0)
    let again = try await place.photolib("cache", "clear", "--json")
    #expect(again.outputText == "{\"removed\":0}\n")
    #expect(try await place.photolib("check").status == 0)
  }

  @Test("warm takes the assets and the recipe that are named, and reports what is not there")
  func warmSome() async throws {
    let place = try await library(5)
    let ids = try await place.photolib("fetch", "--ids").outputLines.map(String.init)
    let some = try await place.photolib(
      "cache", "warm", ids[1], "pictures/a-3.jpg", "--size", "100", "--mode", "fill")
    #expect(some.outputText == "2 made, 0 there already\n")
    let range = try await place.photolib(
      "cache", "warm", "--to", "2024-03-02", "--size", "100", "--mode", "fill")
    #expect(range.outputText == "1 made, 1 there already\n")
    // Another recipe is another picture.
    let other = try await place.photolib("cache", "warm", ids[1])
    #expect(other.outputText == "1 made, 0 there already\n")
    let unknown = AssetID().uuidString
    let partly = try await place.photolib("cache", "warm", ids[1], unknown)
    #expect(partly.status == 1)
    #expect(partly.errorText == "photolib: \(unknown): no such asset\n")
    #expect(try await place.photolib("cache", "warm", unknown).status == 66)
  }

  @Test("A limit lasts, is kept to, and warm says where it is too small")
  func limit() async throws {
    let place = try await library(12)
    let set = try await place.photolib("cache", "limit", "64k", "--json")
    #expect(set.status == 0)
    #expect(try JSONValue(set.output)["limit"]?.integer == 65_536)
    let warm = try await place.photolib("cache", "warm", "--size", "320")
    #expect(warm.status == 0)
    #expect(warm.errorText.hasPrefix("hint: the cache has room for 64K, and not for all"))
    let small = try await statistics(place)
    #expect(try #require(small["bytes"]) <= 65_536)
    let none = try await place.photolib("cache", "limit", "0")
    #expect(none.outputLines.last == "limit      0")
    #expect(try await place.photolib("fetch", "--thumbs").status == 0)
    #expect(try await statistics(place)["thumbnails"] == 0)
    for wrong in [["limit"], ["limit", "x"], ["limit", "-1"], ["limit", "1", "2"], ["burn"]] {
      let result = try await place.run(["-L", place.library.string, "cache"] + wrong)
      #expect(result.status == 64, "\(wrong)")
    }
    #expect(try await place.photolib("cache", "limit", "9999999T").status == 64)
    #expect(try await place.photolib("cache", "clear", "--size", "9").status == 64)
    #expect(try await place.photolib("cache", "stats", "x").status == 64)
  }

  @Test("A limit below what the empty file takes is kept as 0 is, and says what the file takes")
  func tinyLimit() async throws {
    let place = try await library(1)
    #expect(try await place.photolib("cache", "warm").status == 0)
    let set = try await place.photolib("cache", "limit", "1K")
    #expect(set.status == 0)
    #expect(set.outputLines.last == "limit      1K")
    let empty = try await statistics(place)
    let bytes = try #require(empty["bytes"])
    #expect(bytes > 1024)
    #expect(bytes < 65_536)
    #expect(
      set.errorText.hasPrefix("hint: the cache takes \(bytes >> 10)K without any thumbnail; "))
    #expect(try await place.photolib("cache", "warm", "--size", "8").status == 0)
    #expect(try await statistics(place)["thumbnails"] == 0)
    // Exactly what it takes is no less than that, and 0 is meant.
    for limit in [String(bytes), "0"] {
      let other = try await place.photolib("cache", "limit", limit)
      #expect(other.errorText.isEmpty, "\(limit)")
    }
  }

  @Test("It is the owner's alone, and makes no library")
  func ownerOnly() async throws {
    let place = try await library(1)
    #expect(try await place.photolib("cache", "-c", "org.example.a").status == 64)
    let elsewhere = try await place.run(["-L", "nowhere", "cache", "warm"])
    #expect(elsewhere.status == 69)
  }

  @Test("A cache that is garbage is made anew by whatever comes first")
  func garbage() async throws {
    let place = try await library(3)
    for command in [["fetch", "--thumbs"], ["cache", "warm"], ["cache", "clear"], ["cache"]] {
      _ = try await place.shell(
        "rm -f Test.photolib/thumbnails.sqlite*; "
          + "(umask 077; head -c 20000 /dev/urandom > Test.photolib/thumbnails.sqlite)")
      let result = try await place.run(["-L", place.library.string] + command)
      #expect(result.status == 0, "\(command): \(result.errorText)")
      #expect(try await place.photolib("check").status == 0)
    }
  }

  @Test("Warming, clearing, limiting and fetching at once, and being killed, leave a whole cache")
  func atOnce() async throws {
    let place = try await library(40)
    let result = try await place.shell(
      """
      for round in 1 2 3; do
        $photolib cache warm -q & $photolib cache warm --size 100 -q & $photolib cache clear -q &
        $photolib cache limit ${round}00K -q >/dev/null & $photolib fetch --thumbs -o t$round -q >/dev/null &
        for job in $(jobs -p); do wait $job || echo "failed: $?"; done
      done
      """)
    #expect(result.status == 0)
    #expect(result.outputText == "")
    #expect(result.errorText == "")
    for round in 1...3 { #expect(try place.names(in: "t\(round)").count == 40) }
    #expect(try await place.photolib("cache", "limit", "1G").status == 0)
    for round in 0..<6 {
      let killed = try await place.shell(
        "$photolib cache clear -q; $photolib cache warm -q --size 300 & "
          + "sleep 0.\(round * 7 + 10); kill -9 $! 2>/dev/null; wait $! 2>/dev/null; true")
      #expect(killed.status == 0)
      let check = try await place.photolib("check")
      #expect(check.status == 0, "\(check.outputText)")
    }
    let after = try await place.photolib("cache", "warm", "--size", "300", "--json")
    let counts = try JSONValue(after.output)
    #expect((counts["made"]?.integer ?? 0) + (counts["present"]?.integer ?? 0) == 40)
  }

  @Test(
    "Numbers of bytes are read and written in units of 1024",
    arguments: [
      ("0", 0, "0"), ("1023", 1_023, "1023"), ("2k", 2_048, "2K"), ("1536K", 1_572_864, "1.5M"),
      ("4G", 4_294_967_296, "4G"), ("1048575", 1_048_575, "1M"),
    ] as [(String, Int64, String)])
  func byteCounts(text: String, bytes: Int64, shown: String) {
    #expect(ByteCount.read(Array(text.utf8)) == bytes)
    #expect(ByteCount.text(bytes) == shown)
  }

  @Test(
    "What is no number of bytes is refused",
    arguments: ["", "K", "1X", "-1", "1.5G", "9999999T", "1 G"])
  func notByteCounts(text: String) { #expect(ByteCount.read(Array(text.utf8)) == nil) }
}
