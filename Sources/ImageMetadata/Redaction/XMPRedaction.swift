/// Blanks the places in an XMP packet; every byte keeps its place, and the markup stays as it was.
enum XMPRedaction {
  /// - Parameters:
  ///   - packet: UTF-8 or UTF-16, of a JPEG segment, a PNG chunk, a TIFF tag or a sidecar.
  ///   - context: of the file; where its budget of XMP ends in this packet or before, all of the packet is
  ///     blanked.
  static func redact(_ packet: inout [UInt8], context: RedactionContext) {
    if context.xmp.isExhausted { return packet.blank(0..<packet.count) }
    guard let wide = WideText(packet) else {
      // UTF-32, or UTF-16 that does not begin as it should: some reader may know what it says.
      if packet.prefix(64).contains(0) {
        packet.blank(0..<packet.count)
      } else {
        redactUTF8(&packet, context)
      }
      return
    }
    var narrow = wide.narrow
    redactUTF8(&narrow, context)
    wide.write(narrow, to: &packet)
  }

  /// So that a search among the elements around costs little.
  private static let maximumDepth = 256

  private static func redactUTF8(_ text: inout [UInt8], _ context: RedactionContext) {
    var tokens = XMLTokens(text, budget: context.xmp)
    var ranges: [Range<Int>] = []
    /// Names of the elements around, and at which depth the outermost place began.
    var stack: [String] = []
    var placeDepth: Int?
    /// Elements further in than XMP goes; what they hold is blanked.
    var deeper = 0
    func isWanted(_ name: String) -> Bool {
      PlaceName.isPlace(name) || context.blanksDigests && PlaceName.isDigest(name)
    }
    while let token = tokens.next() {
      switch token {
      case .start(let name, let attributes, let isEmpty):
        let isInside = placeDepth != nil || deeper > 0 || isWanted(name)
        for (name, value) in attributes where isInside ? !isSyntax(name) : isWanted(name) {
          if !name.hasPrefix("xmlns") { ranges.append(value.startIndex..<value.endIndex) }
        }
        if !isEmpty, stack.count >= maximumDepth {
          deeper += 1
        } else if !isEmpty {
          if isInside, placeDepth == nil { placeDepth = stack.count }
          stack.append(name)
        }
      case .end(let name):
        if deeper > 0 {
          deeper -= 1
          continue
        }
        // An end tag that nothing began is passed over; one of an outer element ends the inner ones.
        guard let opened = stack.lastIndex(of: name) else {
          tokens.budget.takeStray()
          continue
        }
        stack.removeSubrange(opened...)
        if let depth = placeDepth, stack.count <= depth { placeDepth = nil }
      case .text(let part), .characters(let part):
        if placeDepth != nil || deeper > 0 { ranges.append(part.startIndex..<part.endIndex) }
      }
    }
    context.xmp = tokens.budget
    if context.xmp.isExhausted { return text.blank(0..<text.count) }
    for range in ranges { text.blank(range) }
    if !tokens.isWellFormed { sweep(&text) }
  }

  /// Attributes that say how to read, not what was said.
  private static func isSyntax(_ name: String) -> Bool {
    let local = name.split(separator: ":").last ?? ""
    return name.hasPrefix("xmlns") || name == "xml:lang" || local == "parseType"
      || local == "datatype"
  }

  /// Markup that is not well-formed is read in different ways: what follows a name as a quoted value or as
  /// an element's text is blanked wherever the name stands.
  private static func sweep(_ text: inout [UInt8]) {
    var end = 0
    for start in text.offsets(of: "gps", anyCase: true) where start >= end {
      var position = start
      func skip(while condition: (UInt8) -> Bool) {
        while position < text.count, condition(text[position]) { position += 1 }
      }
      skip { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || (0x30...0x39).contains($0) }
      skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
      guard position < text.count else { continue }
      var closing = UInt8(ascii: "<")
      if text[position] == UInt8(ascii: "=") {
        position += 1
        skip { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard position < text.count, text[position] == 0x22 || text[position] == 0x27 else {
          continue
        }
        closing = text[position]
      } else if text[position] != UInt8(ascii: ">") {
        continue
      }
      position += 1
      let value = position
      skip { $0 != closing }
      text.blank(value..<position)
      end = position
    }
  }

  /// Replaces the name of an extended packet, which is its MD5.
  static func rename(_ old: [UInt8], to new: [UInt8], in packet: inout [UInt8]) {
    guard old.count == new.count else { return }
    if let wide = WideText(packet) {
      var narrow = wide.narrow
      rename(old, to: new, in: &narrow)
      wide.write(narrow, to: &packet)
      return
    }
    for start in packet.offsets(of: String(decoding: old, as: UTF8.self), anyCase: true) {
      packet.replaceSubrange(start..<(start + old.count), with: new)
    }
  }
}

/// UTF-16 as one byte a unit, so that one scanner serves: what is not ASCII becomes a letter above it.
private struct WideText {
  let narrow: [UInt8]
  private let isBigEndian: Bool

  /// Returns nil for text that is not UTF-16.
  init?(_ packet: [UInt8]) {
    let start = packet.prefix(2)
    isBigEndian = start.elementsEqual([0, 0x3C]) || start.elementsEqual([0xFE, 0xFF])
    guard isBigEndian || start.elementsEqual([0x3C, 0]) || start.elementsEqual([0xFF, 0xFE])
    else { return nil }
    var units: [UInt8] = []
    units.reserveCapacity(packet.count / 2)
    for index in stride(from: 0, to: packet.count - 1, by: 2) {
      let (high, low) = isBigEndian ? (index, index + 1) : (index + 1, index)
      units.append(packet[high] == 0 && packet[low] < 0x80 ? packet[low] : 0xC3)
    }
    narrow = units
  }

  /// Writes the units that differ.
  func write(_ changed: [UInt8], to packet: inout [UInt8]) {
    for (index, unit) in changed.enumerated() where index < narrow.count && unit != narrow[index] {
      guard 2 * index + 1 < packet.count else { return }
      packet[2 * index] = isBigEndian ? 0 : unit
      packet[2 * index + 1] = isBigEndian ? unit : 0
    }
  }
}
