import FoundationEssentials
import ImageContainer
import ImageMetadata
import Testing

/// Real pictures that others made, with what independent programs say of them, one line a file, in a table
/// `expected.tsv` beside them; the environment's PHOTOLIB_CORPUS names the folder.
enum Corpus {
  /// A line of the table.
  struct Row {
    let fields: [String: String]
    subscript(column: String) -> String { fields[column] ?? "" }
    /// The path in the folder.
    var name: String { self["corpus"] + "/" + self["file"] }
  }

  /// A picture whose headers could be read.
  struct Picture {
    let row: Row
    let bytes: [UInt8]
    let structure: ImageStructure
    let metadata: PhotoMetadata
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

  static func path(of name: String) throws -> String { try #require(folder) + "/" + name }

  static func bytes(of row: Row) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(of: row.name))))
  }

  /// Hands over each picture whose headers can be read; returns how many files there are in all.
  static func forEachPicture(_ body: (Picture) throws -> Void) throws -> Int {
    let rows = try rows()
    for row in rows {
      let bytes = try bytes(of: row)
      let source = MemoryByteSource(bytes)
      guard let structure = try? ImageStructure.scanHeaders(source) else { continue }
      let metadata = PhotoMetadata.read(source, structure: structure)
      try body(Picture(row: row, bytes: bytes, structure: structure, metadata: metadata))
    }
    return rows.count
  }

  /// Blanks at both ends removed, as the table's values have none.
  static func trimmed(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    let last = start.lastIndex { !$0.isWhitespace }
    return last.map { String(start[...$0]) } ?? ""
  }
}
