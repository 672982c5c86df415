import Glibc
import PhotoModel
import Testing

@Suite("Requests of processes", .timeLimit(.minutes(5)))
struct RequestTests {
  private static let frame = "org.example.frame"

  private func place() async throws -> Workplace {
    let place = try Workplace()
    #expect(try await place.photolib("init").status == 0)
    return place
  }

  /// What waits for the owner, once it is so many.
  private func pending(_ count: Int, _ place: Workplace) async throws -> [JSONValue] {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      let result = try await place.photolib("access", "pending", "--json")
      #expect(result.status == 0)
      let requests = try JSONValue(result.output)["requests"]?.array ?? []
      if requests.count == count || ContinuousClock.now > deadline { return requests }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test(
    "Rows 4 and 5: request waits for what another process answers, prints it and exits 0 or 77",
    arguments: [
      ("--full", "authorized", 0), ("--limited", "limited", 0), ("--deny", "denied", 77),
    ] as [(String, String, Int32)])
  func answered(option: String, status: String, exit: Int32) async throws {
    let place = try await place()
    let purpose = "a picture\u{1B}[31m a day\n\u{202E}"
    let asking = try place.begin("request", "-c", Self.frame, "--purpose", purpose)
    let request = try #require(try await pending(1, place).first)
    #expect(request.keys == ["request", "client", "kind", "level", "purpose", "requestedAt"])
    #expect(request["client"]?.string == Self.frame)
    #expect(request["kind"]?.string == "access")
    #expect(request["level"]?.string == "read-write")
    #expect(request["purpose"]?.string == purpose)
    let id = try #require(request["request"]?.string)
    let list = try await place.photolib("access", "pending")
    #expect(list.outputLines.count == 1)
    let fields = list.outputText.split(separator: "\t")
    #expect(fields.first.map(String.init) == id)
    #expect(fields.last == "a picture\\x1b[31m a day\\n\\u{202e}\n")

    let answer = try await place.photolib("access", "answer", String(id.prefix(8)), option)
    #expect(answer.status == 0, "\(answer.errorText)")
    #expect(answer.outputText.hasPrefix(status + "\t"))
    let result = try await asking.result()
    #expect(!result.timedOut)
    #expect(result.status == exit)
    #expect(result.outputText == status + "\n")
    #expect(result.errorText.contains("access answer \(id) --full|--limited|--deny"))
    #expect(result.errorText.contains("access grant --full -c \(Self.frame)") == (exit == 77))

    // Nobody is asked a second time.
    let again = try await place.photolib(
      "request", "-c", Self.frame, "--purpose", "again", "--json")
    #expect(again.status == exit)
    #expect(try JSONValue(again.output)["status"]?.string == status)
    #expect(try JSONValue(again.output).keys == ["client", "level", "status", "request"])
    #expect(try await pending(0, place).isEmpty)
    let late = try await place.photolib("access", "answer", id, "--full")
    #expect(late.status == 66)
    #expect(late.errorText.contains("no such request waits for an answer"))
  }

  @Test("Row 6: Of several processes that ask at a time one request comes")
  func together() async throws {
    let place = try await place()
    let asking = try (0..<3).map { number in
      try place.begin(
        "request", "--level", "add-only", "-c", Self.frame, "--purpose", "number \(number)")
    }
    let request = try #require(try await pending(1, place).first)
    try await Task.sleep(for: .milliseconds(300))
    #expect(try await pending(1, place).count == 1)
    let id = try #require(request["request"]?.string)
    #expect(request["level"]?.string == "add-only")
    let limited = try await place.photolib("access", "answer", id, "--limited")
    #expect(limited.status == 64)
    #expect(limited.errorText.contains("adding cannot be limited"))
    #expect(try await place.photolib("access", "answer", id.lowercased(), "--full").status == 0)
    for process in asking {
      let result = try await process.result()
      #expect(result.status == 0)
      #expect(result.outputText == "authorized\n")
    }
    // Only that level was decided.
    let list = try await place.photolib("access", "-c", Self.frame)
    #expect(list.outputText == "notDetermined\tauthorized\t0\tno\t\(Self.frame)\n")
  }

  @Test(
    "An interrupted request is withdrawn",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func interrupted(signal: Int32, status: Int32) async throws {
    let place = try await place()
    let asking = try place.begin("request", "-c", Self.frame, "--purpose", "a picture a day")
    #expect(try await pending(1, place).count == 1)
    asking.send(signal)
    let result = try await asking.result()
    #expect(result.status == status)
    #expect(result.output.isEmpty)
    #expect(try await pending(0, place).isEmpty)
  }

  @Test("Without waiting the request stays, and select answers it")
  func noWait() async throws {
    let place = try await place()
    let asked = try await place.photolib(
      "request", "-c", Self.frame, "--purpose", "a picture a day", "--no-wait", "--json")
    #expect(asked.status == 77)
    let outcome = try JSONValue(asked.output)
    #expect(outcome["status"]?.string == "notDetermined")
    let requests = try await pending(1, place)
    #expect(requests.first?["request"]?.string == outcome["request"]?.string)
    let other = try await place.photolib("access", "pending", "-c", "org.example.other")
    #expect(other.output.isEmpty)
    let waiting = try place.begin("request", "-c", Self.frame, "--purpose", "a picture a day")
    #expect(try await place.photolib("select", "--none", "--limited", "-c", Self.frame).status == 0)
    let result = try await waiting.result()
    #expect(result.status == 0)
    #expect(result.outputText == "limited\n")
    #expect(try await pending(0, place).isEmpty)
  }

  @Test(
    "The client that asks is --client's, else $PHOTOLIB_CLIENT's, else local.default, which may")
  func whoAsks() async throws {
    let place = try await place()
    let mine = try await place.photolib("request", "--purpose", "mine")
    #expect((mine.status, mine.outputText) == (0, "authorized\n"))
    let other = try await place.photolib(
      "request", "--purpose", "x", "--no-wait", environment: ["PHOTOLIB_CLIENT": Self.frame])
    #expect(other.status == 77)
    #expect(try await pending(1, place).first?["client"]?.string == Self.frame)
  }

  @Test(
    "A wrong command line is told, and asks nobody",
    arguments: [
      ["request"], ["request", "--purpose", ""], ["request", "--purpose", "x", "word"],
      ["request", "--purpose", "x", "--level", "everything"],
      ["request", "--purpose", "x", "--owner"], ["access", "answer"],
      ["access", "answer", "3F2A"], ["access", "answer", "3F2A", "--full", "--deny"],
      ["access", "answer", "3F2A", "--add-only"], ["access", "answer", "3F2A", "B", "--full"],
      ["access", "pending", "3F2A"], ["access", "pending", "--full"],
      ["access", "deny", "--deny"], ["access", "grant", "--full", "--deny"],
    ])
  func usage(words: [String]) async throws {
    let place = try await place()
    let result = try await place.run(
      ["-L", place.library.string, "-c", Self.frame] + words)
    #expect(result.status == 64, "\(result.errorText)")
    #expect(result.output.isEmpty)
    #expect(try await pending(0, place).isEmpty)
  }
}
