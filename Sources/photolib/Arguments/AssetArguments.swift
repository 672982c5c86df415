import Glibc
import PhotoLibrary

/// Which assets the command line chose: identifiers, prefixes, files, and a range of dates or a type.
///
/// Names and filters together: of the assets named, those that pass the filters.
struct AssetArguments {
  /// One operand, as it was written.
  private struct Name {
    enum Kind {
      case identifier(AssetID)
      case prefix(String)
      case file(FilePath)
      case unknown
    }

    let text: [UInt8]
    let kind: Kind

    /// A local identifier; else a file, if it looks like one; else a prefix of an identifier.
    init(_ bytes: [UInt8]) {
      text = bytes
      let string = String(validating: bytes, as: UTF8.self)
      if let id = string.flatMap({ AssetID(localIdentifier: $0) }) {
        kind = .identifier(id)
      } else if Self.looksLikeFile(bytes) {
        kind = .file(FilePath(bytes: bytes))
      } else if let string, Self.isPrefix(bytes) {
        kind = .prefix(string)
      } else {
        kind = .unknown
      }
    }

    private static func looksLikeFile(_ bytes: [UInt8]) -> Bool {
      if bytes.contains(UInt8(ascii: "/")) { return true }
      let end = String(decoding: bytes.suffix(5), as: UTF8.self).lowercased()
      return end.hasSuffix(".jpg") || end.hasSuffix(".png") || end == ".jpeg"
    }

    /// At least 4 hexadecimal digits, and dashes.
    private static func isPrefix(_ bytes: [UInt8]) -> Bool {
      let digits = bytes.filter { $0 != UInt8(ascii: "-") }
      return (4...32).contains(digits.count) && digits.first == bytes.first
        && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
    }
  }

  private let operands: [[UInt8]]
  private let from: DateArgument?
  private let to: DateArgument?
  private let format: ImageFormat?
  private let all: Bool

  /// Whether single assets were named, and not only a range of them.
  var namesAssets: Bool { !operands.isEmpty }

  /// Whether nothing at all was chosen.
  var isEmpty: Bool { operands.isEmpty && from == nil && to == nil && format == nil && !all }

  private enum TypeName: String, CaseIterable {
    case jpeg, png
    var format: ImageFormat { self == .jpeg ? .jpeg : .png }
  }

  init(_ arguments: ParsedArguments) throws(Failure) {
    operands = arguments.operands
    from = try Self.date(.from, arguments)
    to = try Self.date(.to, arguments)
    format = try arguments.choice(.type, as: TypeName.self)?.format
    all = arguments.has(.all)
    if all, let operand = operands.first {
      throw .usage(printable(operand), "cannot stand beside --all")
    }
  }

  private static func date(
    _ name: OptionName, _ arguments: ParsedArguments
  ) throws(Failure) -> DateArgument? {
    guard let text = try arguments.text(name) else { return nil }
    do {
      return try DateArgument(text)
    } catch {
      throw .usage(
        "\(name.text) \(printable(text))", error.why,
        hint: "write 2024, 2024-05, 2024-05-01, 2024-05-01T14:30 or 2024-05-01T14:30:00+02:00")
    }
  }

  /// What was named, looked up among the assets that a caller sees.
  struct Resolution {
    /// Those that are there, in the order in which they were named, each once.
    var ids: [AssetID] = []
    /// Those that are not: the name as written, and why.
    var missing: [(text: String, why: String)] = []
    /// Whether nothing was named that is there.
    var isWholeMiss: Bool { ids.isEmpty && !missing.isEmpty }

    /// Names each missing one on standard error.
    func reportMissing(on terminal: Terminal) {
      for (text, why) in missing { terminal.reportFailed(text, why) }
    }
  }

  /// What is said of an identifier that is not there, or not to be seen.
  static let noSuchAsset = "no such asset"

  /// Looks up what was named; reads standard input where that is `-`.
  func resolve(in view: LibraryClient) throws(Failure) -> Resolution {
    var names: [Name] = []
    for operand in operands {
      if operand == [UInt8(ascii: "-")] {
        names += try Self.linesOfInput().map(Name.init)
      } else {
        names.append(Name(operand))
      }
    }
    let whole: [AssetID] = names.compactMap {
      if case .identifier(let id) = $0.kind { id } else { nil }
    }
    var known: Set<AssetID> = []
    if !whole.isEmpty {
      known = try translating(about: "assets") { () throws(LibraryError) in
        Set(try view.fetchAssets(FetchQuery(ids: whole, includesHidden: true)).ids)
      }
    }

    var result = Resolution()
    var seen: Set<AssetID> = []
    for name in names {
      let found: [AssetID]
      var why = Self.noSuchAsset
      switch name.kind {
      case .identifier(let id): found = known.contains(id) ? [id] : []
      case .prefix(let prefix):
        let matches = try translating(about: printable(name.text)) { () throws(LibraryError) in
          try view.identifiers(prefix: prefix, limit: 2)
        }
        found = matches.count == 1 ? matches : []
        if matches.count > 1 { why = "more than one asset begins so; write more digits" }
      case .file(let path):
        do throws(LibraryError) {
          found = try view.identifiers(contentOf: path)
          why = "no asset has the content of this file"
        } catch  where error.code == .io || error.code == .invalidArgument {
          found = []
          why = printableMessage(error.message)
        } catch {
          throw Failure(error, about: printable(name.text))
        }
      case .unknown: found = []
      }
      if found.isEmpty { result.missing.append((printable(name.text), why)) }
      for id in found where seen.insert(id).inserted { result.ids.append(id) }
    }
    return result
  }

  /// The query for what was chosen, given what the names came to.
  func query(for ids: [AssetID]) -> FetchQuery {
    var query = FetchQuery()
    var conditions: [AssetPredicate] = []
    if let bound = from?.lowerBound { conditions.append(.created(.greaterOrEqual, bound)) }
    if let bound = to?.upperBound { conditions.append(.created(.less, bound)) }
    if let format { conditions.append(.format(format)) }
    if !conditions.isEmpty { query.predicate = .and(conditions) }
    if namesAssets {
      query.ids = ids
      // Who names an asset means it, hidden or not.
      query.includesHidden = true
    }
    return query
  }

  /// Identifiers on standard input, one a line; empty lines and blanks around them are left out.
  private static func linesOfInput() throws(Failure) -> [[UInt8]] {
    var input: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(0, &block, block.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Failure(.io, "standard input", systemMessage(errno)) }
      if count == 0 { break }
      input += block.prefix(count)
      // A million identifiers take 44 MB.
      if input.count > 1 << 28 {
        throw Failure(.usage, "standard input", "is longer than 256 MB")
      }
    }
    let blanks: Set<UInt8> = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")]
    return input.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let name = line.drop(while: blanks.contains)
      let end = name.lastIndex { !blanks.contains($0) }
      return end.map { Array(name[...$0]) }
    }
  }
}
