import PhotoModel
import Testing

/// A wrong command line ends with 64, one line that says what is wrong, and nothing on standard output.
@Suite("Usage errors")
struct UsageTests {
  @Test(
    "A wrong command line exits with 64 and says what is wrong",
    arguments: [
      ([], "command: none is given"),
      (["frobnicate"], "frobnicate: no such command"),
      (["--frobnicate", "fetch"], "--frobnicate: unknown option"),
      (["fetch", "--frobnicate"], "--frobnicate: unknown option"),
      (["fetch", "--frobnicate=3"], "--frobnicate: unknown option"),
      (["fetch", "-z"], "-z: unknown option"),
      (["fetch", "-qz"], "-z: unknown option"),
      // No abbreviations: they would change their meaning with each new option.
      (["fetch", "--coun"], "--coun: unknown option"),
      (["fetch", "--json=yes"], "--json: takes no value"),
      (["fetch", "--limit"], "--limit: needs a value"),
      (["fetch", "-n"], "--limit: needs a value"),
      (["fetch", "-n", "-3"], "--limit -3: is not a whole number of 0 or more"),
      (["fetch", "-n1e3"], "--limit 1e3: is not a whole number of 0 or more"),
      (["fetch", "-n", "99999999999999999999"], "--limit 99999999999999999999: is not a whole"),
      (["fetch", "-s", "size"], "--sort size: is none of creationDate, modificationDate"),
      (["fetch", "--type", "gif"], "--type gif: is none of jpeg, png"),
      (["fetch", "--from", "2024-13"], "--from 2024-13: there is no month 13"),
      (["fetch", "--count", "--ids"], "--count: cannot stand beside --ids"),
      (["fetch", "--size", "300"], "--size: belongs to --thumbs"),
      (["fetch", "--sheet", "a.html"], "--sheet: belongs to --thumbs"),
      (["fetch", "--fast"], "--fast: belongs to --thumbs"),
      (["cache", "warm", "--fast"], "--fast"),
      (["fetch", "--thumbs", "--size", "0"], "--size 0: is no size from 1 to 8192"),
      (["fetch", "--thumbs", "--size", "8193"], "--size 8193: is no size"),
      (["fetch", "--thumbs", "--size", "10x"], "--size 10x: is no size"),
      (["fetch", "--thumbs", "--size", "1x2x3"], "--size 1x2x3: is no size"),
      (["fetch", "--thumbs", "--mode", "stretch"], "--mode stretch: is none of fit, fill"),
      (["fetch", "--thumbs", "--quality", "0"], "--quality 0: is not a whole number from 1"),
      (["fetch", "--thumbs", "--quality", "9", "--format", "png"], "--quality: cannot stand"),
      (["fetch", "--thumbs", "--sheet", "a.gif"], "--sheet a.gif: must end in .html or .jpg"),
      (["fetch", "--thumbs", "--count"], "--thumbs: cannot stand beside --count"),
      (["fetch", "--all", "abcd"], "abcd: cannot stand beside --all"),
      (["fetch", "--owner", "-c", "org.example.frame"], "--owner: cannot stand beside --client"),
      (["fetch", "-c", "frame"], "--client frame: is no client identifier"),
      (["fetch", "-c", ""], "--client : is no client identifier"),
      (["fetch", "--color", "pink"], "--color pink: is none of auto, always, never"),
      (["fetch", "--memory", "much"], "--memory much: is not a whole number"),
      (["init", "-c", "org.example.frame"], "--client: init: "),
      (["stats", "-c", "org.example.frame"], "--client: stats: "),
      (["check", "-c", "org.example.frame"], "--client: check: "),
      (["add", "--owner", "x"], "--owner: add: "),
      (["select", "--owner"], "--owner: select: "),
      (["init", "a", "b"], "b: is not expected here"),
      (["stats", "all"], "all: is not expected here"),
      (["add"], "add: no PATH is given"),
      (["add", ""], "PATH: is empty"),
      (["show"], "show: no photo is named"),
      (["select", "--limited"], "--limited: no photo is chosen"),
      (["select", "--add"], "--add: no photo is chosen"),
      (["select", "abcd"], "select: photos are named, but not what to do with them"),
      (["select", "--full", "--deny"], "--full: cannot stand beside --deny"),
      (["select", "--full", "abcd"], "--full: takes no photos"),
      (["select", "--none", "abcd"], "--none: takes no photos"),
      (["select", "--limited", "--full"], "--full: cannot stand beside --limited"),
      (["access", "allow"], "allow: is none of list, grant, deny, restrict, reset"),
      (["access", "grant"], "access grant: say --full, --limited or --add-only"),
      (["access", "grant", "--full", "--limited"], "--full: cannot stand beside --limited"),
      (["access", "deny", "--location"], "--location: belongs to access grant"),
      // What comes later is absent, not a stub.
      (["album", "list"], "album: no such command"),
      (["fetch", "--album", "x"], "--album: unknown option"),
      (["fetch", "--connect", "x"], "--connect: unknown option"),
    ])
  func wrongCommandLine(arguments: [String], message: String) async throws {
    let place = try Workplace()
    let result = try await place.run(arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.errorText.hasPrefix("photolib: \(message)"), "\(result.errorText)")
    #expect(result.errorLines.count <= 2)
  }

  @Test("A variable of the environment that is wrong is named")
  func wrongEnvironment() async throws {
    let place = try Workplace()
    let client = try await place.photolib("fetch", environment: ["PHOTOLIB_CLIENT": "frame"])
    #expect(client.status == 64)
    #expect(client.errorText.hasPrefix("photolib: $PHOTOLIB_CLIENT frame: is no client"))
    let memory = try await place.photolib("stats", environment: ["PHOTOLIB_MEMORY": "x"])
    #expect(memory.status == 64)
    #expect(memory.errorText.hasPrefix("photolib: $PHOTOLIB_MEMORY x: is not a whole number"))
    // The option is the nearer and wins.
    let both = try await place.photolib(
      "stats", "--memory", "400", environment: ["PHOTOLIB_MEMORY": "x"])
    #expect(both.status == 69)
  }

  @Test("Control characters and bytes that are not UTF-8 are escaped in messages")
  func hostileArguments() async throws {
    let place = try Workplace()
    let option = try await place.run(bytes: [
      Array("fetch".utf8), Array("--a".utf8) + [0x1B, 0xFF, 0x0A],
    ])
    #expect(option.status == 64)
    #expect(option.errorText.hasPrefix(#"photolib: --a\x1b\xff\n: unknown option"#))
    let command = try await place.run(["\u{202E}dda"])
    #expect(command.errorText.hasPrefix(#"photolib: \u{202e}dda: no such command"#))
  }

  @Test("Without a library, commands say so and what to run, with 69")
  func noLibrary() async throws {
    let place = try Workplace()
    for command in [["fetch"], ["show", "abcd"], ["select"], ["access"], ["stats"], ["check"]] {
      let result = try await place.run(["-L", place.library.string] + command)
      #expect(result.status == 69)
      #expect(result.output.isEmpty)
      #expect(result.errorText.hasPrefix("photolib: \(place.library): "), "\(result.errorText)")
      #expect(result.errorText.contains("photolib -L \(place.library) init"))
    }
  }
}
