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
    if tag.contains("Pentax") || lower.hasPrefix("isospeed") || lower == "gpstag" { return false }
    let exact: Set = [
      "city", "city2", "state", "country", "countrycode", "location", "sub-location", "landmark",
      "sublocation", "provincestate", "province-state", "countryname", "locationname",
      "locationcode", "locallocationname", "hometowncity", "contentlocationname",
      "contentlocationcode", "country-primarylocationname", "country-primarylocationcode",
    ]
    return exact.contains(lower)
      || ["gps", "exifgps", "locationshown", "locationcreated", "dctermslocation"].contains {
        lower.hasPrefix($0)
      } || lower.contains("latitude") || lower.contains("longitude")
  }

  /// What exiftool reads of each file but for places, digests, and what is of the file as such.
  static func exiftoolOthers(_ files: [String]) throws -> [String: [String: String]] {
    var all: [String: [String: String]] = [:]
    for batch in batches(files) {
      let data = try exiftool.output(
        ["-q", "-q", "-m", "-n", "-a", "-u", "-U", "-G1:4", "-ee3", "-j"] + batch)
      let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
      for file in list {
        guard let name = file["SourceFile"] as? String else { continue }
        all[name] = file.filter { tag, _ in
          let group = tag.split(separator: ":").first ?? ""
          return tag != "SourceFile" && !["System", "ExifTool", "Composite"].contains(group)
            // Darwin Core is of places alone.
            && group != "XMP-dwc" && !isPlace(tag) && !tag.contains("LocationInfo")
            // The resource of IPTC, where it is another program's.
            && !["Altitude", "IPTCDigest", "NativeDigest", "0x0404"].contains { tag.hasSuffix($0) }
        }.mapValues { "\($0)" }
      }
    }
    return all
  }

  /// No letter and no digit: blanks, and quotation marks and brackets of lists of them.
  private static func isBlank(_ value: String) -> Bool {
    !value.contains { $0.isLetter || $0.isNumber }
  }

  /// Files in which exiftool finds a place, with the tags.
  static func exiftoolPlaces(_ files: [String]) throws -> [(String, [String])] {
    var found: [(String, [String])] = []
    for batch in batches(files) {
      // Raw values: a blank printed as "unknown" is a blank.
      let data = try exiftool.output(
        ["-q", "-q", "-m", "-n", "-a", "-u", "-G1", "-ee3", "-j"] + batch)
      let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
      #expect(list.count == batch.count)
      for file in list {
        let tags = file.filter { tag, value in
          let texts = (value as? [Any] ?? [value]).map { "\($0)" }
          // RMETA's numbers are those of a menu; 0 is none of it.
          return isPlace(tag) && !texts.allSatisfy(isBlank)
            && !(tag == "RMETA:Location" && texts == ["0"])
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
    var found: [String: [String]] = [:]
    for batch in batches(files) {
      let text = String(decoding: try exiv2.output(["-q", "-u", "-PEIXkv"] + batch), as: UTF8.self)
      for line in text.split(separator: "\n") {
        // Each line begins with the file's name, which may have blanks.
        guard let file = batch.first(where: { line.hasPrefix($0 + " ") }) else { continue }
        let rest = line.dropFirst(file.count).drop { $0 == " " }
        let parts = rest.split(separator: " ", maxSplits: 1)
        guard let key = parts.first, isPlace(String(key)) || key.hasPrefix("Exif.GPSInfo.") else {
          continue
        }
        // Kinds of structures and languages are no values.
        let words = parts.dropFirst().joined().split(separator: " ").filter {
          !$0.hasPrefix("type=") && !$0.hasPrefix("lang=")
        }
        // Panasonic's texts are printed as numbers of bytes.
        let isBytes =
          key.hasPrefix("Exif.Panasonic.") && words.allSatisfy { $0 == "32" || $0 == "0" }
        if !isBytes, !words.allSatisfy({ isBlank(String($0)) }) {
          found[file, default: []].append(String(rest))
        }
      }
    }
    return found.map { ($0.key, $0.value) }
  }

  private static func batches(_ files: [String]) -> [[String]] {
    stride(from: 0, to: files.count, by: 100).map {
      Array(files[$0..<min($0 + 100, files.count)])
    }
  }
}
