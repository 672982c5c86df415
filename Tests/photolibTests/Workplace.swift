import FoundationEssentials
import Glibc
import PhotoLibrary
import PhotoLibraryTesting

/// A folder of its own for one test, with a library that the built program makes in it; the folder goes
/// when this value's last reference does.
final class Workplace: Sendable {
  let folder: FilePath
  /// Where `photolib` is told that the library is.
  var library: FilePath { folder.appending("Test.photolib") }
  /// The environment of the program: no variable of whoever runs the tests.
  let environment: [String: String]

  init(environment extra: [String: String] = [:]) throws {
    let path = FileManager.default.temporaryDirectory.path + "/photolib-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    folder = FilePath(path)
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": path, "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
    ].merging(extra) { _, new in new }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder.string) }

  /// The program beside the running tests.
  static let program: String = {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    let beside = tests.split(separator: "/").dropLast().joined(separator: "/")
    return "/\(beside)/photolib"
  }()

  /// The photographs that come with the project.
  static let samples: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/\(parts.joined(separator: "/"))/SampleLibrary"
  }()

  /// The pictures among them, by path.
  static var samplePictures: [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: samples)) ?? []
    return names.filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }.sorted()
      .map { "\(samples)/\($0)" }
  }

  // MARK: Running

  /// Runs the program with `-L` and the test's library.
  func photolib(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
  ) async throws -> ProcessResult {
    try await run(
      ["-L", library.string] + arguments, input: input, environment: environment)
  }

  /// Runs the program with these arguments alone.
  func run(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
  ) async throws -> ProcessResult {
    try await run(bytes: arguments.map { Array($0.utf8) }, input: input, environment: environment)
  }

  /// As `run(_:)`, with arguments that need not be UTF-8.
  func run(
    bytes: [[UInt8]], input: String? = nil, environment: [String: String] = [:]
  ) async throws -> ProcessResult {
    var source: FilePath = "/dev/null"
    if let input { source = try write(Array(input.utf8), as: "input-\(UUID().uuidString)") }
    return try await start(
      Self.program, bytes, environment: self.environment.merging(environment) { $1 },
      in: folder, input: source
    ).result()
  }

  /// Starts the program with `-L` and the test's library, without waiting.
  func begin(_ arguments: String...) throws -> RunningProcess {
    try start(
      Self.program, (["-L", library.string] + arguments).map { Array($0.utf8) },
      environment: environment, in: folder)
  }

  /// Runs a line of shell; `$photolib` is the program, `$PHOTOLIB_LIBRARY` is set.
  func shell(_ line: String) async throws -> ProcessResult {
    let variables = ["photolib": Self.program, "PHOTOLIB_LIBRARY": library.string]
    return try await start(
      "/bin/bash", [Array("-c".utf8), Array(line.utf8)],
      environment: environment.merging(variables) { $1 }, in: folder
    ).result()
  }

  // MARK: Files

  /// Writes a file in the test's folder.
  @discardableResult
  func write(_ bytes: [UInt8], as name: String) throws -> FilePath {
    try write(bytes, as: Array(name.utf8))
  }

  @discardableResult
  func write(_ bytes: [UInt8], as name: [UInt8]) throws -> FilePath {
    let path = folder.appending(name)
    let words = path.bytes.map { CChar(bitPattern: $0) } + [0]
    let descriptor = unsafe open(words, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SystemFailure("open", errno) }
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else { throw SystemFailure("write", errno) }
      written += count
    }
    return path
  }

  func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.appending(name).string, withIntermediateDirectories: true)
  }

  /// The names in a folder of the test's, sorted.
  func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(name).string).sorted()
  }

  /// Writes pictures taken a day apart, the first on 2024-03-01, into `pictures/` as `a-0.jpg`, `a-1.jpg`.
  func writePictures(_ count: Int, size: PixelSize = PixelSize(width: 64, height: 48)) throws {
    try makeFolder("pictures")
    for number in 0..<count {
      let day = number % 28 + 1
      var picture = TestPicture(
        date: "2024-03-\(day < 10 ? "0" : "")\(day) 12:00:00+01:00", size: size)
      picture.number = number
      try write(picture.data, as: "pictures/a-\(number).jpg")
    }
  }
}
