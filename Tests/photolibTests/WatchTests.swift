import Testing

@Suite("photolib watch", .timeLimit(.minutes(5)))
struct WatchCommandTests {
  @Test("watch --since prints each commit since a token, and those that come, a line at once")
  func since() async throws {
    let place = try Workplace()
    try place.writePictures(40)
    // The shell adds one by one until the watcher, which is another process, has printed.
    let first = try await place.shell(
      """
      $photolib init >/dev/null
      $photolib watch --json >lines & pid=$!
      for picture in pictures/*; do
        $photolib add -q "$picture" >/dev/null; sleep 0.2; [ -s lines ] && break
      done
      kill -TERM $pid; wait $pid; echo "status $?"; head -1 lines
      """)
    let line = try JSONValue(Array((first.outputLines.last ?? "").utf8))
    #expect(first.outputLines.contains("status 143"))
    let token = try #require(line["token"]?.string)
    #expect(try line["inserted"]?.array.count == 1)
    #expect(try line["changed"]?.array.count == 0)
    #expect(try line["removed"]?.array.count == 0)

    let second = try await place.shell(
      """
      id=$($photolib fetch --ids | head -1)
      $photolib edit -q --date 2001-01-01 $id >/dev/null
      $photolib watch --since \(token) >lines & pid=$!
      for turn in $(seq 100); do sleep 0.1; grep -q changed lines && break; done
      sleep 0.2; kill -TERM $pid; wait $pid; echo "changed $id"; cat lines
      """)
    let lines = second.outputLines
    let expected = try #require(lines.first)
    #expect(lines.dropFirst().contains(expected))
    #expect(lines.last?.hasPrefix("token ") == true)
  }

  @Test("A token that is forged, foreign or none is refused and says so")
  func refused() async throws {
    let place = try Workplace()
    #expect(try await place.photolib("init").status == 0)
    let none = try await place.photolib("watch", "--since", "nonsense")
    #expect(none.status == 64)
    #expect(none.errorText.hasPrefix("photolib: --since nonsense: is no token\n"))
    let forged = try await place.photolib(
      "watch", "--since", String(repeating: "0", count: 66))
    #expect(forged.status == 64)
    #expect(forged.errorText.contains("change token is too old, or is none of this client"))
  }
}
