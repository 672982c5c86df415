import Testing

@Suite("Help and version")
struct HelpTests {
  static let commands = [
    "init", "add", "fetch", "show", "select", "access", "request", "edit", "remove",
    "restore", "purge", "watch", "stats", "check", "cache",
  ]

  @Test("--version prints name and version", arguments: ["--version", "-V"])
  func version(option: String) async throws {
    let result = try await Workplace().run([option])
    #expect(result.status == 0)
    #expect(result.outputText == "photolib 0.1.0\n")
    #expect(result.errors.isEmpty)
  }

  @Test("--help lists the commands, and those alone", arguments: ["--help", "-h"])
  func overview(option: String) async throws {
    let result = try await Workplace().run([option])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let listed = result.outputLines.drop { $0 != "commands:" }.dropFirst()
      .prefix { $0.hasPrefix("  ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(listed == Self.commands)
  }

  @Test("COMMAND --help shows usage, options and an example", arguments: commands)
  func command(name: String) async throws {
    let result = try await Workplace().run([name, "--help"])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    #expect(result.outputText.contains("usage: photolib \(name)"))
    #expect(result.outputText.contains("example"))
    #expect(result.outputLines.allSatisfy { $0.count <= 100 })
    // Only reading commands read as the owner; the owner's own take no client.
    #expect(result.outputText.contains("--owner") == ["fetch", "show", "watch"].contains(name))
    let isOwnerOnly = ["init", "restore", "purge", "stats", "check", "cache"].contains(name)
    #expect(result.outputText.contains("-c, --client") == !isOwnerOnly)
  }

  @Test("Help needs no library and wins over what stands after it")
  func helpWins() async throws {
    let place = try Workplace()
    #expect(try await place.run(["fetch", "--help", "--frobnicate"]).status == 0)
    #expect(try await place.run(["-L", "/nowhere", "select", "-h"]).status == 0)
  }

  @Test("A full disk under standard output is an I/O error, a closed pipe is none")
  func outputFaults() async throws {
    let place = try Workplace()
    let full = try await place.shell("$photolib --help >/dev/full")
    #expect(full.status == 74)
    #expect(full.errorText == "photolib: standard output: No space left on device\n")
    let closed = try await place.shell("$photolib --help >&-")
    #expect(closed.status == 74)
    let pipe = try await place.shell("$photolib --help | true; echo ${PIPESTATUS[0]}")
    #expect(pipe.outputText == "0\n")
    #expect(pipe.errors.isEmpty)
  }
}
