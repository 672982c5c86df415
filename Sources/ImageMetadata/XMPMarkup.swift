/// A tolerant look at a packet: which properties it shows, and whether all of it is regular.
///
/// It serves two ends. exempi complains on the process's standard error about packets that it refuses,
/// so these are kept away from it; and what such a packet says is still read here, where one bad byte
/// costs no more than itself.
struct XMPMarkup {
  /// Whether the packet is well-formed XML and RDF in the forms that XMP allows (XMP specification
  /// part 1, clause 7), nothing said twice.
  private(set) var isRegular: Bool
  private(set) var properties = XMPProperties()

  /// Elements deeper than this are not looked at.
  static let maximumDepth = 64

  /// Namespaces that a packet may declare; behind that it is read no further.
  ///
  /// Each costs every element below it, so without a limit a megabyte of them takes seconds.
  private static let maximumNamespaces = 256
  /// Elements and attributes of a packet that is given to exempi, whose time grows with their square.
  private static let maximumMarks = 2_000

  /// What an element is in RDF.
  private enum Kind {
    /// Around rdf:RDF.
    case outside
    case root
    /// A description, whose elements are properties.
    case node
    case property
    /// Bag, Seq or Alt, whose elements are items.
    case array
  }

  private struct Element {
    let name: String
    let kind: Kind
    /// A description directly in rdf:RDF; others belong to other things, such as ingredients.
    let isTop: Bool
    /// x:xmpmeta, or its older name.
    let isMeta: Bool
    /// Whether attributes stand for its content.
    let hasAttributes: Bool
    /// What its text is a value of.
    let property: XMPProperties.Name?
    /// Of an array, what its items are values of.
    let itemProperty: XMPProperties.Name?
    /// Prefix to namespace, as in force inside; the empty one is that of elements without a prefix.
    let spaces: [String: String]
    var text: [UInt8] = []
    var hasText = false
    var hasElements = false
  }

  private static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  private static let meta = "adobe:ns:meta/"
  private static let xml = "http://www.w3.org/XML/1998/namespace"

  private var stack: [Element] = []
  private var namespaces = 0
  private var marks = 0
  private var hasRoot = false
  /// What the top descriptions say, attributes and elements alike.
  private var described: Set<String> = []
  private var subject: [UInt8]?

  /// Reads on as far as the budget goes.
  init(_ packet: [UInt8], budget: inout XMPBudget) {
    isRegular = true
    var tokens = XMLTokens(packet, budget: budget)
    while namespaces <= Self.maximumNamespaces, let token = tokens.next() {
      switch token {
      case .start(let name, let attributes, let isEmpty):
        open(name, attributes)
        if isEmpty { close() }
      case .end(let name):
        if !close(name) { tokens.budget.takeStray() }
      case .text(let text):
        add(text, hasReferences: true)
      case .characters(let text):
        require(!stack.isEmpty)
        add(text, hasReferences: false)
      }
    }
    budget = tokens.budget
    if budget.isExhausted { isRegular = false }
    if !stack.isEmpty || !hasRoot || !tokens.isWellFormed { isRegular = false }
    if namespaces > Self.maximumNamespaces || marks > Self.maximumMarks { isRegular = false }
  }

  private mutating func open(_ name: String, _ attributes: [XMLTokens.Attribute]) {
    let parent = stack.last
    marks += 1 + attributes.count
    guard stack.count < Self.maximumDepth else {
      isRegular = false
      return
    }
    if parent == nil, hasRoot { isRegular = false }
    hasRoot = true
    var spaces = parent?.spaces ?? ["xml": Self.xml]
    for attribute in attributes where Self.isDeclaration(attribute.name) {
      let prefix = String(attribute.name.dropFirst(6))
      // Names without a prefix are none of XMP's forms (part 1, 7.2), though RDF allows them.
      require(!prefix.isEmpty)
      let space = String(decoding: attribute.value, as: UTF8.self)
      require(XMLTokens.resolved(attribute.value).isRegular && !space.isEmpty)
      require(!["xml", "xmlns"].contains(prefix) && space != Self.xml)
      spaces[prefix] = space
      namespaces += 1
      if namespaces > Self.maximumNamespaces { return }
    }
    let (space, local) = resolve(name, spaces, isElement: true)
    let isRDF = space == Self.rdf
    let isResource = attributes.contains { attribute in
      attribute.name.split(separator: ":").last == "parseType"
        && attribute.value.elementsEqual("Resource".utf8)
    }
    let kind: Kind
    switch parent?.kind {
    case nil, .outside:
      kind = isRDF && local == "RDF" ? .root : isRDF && local == "Description" ? .node : .outside
      // The element around rdf:RDF is optional (part 1, 7.3.3), but exempi finds nothing without it, and
      // nothing of a second rdf:RDF.
      if isRDF { require(kind == .root && parent?.isMeta == true && parent?.hasElements == false) }
    case .root:
      kind = .node
      require(isRDF && local == "Description")
    case .node:
      kind = isResource ? .node : .property
      require(!isRDF)
    case .property:
      kind = isRDF && ["Bag", "Seq", "Alt"].contains(local) ? .array : .node
      require(isRDF && (kind == .array || local == "Description") && parent?.hasElements == false)
    case .array:
      kind = isResource ? .node : .property
      require(isRDF && local == "li")
    }
    let isTop = isRDF && local == "Description" && (parent.map { $0.kind == .root } ?? true)
    let hasAttributes = read(attributes, spaces, kind, isTop: isTop, isResource: isResource)
    var property: XMPProperties.Name?
    if parent?.isTop == true {
      require(described.insert("\(space ?? "")|\(local)").inserted)
      property = Self.property(space ?? name, local)
    } else if parent?.kind == .array, isRDF, local == "li" {
      property = parent?.itemProperty
    }
    if let top = stack.indices.last { stack[top].hasElements = true }
    stack.append(
      Element(
        name: name, kind: kind, isTop: isTop,
        isMeta: space == Self.meta && ["xmpmeta", "xapmeta"].contains(local),
        hasAttributes: hasAttributes, property: property,
        // Of lists in lists, none is the first item.
        itemProperty: kind == .array && stack.dropLast().last?.isTop == true
          ? parent?.property : nil,
        spaces: spaces))
  }

