/// A tolerant look at a packet's markup: which properties it shows, and whether all of it is regular.
///
/// It serves two ends. exempi complains on the process's standard error about packets that are not
/// well-formed or say something twice, so these are kept away from it; and what such a packet says is
/// still read here, where one bad byte costs no more than itself.
struct XMPMarkup {
  /// Whether every tag is closed in order, every attribute quoted and named once, every prefix
  /// declared, every reference known, all bytes UTF-8, and no element of a description there twice.
  private(set) var isRegular = true
  private(set) var properties = XMPProperties()

  /// Elements deeper than this are irregular.
  static let maximumDepth = 64

  private struct Element {
    let name: String
    /// Prefix to namespace, as in force inside.
    let spaces: [String: String]
    var property: XMPProperties.Name?
    var text: [UInt8] = []
    var hasElements = false
    var isTopDescription = false
  }

  private let bytes: [UInt8]
  private var position = 0
  private var stack: [Element] = []
  private var hasRoot = false
  /// What the descriptions at the top say, attributes and elements alike: nothing twice.
  private var described: Set<String> = []

  init(_ packet: [UInt8]) {
    bytes = packet
    if String(validating: packet, as: UTF8.self) == nil { isRegular = false }
    if packet.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) {
      isRegular = false
    }
    while position < bytes.count { readNext() }
    if !stack.isEmpty || !hasRoot { isRegular = false }
  }

  private mutating func readNext() {
    guard bytes[position] == UInt8(ascii: "<") else { return readText() }
    if skip("<!--", to: "-->") || skip("<?", to: "?>") { return }
    if matches("<![CDATA[") {
      let start = position + 9
      _ = skip("<![CDATA[", to: "]]>")
      if let top = stack.indices.last {
        stack[top].text += bytes[min(start, bytes.count)..<max(start, position - 3)]
      } else {
        isRegular = false
      }
      return
    }
    if matches("<!") {
      // A document type has no place in a packet.
      isRegular = false
      position += 2
    } else if matches("</") {
      position += 2
      readEndTag()
    } else {
      position += 1
      readStartTag()
    }
  }

  private mutating func readText() {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let text = bytes[position..<end]
    position = end
    if let top = stack.indices.last {
      if text.contains(UInt8(ascii: "&")) { _ = resolved(text) }
      if stack[top].property != nil, stack[top].text.count <= XMPProperties.maximumLength {
        stack[top].text += text.prefix(1024)
      }
    } else if !text.allSatisfy(Self.isBlankOrMark) {
      isRegular = false
    }
  }

  private mutating func readEndTag() {
    let name = readName()
    skipBlanks()
    if !take(">") { isRegular = false }
    guard let opened = stack.lastIndex(where: { $0.name == name }) else {
      isRegular = false
      return
    }
    if opened != stack.count - 1 { isRegular = false }
    while stack.count > opened { close() }
  }

  private mutating func close() {
    guard let element = stack.popLast() else { return }
    if let property = element.property, !element.hasElements {
      add(element.text[...], for: property)
    }
  }

  private mutating func readStartTag() {
    let name = readName()
    if name.isEmpty { isRegular = false }
    var attributes: [(name: String, value: ArraySlice<UInt8>)] = []
    var names: Set<String> = []
    var spaces = stack.last?.spaces ?? ["xml": "http://www.w3.org/XML/1998/namespace"]
    while true {
      let hadBlank = skipBlanks()
      guard let attribute = readAttribute() else { break }
      if !hadBlank || !names.insert(attribute.name).inserted { isRegular = false }
      if attribute.name.hasPrefix("xmlns:") {
        spaces[String(attribute.name.dropFirst(6))] = String(
          decoding: attribute.value, as: UTF8.self)
      }
      attributes.append(attribute)
      // A packet that has more in one tag is none that a camera or editor writes.
      if attributes.count > 512 || spaces.count > 256 {
        isRegular = false
        position = bytes.count
        return
      }
    }
    let isEmpty = take("/")
    if !take(">") {
      isRegular = false
      let next = bytes[position...].firstIndex {
        $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<")
      }
      position = next ?? bytes.count
      _ = take(">")
    }
    open(name, attributes, spaces)
    if isEmpty { close() }
  }

  private mutating func open(
    _ name: String, _ attributes: [(name: String, value: ArraySlice<UInt8>)],
    _ spaces: [String: String]
  ) {
    var element = Element(name: name, spaces: spaces, property: property(name, spaces))
    let isTopDescription = isDescription(name) && stack.last.map { isContainer($0.name) } != false
    for attribute in attributes {
      _ = resolved(attribute.value)
      let found = property(attribute.name, spaces)
      // What is said deeper belongs to another thing: an ingredient, or the file this derives from.
      guard isTopDescription else { continue }
      if let found { add(attribute.value, for: found) }
      let isSyntax =
        attribute.name.hasPrefix("xmlns") || attribute.name.hasPrefix("rdf:")
        || attribute.name == "about"
      if !isSyntax, !described.insert(attribute.name).inserted { isRegular = false }
    }
    if let top = stack.indices.last {
      stack[top].hasElements = true
      if stack[top].isTopDescription {
        if !described.insert(name).inserted { isRegular = false }
      } else {
        element.property = nil
      }
    } else if hasRoot {
      isRegular = false
    }
    hasRoot = true
    element.isTopDescription = isTopDescription
    guard stack.count < Self.maximumDepth else {
      isRegular = false
      return
    }
    stack.append(element)
  }

  private func isDescription(_ name: String) -> Bool {
    name.hasSuffix(":Description") || name == "Description"
  }

  /// rdf:RDF, in which the descriptions at the top stand.
  private func isContainer(_ name: String) -> Bool { name.hasSuffix(":RDF") || name == "RDF" }

  private mutating func add(_ text: ArraySlice<UInt8>, for name: XMPProperties.Name) {
    let value = ExifFields.trimmed(String(decoding: resolved(text), as: UTF8.self))
    if let value { properties.add(value, for: name) }
  }

  /// The property that a qualified name means; notes a prefix that nobody declared.
  private mutating func property(
    _ name: String, _ spaces: [String: String]
  ) -> XMPProperties.Name? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    let prefix = String(name[..<colon])
    guard prefix != "xmlns" else { return nil }
    let local = name[name.index(after: colon)...]
    guard let space = spaces[prefix] else {
      isRegular = false
      return XMPProperties.Name(rawValue: name)
    }
    return XMPProperties.Name.allCases.first { $0.space == space && $0.local == local }
  }

  private mutating func readAttribute() -> (name: String, value: ArraySlice<UInt8>)? {
    let name = readName()
    guard !name.isEmpty else { return nil }
    skipBlanks()
    guard take("=") else {
      isRegular = false
      return nil
    }
    skipBlanks()
    guard position < bytes.count,
      bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'"),
      let end = bytes[(position + 1)...].firstIndex(of: bytes[position])
    else {
      isRegular = false
      return nil
    }
    let value = bytes[(position + 1)..<end]
    if value.contains(UInt8(ascii: "<")) { isRegular = false }
    position = end + 1
    return (name, value)
  }

  /// A name of ASCII letters, digits and `:_-.`, or bytes above ASCII.
  private mutating func readName() -> String {
    let start = position
    while position < bytes.count, position - start < 256 {
      switch bytes[position] {
      case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D, 0x2E, 0x80...0xFF: position += 1
      default: return String(decoding: bytes[start..<position], as: UTF8.self)
      }
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// The text with XML's five entities and numeric references put in; others make it irregular.
  private mutating func resolved(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
    var result: [UInt8] = []
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
      guard isClosed, let character = Self.character(String(decoding: body, as: UTF8.self)) else {
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
    return result
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
      guard let code, code >= 0x20 || code == 9 || code == 10 || code == 13 else { return nil }
      return Unicode.Scalar(code)
    }
  }

  private static func isBlankOrMark(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: true
    default: false
    }
  }

  private func matches(_ text: String) -> Bool {
    bytes[position...].starts(with: text.utf8)
  }

  private mutating func take(_ text: String) -> Bool {
    guard matches(text) else { return false }
    position += text.utf8.count
    return true
  }

  @discardableResult
  private mutating func skipBlanks() -> Bool {
    let start = position
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
      position += 1
    }
    return position > start
  }

  /// Skips from `opening`, if it stands here, to behind the next `closing`.
  private mutating func skip(_ opening: String, to closing: String) -> Bool {
    guard take(opening) else { return false }
    guard let last = closing.utf8.last else { return false }
    while let found = bytes[position...].firstIndex(of: last) {
      position = found + 1
      let start = position - closing.utf8.count
      if start >= 0, bytes[start...].starts(with: closing.utf8) {
        return true
      }
    }
    isRegular = false
    position = bytes.count
    return true
  }
}
