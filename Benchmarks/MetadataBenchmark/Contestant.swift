import BenchmarkSupport
import Foundation

/// A program that reads the files' metadata, with all of its arguments.
struct Contestant {
  let title: String
  private let executable: URL
  private let arguments: [String]

  /// This program, as the process that only reads.
  static func own(_ files: [String]) -> Contestant? {
    let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return Contestant(title: "photolib", executable: executable, arguments: ["--read"] + files)
  }

  /// A program on PATH, or nil where it is not; its title has its version.
  static func named(_ name: String, _ options: [String], _ files: [String]) -> Contestant? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let places = folders.map { URL(filePath: String($0)).appending(path: name) }
    guard
      let executable = places.first(where: {
        FileManager.default.isExecutableFile(atPath: $0.path)
      })
    else { return nil }
    let shown = ([name] + options.prefix(1).filter { $0 == "-fast2" }).joined(separator: " ")
    let version = version(executable, name == "exiftool" ? "-ver" : "--version")
    return Contestant(
      title: "\(shown) (\(version))", executable: executable, arguments: options + files)
  }

  private static func version(_ executable: URL, _ option: String) -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = executable
    process.arguments = [option]
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return "unknown" }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    return words.first { $0.first?.isNumber == true }.map(String.init) ?? "unknown"
  }

  /// The seconds of each one's runs: all once to warm up, then in turns, so that what else the machine
  /// does meets all alike.
  static func run(_ contestants: [Contestant], rounds: Int) -> [[Double]] {
    var times = contestants.map { _ in [Double]() }
    for round in 0...rounds {
      for (index, contestant) in contestants.enumerated() {
        // The exit status says nothing: exiv2's is not 0 where a file has no EXIF.
        let run = TimedProcess.run(contestant.executable.path, contestant.arguments)
        let seconds = run?.seconds ?? .infinity
        if round > 0 { times[index].append(seconds) }
      }
    }
    return times
  }
}
