/// Cuts markup into tags and text; goes on whatever it meets, and notes what is not well-formed.
///
/// Linear in the number of bytes, and ends early where the file's budget does; no document types, no external anything.
struct XMLTokens {
  enum Token {
    case start(name: String, attributes: [Attribute], isEmpty: Bool)
    case end(name: String)
    /// Unresolved references still in it.
    case text(ArraySlice<UInt8>)
    case characters(ArraySlice<UInt8>)
  }
  typealias Attribute = (name: String, value: ArraySlice<UInt8>)

  /// Whether all so far was well-formed, names of one prefix at most.
  private(set) var isWellFormed = true

  /// A tag with more attributes is not well-formed here.
  static let maximumAttributes = 512

  /// What is left after the tokens so far.
  var budget: XMPBudget

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8], budget: XMPBudget) {
    self.bytes = bytes
    self.budget = budget
    let hasControls = bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
    // U+FFFE and U+FFFF are no characters of XML.
    let hasOthers = bytes.indices.contains { index in
      bytes[index] == 0xEF && bytes[index...].dropFirst().first == 0xBF
        && bytes[index...].dropFirst(2).first.map { $0 >= 0xBE } ?? false
    }
    if hasOthers { isWellFormed = false }
    if hasControls || String(validating: bytes, as: UTF8.self) == nil { isWellFormed = false }
  }

  /// The next token, or nil at the end or where the budget is exhausted.
  mutating func next() -> Token? {
    while position < bytes.count, budget.take() {
      guard bytes[position] == UInt8(ascii: "<") else { return .text(readText()) }
      if let inside = take("<!--", to: "-->") {
        if contains(inside, "--") { isWellFormed = false }
      } else if let inside = take("<?", to: "?>") {
        let target = inside.prefix { !isBlank($0) }
        // Like xpacket and adobe-xap-filters.
        let isPlain = target.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0 | 0x20) }
        // An XML declaration is allowed only at the very beginning, and may name another encoding: what it
        // stands before is read here.
        let isReserved = String(decoding: target, as: UTF8.self).lowercased() == "xml"
        if !isPlain || !isName(target) || isReserved { isWellFormed = false }
      } else if let inside = take("<![CDATA[", to: "]]>") {
        return .characters(inside)
      } else if take("<!") {
        // A document type has no place in a packet.
        isWellFormed = false
      } else if take("</") {
        let name = readName()
        skipBlanks()
        if !take(">") { isWellFormed = false }
        return .end(name: name)
      } else {
        position += 1
        return readStartTag()
      }
    }
    return nil
  }

  private mutating func readText() -> ArraySlice<UInt8> {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let text = bytes[position..<end]
    position = end
    if contains(text, "]]>") { isWellFormed = false }
    return text
  }

  private mutating func readStartTag() -> Token {
    let name = readName()
    var attributes: [Attribute] = []
    var names: Set<String> = []
    while true {
      let hadBlank = skipBlanks()
      guard let attribute = readAttribute() else { break }
      if !hadBlank || !names.insert(attribute.name).inserted { isWellFormed = false }
      attributes.append(attribute)
      if !budget.take() || attributes.count > Self.maximumAttributes {
        isWellFormed = false
        break
      }
    }
    let isEmpty = take("/")
    if !take(">") {
      isWellFormed = false
      position = bytes[position...].firstIndex { $0 == UInt8(ascii: ">") } ?? bytes.count
      _ = take(">")
    }
    return .start(name: name, attributes: attributes, isEmpty: isEmpty)
  }

  private mutating func readAttribute() -> Attribute? {
    guard let byte = current, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") else {
      return nil
    }
    let name = readName()
    skipBlanks()
    let hasEquals = take("=")
    skipBlanks()
    guard hasEquals, let quote = current, quote == 0x22 || quote == 0x27,
      let end = bytes[(position + 1)...].firstIndex(of: quote)
    else {
      isWellFormed = false
      return nil
    }
    let value = bytes[(position + 1)..<end]
    if value.contains(UInt8(ascii: "<")) { isWellFormed = false }
    position = end + 1
    return (name, value)
  }

  /// Bytes of a name: ASCII letters, digits and `:_-.`, or bytes above ASCII; at most 256.
  private mutating func readName() -> String {
    let name = bytes[position...].prefix(256).prefix { byte in
      switch byte {
      case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x80...0xFF: true
      default: false
      }
    }
    position = name.endIndex
    if !isName(name) { isWellFormed = false }
    return String(decoding: name, as: UTF8.self)
  }

  /// A name of ASCII with at most one prefix, each part beginning with a letter or an underscore; of other
  /// letters only some are allowed in names, and XMP uses none.
  private func isName(_ name: ArraySlice<UInt8>) -> Bool {
    let parts = name.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && name.allSatisfy { $0 < 0x80 }
      && parts.allSatisfy { part in
        guard let first = part.first else { return false }
        return first == 0x5F || (0x61...0x7A).contains(first | 0x20)
      }
  }

  /// The text with XML's five entities and numeric references put in, and whether it had others.
  static func resolved(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], isRegular: Bool) {
    guard text.contains(UInt8(ascii: "&")) else { return (Array(text), true) }
    var result: [UInt8] = []
    var isRegular = true
    var index = text.startIndex
    while index < text.endIndex {
      let byte = text[index]
      index += 1
      guard byte == UInt8(ascii: "&") else {
        result.append(byte)
        continue
      }
      let body = text[index...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
      let isClosed = body.endIndex < text.endIndex && text[body.endIndex] == UInt8(ascii: ";")
      guard isClosed, let character = character(String(decoding: body, as: UTF8.self)) else {
        isRegular = false
        result.append(byte)
        continue
      }
      // exempi 2.6 makes a blank of any reference of one or two hexadecimal digits.
      let isBlank = character.properties.isWhitespace
      if body.starts(with: "#x".utf8), body.count < 5, !isBlank { isRegular = false }
      result += Array(String(character).utf8)
      index = body.endIndex + 1
    }
    return (result, isRegular)
  }

  private static func character(_ reference: String) -> Unicode.Scalar? {
    switch reference {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard reference.hasPrefix("#") else { return nil }
      let isHexadecimal = reference.dropFirst().hasPrefix("x")
      let code = UInt32(
        reference.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
      guard let code, code >= 0x20 || code == 9 || code == 10 || code == 13,
        code != 0xFFFE, code != 0xFFFF
      else { return nil }
      return Unicode.Scalar(code)
    }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  @discardableResult
  private mutating func skipBlanks() -> Bool {
    let start = position
    while let byte = current, isBlank(byte) { position += 1 }
    return position > start
  }

  /// What stands between `opening`, if it is here, and the next `closing`, or the end.
  private mutating func take(_ opening: String, to closing: String) -> ArraySlice<UInt8>? {
    guard take(opening) else { return nil }
    let start = position
    if let found = firstIndex(of: closing, in: bytes[position...]) {
      position = found + closing.utf8.count
      return bytes[start..<found]
    }
    isWellFormed = false
    position = bytes.count
    return bytes[start...]
  }

  private func contains(_ slice: ArraySlice<UInt8>, _ text: String) -> Bool {
    firstIndex(of: text, in: slice) != nil
  }

  private func firstIndex(of text: String, in slice: ArraySlice<UInt8>) -> Int? {
    guard let first = text.utf8.first else { return nil }
    var rest = slice
    while let found = rest.firstIndex(of: first) {
      rest = rest[found...]
      if rest.starts(with: text.utf8) { return found }
      rest = rest.dropFirst()
    }
    return nil
  }
}
