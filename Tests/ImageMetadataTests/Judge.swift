import Foundation
import Testing

/// Other programs that read metadata, as judges of what is left in a file.
struct Judge {
  let path: String

  static let exiftool = Judge(path: "/usr/bin/exiftool")
  static let exiv2 = Judge(path: "/usr/bin/exiv2")

  var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// What the program prints.
  func output(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return data
  }

  /// Names of places, whatever the group; settings of a clock and of the focus are none.
  private static func isPlace(_ tag: String) -> Bool {
    let name = tag.split(whereSeparator: { $0 == ":" || $0 == "." }).last.map(String.init) ?? tag
    let lower = name.lowercased()
    let exact: Set = [
      "city", "city2", "state", "country", "countrycode", "location", "sub-location", "landmark",
      "sublocation", "provincestate", "province-state", "countryname", "locationname",
      "locationcode", "locallocationname", "hometowncity", "contentlocationname",
      "contentlocationcode", "country-primarylocationname", "country-primarylocationcode",
    ]
    if tag.hasPrefix("Pentax:") { return false }
    return lower.hasPrefix("gps") || lower.hasPrefix("exifgps") || exact.contains(lower)
      || lower.hasPrefix("locationshown") || lower.hasPrefix("locationcreated")
      || lower.hasPrefix("dctermslocation") || lower.contains("latitude") && !lower.hasPrefix("iso")
      || lower.contains("longitude")
  }

  private static func isBlank(_ value: String) -> Bool {
    value.allSatisfy { $0.isWhitespace || $0 == "\0" || $0 == "," }
  }

  /// Files in which exiftool finds a place, with the tags.
  static func exiftoolPlaces(_ files: [String]) throws -> [(String, [String])] {
    var found: [(String, [String])] = []
    for start in stride(from: 0, to: files.count, by: 200) {
      let batch = files[start..<min(start + 200, files.count)]
      let data = try exiftool.output(
        ["-q", "-q", "-m", "-a", "-u", "-G1", "-ee3", "-j", "-api", "largefilesupport=1"] + batch)
      let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
      #expect(list.count == batch.count)
      for file in list {
        let tags = file.filter { tag, value in
          isPlace(tag) && !tag.hasPrefix("File:") && !tag.hasPrefix("System:")
            && !isBlank("\(value)")
        }
        if !tags.isEmpty, let name = file["SourceFile"] as? String {
          found.append((name, tags.map { "\($0.key)=\($0.value)" }.sorted()))
        }
      }
    }
    return found
  }

  /// Files in which exiv2 finds a place, with the tags.
  static func exiv2Places(_ files: [String]) throws -> [(String, [String])] {
    var found: [(String, [String])] = []
    for file in files {
      let text = String(decoding: try exiv2.output(["-q", "-u", "-PEIXkt", file]), as: UTF8.self)
      let tags = text.split(separator: "\n").filter { line in
        let parts = line.split(separator: " ", maxSplits: 1)
        guard let key = parts.first, key.contains(".") else { return false }
        return isPlace(String(key)) && !isBlank(parts.count > 1 ? String(parts[1]) : "")
          || key.hasPrefix("Exif.GPSInfo.")
      }
      if !tags.isEmpty { found.append((file, tags.map(String.init))) }
    }
    return found
  }
}