  /// Returns whether there are attributes that stand for what would else be inside.
  private mutating func read(
    _ attributes: [XMLTokens.Attribute], _ spaces: [String: String], _ kind: Kind, isTop: Bool,
    isResource: Bool
  ) -> Bool {
    var isContent = false
    for (name, value) in attributes where !Self.isDeclaration(name) {
      require(XMLTokens.resolved(value).isRegular)
      if name == "about", isTop {
        setSubject(value)
        continue
      }
      let (space, local) = resolve(name, spaces, isElement: false)
      if isTop, space == Self.rdf, local == "about" { setSubject(value) }
      if isTop, space != Self.rdf, space != Self.xml {
        require(described.insert("\(space ?? "")|\(local)").inserted)
        if let found = Self.property(space ?? name, local) { keep(value, for: found) }
      }
      let isRDF = space == Self.rdf
      switch kind {
      case .outside: break
      case .root, .array: require(false)
      case .node where isResource:
        require(isRDF && local == "parseType" && value.elementsEqual("Resource".utf8))
      case .node: require(isRDF ? local == "about" : space != Self.xml)
      case .property where space == Self.xml: require(local == "lang")
      case .property:
        require(!isRDF || local == "resource")
        isContent = true
      }
    }
    return isContent
  }

  /// All descriptions at the top are about the same thing.
  private mutating func setSubject(_ value: ArraySlice<UInt8>) {
    guard !value.isEmpty else { return }
    if let subject { require(value.elementsEqual(subject)) }
    subject = Array(value)
  }

  /// Returns whether there was such an element; each is looked for in the whole stack.
  private mutating func close(_ name: String) -> Bool {
    guard let opened = stack.lastIndex(where: { $0.name == name }) else {
      isRegular = false
      return false
    }
    require(opened == stack.count - 1)
    while stack.count > opened { close() }
    return true
  }

  private mutating func close() {
    guard let element = stack.popLast() else { return }
    if element.hasText { require(element.kind == .property && !element.hasElements) }
    if element.hasAttributes { require(!element.hasText && !element.hasElements) }
    if let property = element.property, !element.hasElements {
      keep(element.text[...], for: property)
    }
  }

  private mutating func add(_ text: ArraySlice<UInt8>, hasReferences: Bool) {
    if hasReferences { require(XMLTokens.resolved(text).isRegular) }
    let blank: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let isBlank = text.allSatisfy(blank.contains)
    guard let top = stack.indices.last else {
      // A byte order mark may stand before everything.
      require(isBlank || text.startIndex == 0 && text.elementsEqual([0xEF, 0xBB, 0xBF]))
      return
    }
    if !isBlank { stack[top].hasText = true }
    if stack[top].property != nil, stack[top].text.count <= XMPProperties.maximumLength {
      stack[top].text += text.prefix(1024)
    }
  }

  private mutating func keep(_ text: ArraySlice<UInt8>, for name: XMPProperties.Name) {
    let value = String(decoding: XMLTokens.resolved(text).bytes, as: UTF8.self)
    if let trimmed = ExifFields.trimmed(value) { properties.add(trimmed, for: name) }
  }

  private mutating func require(_ condition: Bool) {
    if !condition { isRegular = false }
  }

  private static func isDeclaration(_ name: String) -> Bool {
    name.hasPrefix("xmlns:") || name == "xmlns"
  }

  /// The namespace and the name in it; nil, and irregular, without a prefix that is declared.
  ///
  /// An element without a prefix is in the default namespace, where there is one; it is irregular too.
  private mutating func resolve(
    _ name: String, _ spaces: [String: String], isElement: Bool
  ) -> (space: String?, local: String) {
    guard let colon = name.firstIndex(of: ":") else {
      isRegular = false
      return (isElement ? spaces[""] : nil, name)
    }
    let space = spaces[String(name[..<colon])]
    require(space?.isEmpty == false)
    return (space, String(name[name.index(after: colon)...]))
  }

  /// `space` is the namespace, or the whole name where its prefix is not declared.
  private static func property(_ space: String, _ local: String) -> XMPProperties.Name? {
    XMPProperties.Name(rawValue: space)
      ?? XMPProperties.Name.allCases.first { $0.space == space && $0.local == local }
  }
}
