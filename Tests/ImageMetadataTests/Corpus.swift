import FoundationEssentials
import Testing

/// The rows of the corpus' table of expected values.
enum Corpus {
  struct Row {
    let fields: [String: String]
    subscript(column: String) -> String { fields[column] ?? "" }
    var name: String { self["corpus"] + "/" + self["file"] }
  }

  static var folder: String? { ProcessInfo.processInfo.environment["PHOTOLIB_CORPUS"] }

  static func rows() throws -> [Row] {
    let path = try #require(folder) + "/expected.tsv"
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
    let names = try #require(lines.first).split(separator: "\t", omittingEmptySubsequences: false)
    return lines.dropFirst().map { line in
      let values = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Row(
        fields: Dictionary(
          zip(names.map(String.init), values.map(String.init)),
          uniquingKeysWith: { first, _ in first }))
    }
  }

  static func bytes(of row: Row) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: try #require(folder) + "/" + row.name)))
  }
}
